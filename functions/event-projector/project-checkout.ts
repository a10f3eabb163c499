/** Projects events about the checkout of an order: how its session went, and declines meanwhile. `done` is committed with them. */

import type { Needs } from '../../shared/context.ts';
import { openText } from '../../shared/crypto/sealed-text.ts';
import type { Write } from '../../shared/db/table.ts';
import { DeadJobError } from '../../shared/jobs/job.ts';
import type { Order } from '../../shared/orders/order.ts';
import { findOrder } from '../../shared/orders/order-repository.ts';
import type { PayloadOf, WebhookEvent } from '../../shared/payments/events/webhook-event.ts';
import type { CheckoutFacts } from '../../shared/payments/payment-facts.ts';
import { readPayment } from '../../shared/payments/payment-repository.ts';
import { retrieveSession } from '../../shared/payments/provider/checkout-sessions.ts';
import { isMissing } from '../../shared/payments/provider/stripe-client.ts';
import { applyPaymentUpdate, type UpdateNeeds } from './apply-payment-update.ts';

type Session = PayloadOf<'session'>;

/** A session that the order does not know yet is accepted only when the provider confirms it. */
async function checkSession(c: Needs<'provider'>, order: Order, { sessionId, outcome }: Session): Promise<void> {
  if (order.checkoutSessionId === sessionId) return;
  if (order.checkoutSessionId !== undefined) throw new DeadJobError('session_differs');
  const session = await retrieveSession(c, sessionId).catch((error) => {
    throw isMissing(error) ? new DeadJobError('session_unknown') : error;
  });
  if (session.orderId !== order.id) throw new DeadJobError('session_differs');
  checkTerms(order, session);
  // Only a session that ended without payment, or a free one, has none to tell whose money it is.
  const hasPayment = order.amount > 0 && outcome !== 'expired';
  if ((hasPayment || session.destinationAccountId !== undefined) && session.destinationAccountId !== order.destinationAccountId) {
    throw new DeadJobError('account_differs');
  }
}

export async function projectSession(
  c: UpdateNeeds & Needs<'provider' | 'STAGE'>,
  event: WebhookEvent,
  payload: Session,
  done: readonly Write[],
): Promise<void> {
  const order = payload.orderId && (await findOrder(c.table, payload.orderId));
  if (!order) {
    // A session of another stage that shares the provider's test account belongs to no order here.
    if (payload.stage === c.settings.STAGE) throw new DeadJobError('order_unknown');
    return c.table.transact(done);
  }
  if (payload.outcome !== 'expired') checkTerms(order, payload);
  const { sessionId, paymentIntentId, sealedBuyerEmail } = payload;
  const buyerEmail = sealedBuyerEmail && openText(sealedBuyerEmail, event.id, c.settings.ENCRYPTION_KEYS);
  const checkout = async (read: Order) => {
    if (payload.outcome === 'expired' && isAbandonedSession(read, sessionId)) return undefined;
    await checkSession(c, read, payload);
    return { facts: factsOf(payload, event), sessionId };
  };
  await applyPaymentUpdate(c, { orderId: order.id, orderHint: order, checkout, paymentIntentId, buyerEmail }, done);
}

export async function projectDecline(
  c: UpdateNeeds,
  event: WebhookEvent,
  payload: PayloadOf<'decline'>,
  done: readonly Write[],
): Promise<void> {
  const { orderId = payload.orderId } = await readPayment(c.table, payload.paymentIntentId);
  const order = orderId && (await findOrder(c.table, orderId));
  const isOfAnother = ({ paymentIntentId }: Order) => paymentIntentId !== undefined && paymentIntentId !== payload.paymentIntentId;
  if (!order || isOfAnother(order)) return c.table.transact(done);
  checkAmount(order, payload.amount, payload.currency);
  const checkout = (read: Order) => (isOfAnother(read) ? undefined : { facts: { declinedAt: event.receivedAt } });
  await applyPaymentUpdate(c, { orderId: order.id, checkout }, done);
}

/**
 * A payment by the provider's clock, which orders payments, beside the time of receipt, from which the end of a redirect token
 * is counted; all else by the time of receipt.
 */
function factsOf({ outcome }: Session, { createdAt, receivedAt }: WebhookEvent): CheckoutFacts {
  const facts: Record<typeof outcome, CheckoutFacts> = {
    paid: { paidAt: createdAt, paidHeardAt: receivedAt },
    processing: { processingAt: receivedAt },
    async_failed: { asyncFailedAt: receivedAt },
    expired: { expiredAt: receivedAt },
  };
  return facts[outcome];
}

function checkTerms(order: Order, { mode, amount, currency }: Pick<Session, 'mode' | 'amount' | 'currency'>): void {
  if (mode !== undefined && mode !== 'payment') throw new DeadJobError('mode_differs');
  checkAmount(order, amount, currency);
}

/** @throws DeadJobError amount_differs, currency_differs */
export function checkAmount(order: Order, amount: number | undefined, currency: string | undefined): void {
  if (amount !== order.amount) throw new DeadJobError('amount_differs');
  if (currency?.toLowerCase() !== order.currency.toLowerCase()) throw new DeadJobError('currency_differs');
}

/** A session of an attempt whose outcome was unknown when the next one opened the order's session: no buyer was sent to it. */
const isAbandonedSession = (order: Order, sessionId: string) =>
  order.checkoutSessionId !== undefined && order.checkoutSessionId !== sessionId;
