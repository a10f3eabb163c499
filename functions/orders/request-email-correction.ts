import * as z from 'zod/mini';
import { RequestEmailCorrection } from '../../shared/buyer-email/email-request.ts';
import { requestEmailCorrection } from '../../shared/buyer-email/email-request-service.ts';
import type { Needs } from '../../shared/context.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { getOwnOrder } from '../../shared/orders/own-order.ts';

export const requestEmailCorrectionRoute = endpoint({
  operationId: 'requestEmailCorrection',
  method: 'POST',
  path: '/v1/orders/{order_id}/buyer-email-request',
  tag: 'Orders',
  summary: 'Asks the admins to correct the buyer’s e-mail address of a paid sale',
  description:
    'Alike for every well-formed address, also for the one that the order has. A later request takes the place of one that waits; one that nobody decides on within 30 days is forgotten. At most 30 a minute and user.',
  audience: 'seller',
  tokenScopes: ['orders:write'],
  rateLimit: 'email-requests',
  body: RequestEmailCorrection,
  success: { status: 202, body: z.object({}) },
  errors: [{ code: 'order_not_paid', status: 400 }, 'order_not_found', 'forbidden', 'seller_not_eligible'],
  handle: async ({ params, body, identity }, c: Needs<'table' | 'now' | 'ENCRYPTION_KEYS'>) => {
    const { order, actor } = await getOwnOrder(c.table, identity, params.orderId);
    await requestEmailCorrection(c, actor, order, body.buyerEmail);
    return {};
  },
});
