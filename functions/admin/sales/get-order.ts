import * as z from 'zod/mini';
import type { Needs } from '../../../shared/context.ts';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { Invoice, invoiceOf } from '../../../shared/invoices/invoice.ts';
import { findLicenseById } from '../../../shared/licenses/license-repository.ts';
import { MailStatus } from '../../../shared/mail/outbox/mail.ts';
import { findMailStatus } from '../../../shared/mail/outbox/mail-repository.ts';
import { OrderSummary } from '../../../shared/order-search/order-summary.ts';
import { summarizeOrder } from '../../../shared/order-search/summarize-orders.ts';
import { completionMailIdOf } from '../../../shared/orders/order.ts';
import { getOrder } from '../../../shared/orders/order-repository.ts';
import { CheckoutFacts, DisputeFact, noChargeFacts, refundedAmountOf } from '../../../shared/payments/payment-facts.ts';
import { readPayment } from '../../../shared/payments/payment-repository.ts';
import { dateTime } from '../../../shared/schemas.ts';

/** An order with what the provider reported about its payment; neither buyer nor key. */
export const OrderDetail = z.extend(OrderSummary, {
  productName: z.string(),
  applicationFeeAmount: z.int(),
  expiresAt: dateTime,
  waitingSince: z.optional(dateTime),
  checkoutSessionId: z.optional(z.string()),
  paymentIntentId: z.optional(z.string()),
  completionMail: z.optional(MailStatus),
  invoice: z.optional(Invoice),
  paymentFacts: z.extend(z.omit(CheckoutFacts, { paidHeardAt: true }), {
    refundedAmount: z.int(),
    disputes: z.array(z.extend(z.omit(DisputeFact, { stoppedAt: true }), { id: z.string() })),
  }),
});

export const getOrderRoute = endpoint({
  operationId: 'getOrder',
  method: 'GET',
  path: '/v1/admin/orders/{order_id}',
  tag: 'Admin',
  summary: 'Shows an order with the status and facts of its payment',
  description:
    'What the payment provider reported is in `payment_facts`; the statuses are derived from it. How the mail with the buyer’s link fared is in `completion_mail`, once there is one.',
  audience: 'admin',
  success: { status: 200, body: OrderDetail },
  errors: ['order_not_found'],
  handle: async ({ params }, c: Needs<'table' | 'now' | 'ENCRYPTION_KEYS'>) => {
    const order = await getOrder(c.table, params.orderId);
    const [license, payment, completionMail] = await Promise.all([
      order.licenseId === undefined ? undefined : findLicenseById(c.table, order.licenseId),
      order.paymentIntentId === undefined ? undefined : readPayment(c.table, order.paymentIntentId),
      findMailStatus(c.table, order.id, completionMailIdOf(order)),
    ]);
    const charge = payment?.charge ?? noChargeFacts;
    const disputes = Object.entries(charge.disputes).map(([id, dispute]) => ({ id, ...dispute }));
    return {
      ...order,
      ...(await summarizeOrder(c, order, license)),
      productName: order.terms.productName,
      completionMail,
      invoice: invoiceOf(order, charge),
      paymentFacts: { ...order.checkout, refundedAmount: refundedAmountOf(charge), disputes },
    };
  },
});
