import * as z from 'zod/mini';
import { endpoint } from '../../shared/http/endpoint.ts';
import type { BuyerEmailService } from '../../shared/orders/buyer-email-service.ts';
import type { GetOwnOrder } from '../../shared/orders/own-order.ts';

export const resendOrderLink = endpoint({
  operationId: 'resendSoldOrderLink',
  method: 'POST',
  path: '/v1/orders/{order_id}/resend-link',
  tag: 'Orders',
  summary: 'Mails a fresh completion link of a paid sale to its buyer',
  description:
    'To the address of the order, which is not shown. While the order is refunded or disputed the mail waits. An order without a known address is refused.',
  audience: 'seller',
  success: { status: 202, body: z.object({}) },
  errors: [{ code: 'order_not_paid', status: 400 }, 'invalid_request', 'order_not_found', 'forbidden', 'seller_not_eligible'],
  handle: async (
    { params, identity },
    { getOwnOrder, buyerEmails }: { getOwnOrder: GetOwnOrder; buyerEmails: Pick<BuyerEmailService, 'resendLink'> },
  ) => {
    const { order, actor } = await getOwnOrder(identity.userId, params.orderId);
    await buyerEmails.resendLink(actor, order.id);
    return {};
  },
});
