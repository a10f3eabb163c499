import * as z from 'zod/mini';
import { adminActor } from '../../../shared/audit/actor.ts';
import { resendLink } from '../../../shared/buyer-email/buyer-email-service.ts';
import type { Needs } from '../../../shared/context.ts';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { MailStatus } from '../../../shared/mail/outbox/mail.ts';

export const resendOrderLinkRoute = endpoint({
  operationId: 'resendOrderLink',
  method: 'POST',
  path: '/v1/admin/orders/{order_id}/resend-link',
  tag: 'Admin',
  summary: 'Mails a fresh completion link of one paid order to its buyer',
  description:
    'To the address of the order, which is not shown. While the order is refunded or disputed the mail waits. An order without a known address is refused. An address gets at most 10 mails with links an hour, whoever has them sent: beyond that 429 `rate_limited`. `last_mail` tells how the mail before fared: where it has `address_suppressed`, nothing arrives until the address is corrected, or an operator has the mail service send to it again.',
  audience: 'admin',
  success: { status: 202, body: z.object({ lastMail: z.optional(MailStatus) }) },
  errors: [{ code: 'order_not_paid', status: 400 }, 'invalid_request', 'rate_limited', 'order_not_found'],
  handle: async ({ params, identity }, c: Needs<'table' | 'now' | 'sendJob' | 'ENCRYPTION_KEYS'>) => {
    const lastMail = await resendLink(c, adminActor(identity.userId), params.orderId);
    return { lastMail };
  },
});
