import * as z from 'zod/mini';
import { AppError } from '../../shared/errors.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { idOf } from '../../shared/ids.ts';
import { completionUrl, mintCompletionToken, tokenLifetimes } from '../../shared/orders/completion-token.ts';
import { wasPaid } from '../../shared/orders/order.ts';
import { dateTime } from '../../shared/schemas.ts';
import type { AdminServices } from './routes.ts';

export const AdminCompletionTokenResponse = z.object({
  orderId: idOf('order'),
  completionToken: z.string(),
  completionUrl: z.string(),
  expiresAt: dateTime,
});

export const createCompletionToken = endpoint({
  operationId: 'createCompletionToken',
  method: 'POST',
  path: '/v1/admin/orders/{order_id}/completion-token',
  tag: 'Admin',
  summary: 'Issues a short-lived completion token for a paid order, for staging and local inspection',
  description:
    'The token speaks for the order as one from the mail does, for 15 minutes. The license key is not in the reply. In production the endpoint is closed.',
  audience: 'admin',
  success: { status: 200, body: AdminCompletionTokenResponse },
  sensitive: true,
  errors: [{ code: 'order_not_paid', status: 400 }, 'disabled_in_production', 'order_not_found'],
  handle: async ({ params, identity }, { orders, audit, tokenKeys, stage, publicBaseUrl, now }: AdminServices) => {
    if (stage === 'production') throw new AppError('disabled_in_production');
    const order = await orders.getOrder(params.orderId);
    if (!wasPaid(order)) throw new AppError('order_not_paid');
    const expiresAt = new Date(now().getTime() + tokenLifetimes.admin);
    const completionToken = await mintCompletionToken({ orderId: order.id, use: 'admin', expiresAt }, now(), tokenKeys);
    await orders.commit([audit.recordAudit({ actor: identity.userId, action: 'order.completion-token', targetId: order.id })]);
    return {
      orderId: order.id,
      completionToken,
      completionUrl: completionUrl(publicBaseUrl, completionToken),
      expiresAt: expiresAt.toISOString(),
    };
  },
});
