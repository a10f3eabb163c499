import type Stripe from 'stripe';
import { refuse } from '../provider-error.ts';
import { newProviderId } from '../store/provider-ids.ts';
import type { Transaction } from '../store/provider-store.ts';
import type { Session, TestSession } from '../store/records.ts';
import { type Cause, emitSnapshot } from '../webhooks/events.ts';
import { addCharge, addressIn, type Buyer, newPaymentIntent, nowSeconds } from './payments.ts';

/** What a buyer can make of an open session. */
export const checkoutOutcomes = ['pay', 'decline', 'pay_later'] as const;
export type CheckoutOutcome = (typeof checkoutOutcomes)[number];

/**
 * The buyer pays at once, is declined (and may try again), or pays later.
 * Where nothing is due, every outcome but a decline completes the session.
 */
export function finishCheckout(tx: Transaction, id: string, outcome: CheckoutOutcome, email: string | undefined): Session {
  const stored = openSession(tx, id);
  const buyer = { email: emailOf(stored.session, email), country: stored.session.currency === 'jpy' ? 'JP' : 'US' };
  if (stored.session.amount_total === 0) {
    if (outcome === 'decline') throw refuse('There is nothing to decline when nothing is due.');
    return complete(tx, stored, buyer, { payment_status: 'no_payment_required' });
  }
  const method = outcome === 'pay_later' ? 'konbini' : 'card';
  const intent = intentOf(tx, stored, method);
  if (outcome === 'decline') return decline(tx, stored, buyer, intent);
  if (outcome === 'pay_later') {
    tx.put('paymentIntent', intent.id, { ...intent, status: 'processing' });
    return complete(tx, stored, buyer, { payment_intent: intent.id, payment_method_types: [method] });
  }
  addCharge(tx, intent, buyer, 'succeeded');
  return complete(tx, stored, buyer, { payment_intent: intent.id, payment_status: 'paid' });
}

function openSession(tx: Transaction, id: string): TestSession {
  const stored = tx.get('session', id);
  if (stored.session.status !== 'open') throw refuse(`The session is ${stored.session.status}, no longer open.`);
  return stored;
}

function emailOf(session: Session, given: string | undefined): string {
  const email = session.customer_email ?? given?.trim() ?? '';
  if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)) throw refuse('An e-mail address is needed.', { param: 'email' });
  return email;
}

/** One session has one payment intent, however often it is tried. */
function intentOf(tx: Transaction, { session, payment }: TestSession, method: 'card' | 'konbini'): Stripe.PaymentIntent {
  if (typeof session.payment_intent === 'string') {
    return { ...tx.get('paymentIntent', session.payment_intent), payment_method_types: [method] };
  }
  return newPaymentIntent({ amount: session.amount_total ?? 0, currency: session.currency ?? '', method, ...payment });
}

function decline(tx: Transaction, stored: TestSession, buyer: Buyer, intent: Stripe.PaymentIntent): Session {
  const { intent: declined } = addCharge(tx, intent, buyer, 'failed');
  const session: Session = { ...stored.session, payment_intent: intent.id };
  tx.put('session', session.id, { ...stored, session });
  emitSnapshot(tx, 'payment_intent.payment_failed', declined);
  return session;
}

function complete(tx: Transaction, stored: TestSession, buyer: Buyer, facts: Partial<Session>): Session {
  // Where no payment holds the buyer, a Customer does.
  const hasCustomer = stored.session.amount_total === 0 || stored.session.customer_creation === 'always';
  const session: Session = {
    ...stored.session,
    ...facts,
    status: 'complete',
    url: null,
    customer: hasCustomer ? newProviderId('cus') : null,
    customer_details: detailsOf(buyer),
  };
  tx.put('session', session.id, { ...stored, session });
  emitSnapshot(tx, 'checkout.session.completed', session);
  return session;
}

const detailsOf = ({ email, country }: Buyer): Session['customer_details'] => ({
  address: addressIn(country),
  business_name: null,
  email,
  individual_name: null,
  name: 'TEST BUYER',
  phone: null,
  tax_exempt: 'none',
  tax_ids: [],
});

/** Whether the money of a session that was completed unpaid is still awaited. */
export function isAwaited(tx: Transaction, { session }: TestSession): boolean {
  const intent = typeof session.payment_intent === 'string' ? tx.find('paymentIntent', session.payment_intent) : undefined;
  return session.status === 'complete' && session.payment_status === 'unpaid' && intent?.status === 'processing';
}

/** The money of a session that was completed unpaid arrives, or never will. */
export function settleLater(tx: Transaction, id: string, outcome: 'succeeded' | 'failed'): Session {
  const stored = tx.get('session', id);
  const { session } = stored;
  if (!isAwaited(tx, stored) || typeof session.payment_intent !== 'string') throw refuse('No payment of this session is awaited.');
  const buyer = { email: session.customer_details?.email ?? '', country: session.customer_details?.address?.country ?? 'JP' };
  const { intent } = addCharge(tx, tx.get('paymentIntent', session.payment_intent), buyer, outcome);
  if (outcome === 'failed') {
    emitSnapshot(tx, 'payment_intent.payment_failed', intent);
    emitSnapshot(tx, 'checkout.session.async_payment_failed', session);
    return session;
  }
  const paid: Session = { ...session, payment_status: 'paid' };
  tx.put('session', id, { ...stored, session: paid });
  emitSnapshot(tx, 'checkout.session.async_payment_succeeded', paid);
  return paid;
}

export function expireSession(tx: Transaction, id: string, cause?: Cause): Session {
  const stored = openSession(tx, id);
  const session: Session = { ...stored.session, status: 'expired', url: null };
  tx.put('session', id, { ...stored, session });
  emitSnapshot(tx, 'checkout.session.expired', session, { cause });
  return session;
}

/** Expires whatever was open for longer than it may. */
export function expireDueSessions(tx: Transaction): void {
  const now = nowSeconds();
  const due = tx.list('session', ({ session }) => session.status === 'open' && session.expires_at <= now);
  for (const { session } of due) expireSession(tx, session.id);
}

/** Where the buyer goes after a completed session; a fragment is kept as it is. */
export function successUrlOf(session: Session): string {
  return (session.success_url ?? '').replaceAll('{CHECKOUT_SESSION_ID}', session.id);
}
