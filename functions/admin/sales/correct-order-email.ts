import * as z from 'zod/mini';
import { email } from '../../../shared/addresses.ts';
import { correctEmail } from '../../../shared/buyer-email/buyer-email-service.ts';
import type { Needs } from '../../../shared/context.ts';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { idOf } from '../../../shared/ids.ts';

export const correctOrderEmailRoute = endpoint({
  operationId: 'correctOrderEmail',
  method: 'POST',
  path: '/v1/admin/orders/{order_id}/buyer-email',
  tag: 'Admin',
  summary: 'Corrects the e-mail address of a paid order, as often as it takes',
  description:
    'The new address gets the mail with the completion link, the old one a notice; the links in mails that were sent before end. While the order is refunded or disputed the mail waits. The same address again changes nothing.',
  audience: 'admin',
  body: z.object({ buyerEmail: email }),
  success: { status: 200, body: z.object({ orderId: idOf('order') }) },
  errors: [{ code: 'order_not_paid', status: 400 }, 'order_not_found'],
  handle: async ({ params, body, identity }, c: Needs<'table' | 'now' | 'sendJob' | 'ENCRYPTION_KEYS'>) => {
    await correctEmail(c, identity.userId, params.orderId, async () => ({ email: body.buyerEmail }));
    return { orderId: params.orderId };
  },
});
