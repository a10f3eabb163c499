import { createHmac, randomBytes } from 'node:crypto';
import type { Order } from '../../../shared/orders/order.ts';

const freshId = (prefix: string) => `${prefix}_${randomBytes(9).toString('hex')}`;

type Change = Record<string, unknown>;

function snapshot(type: string, object: Change, envelope: Change = {}) {
  return {
    id: freshId('evt'),
    object: 'event',
    type,
    livemode: false,
    created: Math.floor(Date.now() / 1000),
    data: { object },
    ...envelope,
  };
}

/** The payment that the events below are about, unless told otherwise. */
export const paymentIdOf = (order: Order) => `pi_${order.id}`;

export const sessionEvent = (
  order: Order,
  type: 'completed' | 'async_payment_succeeded' | 'async_payment_failed' | 'expired',
  change: Change = {},
  envelope: Change = {},
) =>
  snapshot(
    `checkout.session.${type}`,
    {
      id: order.checkoutSessionId,
      object: 'checkout.session',
      client_reference_id: order.id,
      metadata: { order_id: order.id },
      mode: 'payment',
      amount_total: order.amount,
      currency: order.currency.toLowerCase(),
      payment_status: type === 'completed' || type === 'async_payment_succeeded' ? 'paid' : 'unpaid',
      payment_intent: type === 'expired' ? null : paymentIdOf(order),
      customer_details: { email: 'Buyer@Example.com' },
      customer_email: null,
      ...change,
    },
    envelope,
  );

export const declineEvent = (order: Order, change: Change = {}) =>
  snapshot('payment_intent.payment_failed', {
    id: paymentIdOf(order),
    amount: order.amount,
    currency: order.currency.toLowerCase(),
    metadata: { order_id: order.id },
    ...change,
  });

export const refundEvent = (order: Order, amountRefunded: number, change: Change = {}, envelope: Change = {}) =>
  snapshot(
    'charge.refunded',
    {
      id: `ch_${order.id}`,
      payment_intent: paymentIdOf(order),
      amount: order.amount,
      amount_refunded: amountRefunded,
      currency: order.currency.toLowerCase(),
      metadata: { order_id: order.id },
      ...change,
    },
    envelope,
  );

export const disputeEvent = (
  order: Order,
  type: 'created' | 'updated' | 'closed',
  status: string,
  change: Change = {},
  envelope: Change = {},
) =>
  snapshot(
    `charge.dispute.${type}`,
    { id: `du_${order.id}`, charge: `ch_${order.id}`, payment_intent: paymentIdOf(order), amount: order.amount, status, ...change },
    envelope,
  );

/** What may happen to an order, as an event of it. */
export type EventOf = (order: Order) => ReturnType<typeof snapshot>;
export const paid: EventOf = (order) => sessionEvent(order, 'completed');
export const unpaid: EventOf = (order) => sessionEvent(order, 'completed', { payment_status: 'unpaid' });
export const expired: EventOf = (order) => sessionEvent(order, 'expired');
export const refunded = (amount: number): EventOf => {
  return (order) => refundEvent(order, amount);
};
export const disputed: EventOf = (order) => disputeEvent(order, 'created', 'needs_response');
export const won: EventOf = (order) => disputeEvent(order, 'closed', 'won');
export const lost: EventOf = (order) => disputeEvent(order, 'closed', 'lost');

/** The provider's signature of a body, as its documents describe it. */
export function sign(body: string, secret: string, at = Date.now()): string {
  const t = Math.floor(at / 1000);
  return `t=${t},v1=${createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')}`;
}
