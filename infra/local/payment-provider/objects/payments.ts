import type Stripe from 'stripe';
import { missing } from '../provider-error.ts';
import { newProviderId, randomSymbols } from '../store/provider-ids.ts';
import type { Transaction } from '../store/provider-store.ts';
import type { PaymentWishes } from '../store/records.ts';

export const nowSeconds = () => Math.floor(Date.now() / 1000);

interface PaymentOrder extends PaymentWishes {
  amount: number;
  currency: string;
  method: 'card' | 'konbini';
}

export interface Buyer {
  email: string;
  country: string;
}

export function newPaymentIntent(order: PaymentOrder): Stripe.PaymentIntent {
  const id = newProviderId('pi');
  return {
    id,
    object: 'payment_intent',
    allowed_payment_method_types: [order.method],
    amount: order.amount,
    amount_capturable: 0,
    amount_details: { tip: {} },
    amount_received: 0,
    application: null,
    application_fee_amount: order.feeAmount,
    automatic_payment_methods: null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: 'automatic_async',
    client_secret: `${id}_secret_${randomSymbols(25)}`,
    confirmation_method: 'automatic',
    created: nowSeconds(),
    currency: order.currency,
    customer: null,
    customer_account: null,
    description: null,
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    managed_payments: null,
    metadata: order.metadata,
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: [order.method],
    payment_record: null,
    processing: null,
    receipt_email: null,
    review: null,
    setup_future_usage: null,
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: order.statementSuffix ?? null,
    status: 'requires_payment_method',
    transfer_data: order.destination === null ? null : { destination: order.destination },
    transfer_group: null,
  };
}

/** A charge that succeeded, or was declined. Stored, and the intent's latest from now on. */
export function addCharge(
  tx: Transaction,
  intent: Stripe.PaymentIntent,
  buyer: Buyer,
  outcome: 'succeeded' | 'failed',
): { intent: Stripe.PaymentIntent; charge: Stripe.Charge } {
  const charge = newCharge(intent, buyer, outcome === 'succeeded');
  const changed: Stripe.PaymentIntent = {
    ...intent,
    latest_charge: charge.id,
    status: outcome === 'succeeded' ? 'succeeded' : 'requires_payment_method',
    amount_received: outcome === 'succeeded' ? intent.amount : 0,
    payment_method: outcome === 'succeeded' ? charge.payment_method : null,
    next_action: null,
    transfer_group: outcome === 'succeeded' ? charge.transfer_group : null,
    last_payment_error: outcome === 'succeeded' ? null : declineOf(charge),
  };
  tx.put('charge', charge.id, charge);
  tx.put('paymentIntent', intent.id, changed);
  return { intent: changed, charge };
}

const declineOf = (charge: Stripe.Charge): Stripe.PaymentIntent['last_payment_error'] => ({
  type: 'card_error',
  advice_code: 'try_again_later',
  charge: charge.id,
  code: 'card_declined',
  decline_code: 'insufficient_funds',
  doc_url: 'https://docs.stripe.com/error-codes#card-declined',
  message: 'The card was declined.',
});

function newCharge(intent: Stripe.PaymentIntent, buyer: Buyer, paid: boolean): Stripe.Charge {
  const destination = intent.transfer_data?.destination;
  const method = intent.payment_method_types[0] ?? 'card';
  const hasDestination = paid && typeof destination === 'string';
  return {
    id: newProviderId(method === 'card' ? 'ch' : 'py'),
    object: 'charge',
    amount: intent.amount,
    amount_captured: paid ? intent.amount : 0,
    amount_refunded: 0,
    application: null,
    application_fee: paid && intent.application_fee_amount ? newProviderId('fee') : null,
    application_fee_amount: intent.application_fee_amount,
    balance_transaction: paid ? newProviderId('txn') : null,
    billing_details: { address: addressIn(buyer.country), email: buyer.email, name: 'TEST BUYER', phone: null, tax_id: null },
    calculated_statement_descriptor: paid ? statementOf(intent) : null,
    captured: paid,
    created: nowSeconds(),
    currency: intent.currency,
    customer: null,
    description: null,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: paid ? null : 'card_declined',
    failure_message: paid ? null : 'The card was declined.',
    fraud_details: {},
    livemode: false,
    metadata: intent.metadata,
    on_behalf_of: null,
    outcome: paid ? approved : declined,
    paid,
    payment_intent: intent.id,
    payment_method: newProviderId('pm'),
    payment_method_details:
      method === 'konbini' ? { konbini: { store: paid ? { chain: 'lawson' } : null }, type: method } : { type: method },
    radar_options: {},
    receipt_email: null,
    receipt_number: null,
    receipt_url: null,
    refunded: false,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: intent.statement_descriptor_suffix,
    status: paid ? 'succeeded' : 'failed',
    ...(hasDestination && { transfer: newProviderId('tr') }),
    transfer_data: hasDestination ? { amount: null, destination } : null,
    transfer_group: hasDestination ? `group_${intent.id}` : null,
  };
}

const outcomeOf = { advice_code: null, network_advice_code: null, risk_level: 'normal', risk_score: 10 } as const;
const approved: Stripe.Charge['outcome'] = {
  ...outcomeOf,
  network_decline_code: null,
  network_status: 'approved_by_network',
  reason: null,
  seller_message: 'Payment complete.',
  type: 'authorized',
};
const declined: Stripe.Charge['outcome'] = {
  ...outcomeOf,
  network_decline_code: '51',
  network_status: 'declined_by_network',
  reason: 'insufficient_funds',
  seller_message: 'The bank declined the payment.',
  type: 'issuer_declined',
};

/** What stands on the buyer's statement: 22 characters at most. */
const statementOf = ({ statement_descriptor_suffix: suffix }: Stripe.PaymentIntent) =>
  (suffix === null ? 'TEST SHOP' : `TEST SHOP* ${suffix}`).toUpperCase().slice(0, 22);

export const addressIn = (country: string) => ({ city: null, country, line1: null, line2: null, postal_code: null, state: null });

/** The charge that was paid, by the id of itself, of its payment or of its checkout session. */
export function paidChargeOf(tx: Transaction, id: string): Stripe.Charge {
  const session = tx.find('session', id)?.session;
  const intentId = session ? session.payment_intent : id;
  const [charge] = tx.list('charge', (one) => one.paid && (one.id === id || one.payment_intent === intentId));
  if (!charge) throw missing('paid charge', id);
  return charge;
}
