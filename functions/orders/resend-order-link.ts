import * as z from 'zod/mini';
import { resendLink } from '../../shared/buyer-email/buyer-email-service.ts';
import type { Needs } from '../../shared/context.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { MailStatus } from '../../shared/mail/outbox/mail.ts';
import { getOwnOrder } from '../../shared/orders/own-order.ts';

export const resendOrderLinkRoute = endpoint({
  operationId: 'resendSoldOrderLink',
  method: 'POST',
  path: '/v1/orders/{order_id}/resend-link',
  tag: 'Orders',
  summary: 'Mails a fresh completion link of a paid sale to its buyer',
  description:
    'To the address of the order, which is not shown. While the order is refunded or disputed the mail waits. An order without a known address is refused. An address gets at most 10 mails with links an hour, whoever has them sent, and 10 that were free to whoever caused them: beyond that 429 `rate_limited`. `last_mail` tells how the mail before fared: where it has `address_suppressed`, nothing arrives until the address is corrected, or an operator has the mail service send to it again.',
  audience: 'seller',
  tokenScopes: ['orders:write'],
  success: { status: 202, body: z.object({ lastMail: z.optional(MailStatus) }) },
  errors: [
    { code: 'order_not_paid', status: 400 },
    'invalid_request',
    'rate_limited',
    'order_not_found',
    'forbidden',
    'seller_not_eligible',
  ],
  handle: async ({ params, identity }, c: Needs<'table' | 'now' | 'sendJob' | 'ENCRYPTION_KEYS'>) => {
    const { order, actor } = await getOwnOrder(c.table, identity, params.orderId);
    const lastMail = await resendLink(c, actor, order.id);
    return { lastMail };
  },
});
