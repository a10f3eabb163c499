/** The provider's checkout and payments, as orders need them. */

import type Stripe from 'stripe';
import type { Needs } from '../../context.ts';
import { toAsciiAddress } from '../../email-address.ts';
import { AppError } from '../../errors.ts';
import type { OrderId, ProductId, SellerId } from '../../ids.ts';
import { brandingOf, japaneseSuffixesOf, statementSuffixOf } from './checkout-branding.ts';
import { checkoutRefusalOf } from './checkout-refusals.ts';
import { isMissing } from './stripe-client.ts';

/** Amounts are in the minor unit; the money goes to the seller's account. */
export interface CheckoutSessionRequest {
  orderId: OrderId;
  /** Counts the attempts to open a checkout of this order: each may have another expiry. */
  attempt: number;
  productId: ProductId;
  sellerId: SellerId;
  stage: string;
  productName: string;
  /** What the provider's page says of the product; left out when it is empty. */
  productSummary: string;
  sellerName: string;
  /** How many are bought, and for how much each. */
  quantity: number;
  unitAmount: number;
  currency: string;
  applicationFeeAmount: number;
  destinationAccountId: string;
  buyerEmail?: string | undefined;
  locale: 'ja' | 'en' | 'auto';
  successUrl: string;
  cancelUrl: string;
  expiresAt: Date;
}

/** Whether a session can be paid, was completed, or ended unpaid; a session that the provider does not know of is over, too. */
export type SessionState = { state: 'open'; url: string } | { state: 'complete' } | { state: 'over' };

export interface CheckoutSession {
  id: string;
  url: string | undefined;
  orderId: string | undefined;
  amount: number | undefined;
  currency: string | undefined;
  mode: string;
  destinationAccountId: string | undefined;
}

/**
 * Opens a hosted checkout. The same attempt gives the same session, however often it is requested.
 *
 * @throws AppError invalid_request, price_not_chargeable or checkout_not_available when the provider refuses it for
 * good, dependency_unavailable @throws ProviderRefusal for any other refusal
 */
export async function openCheckoutSession(c: Needs<'provider'>, request: CheckoutSessionRequest): Promise<{ id: string; url: string }> {
  const idempotencyKey = `checkout:${request.orderId}:${request.attempt}`;
  const session = await c.provider
    .call((stripe) => stripe.checkout.sessions.create(paramsOf(request), { idempotencyKey }))
    .catch((error: unknown) => {
      throw checkoutRefusalOf(error) ?? error;
    });
  if (!session.url) throw new AppError('dependency_unavailable');
  return { id: session.id, url: session.url };
}

/** In one request. @throws AppError dependency_unavailable @throws ProviderRefusal */
export async function findSessionState(c: Needs<'provider'>, sessionId: string): Promise<SessionState> {
  const session = await retrieveIfAny(c, (stripe) => stripe.checkout.sessions.retrieve(sessionId));
  if (session?.status === 'complete') return { state: 'complete' };
  return session?.status === 'open' && session.url ? { state: 'open', url: session.url } : { state: 'over' };
}

/** @throws AppError dependency_unavailable @throws ProviderRefusal when there is no such session */
export async function retrieveSession(c: Needs<'provider'>, sessionId: string): Promise<CheckoutSession> {
  const session = await c.provider.call((stripe) => stripe.checkout.sessions.retrieve(sessionId, { expand: ['payment_intent'] }));
  const { id, url, client_reference_id, metadata, amount_total, currency, mode, payment_intent } = session;
  const destination = typeof payment_intent === 'object' ? payment_intent?.transfer_data?.destination : undefined;
  return {
    id,
    url: url ?? undefined,
    orderId: client_reference_id ?? metadata?.['order_id'],
    amount: amount_total ?? undefined,
    currency: currency ?? undefined,
    mode,
    destinationAccountId: typeof destination === 'object' ? destination?.id : destination,
  };
}

export async function retrieveCharge(c: Needs<'provider'>, chargeId: string) {
  const charge = await c.provider.call((stripe) => stripe.charges.retrieve(chargeId));
  return { paymentIntentId: idOfReference(charge.payment_intent), refundedAmount: charge.amount_refunded };
}

/** The latest charge of a payment. */
export async function retrieveChargeOfPayment(c: Needs<'provider'>, paymentIntentId: string): Promise<{ refundedAmount: number }> {
  const intent = await c.provider.call((stripe) => stripe.paymentIntents.retrieve(paymentIntentId, { expand: ['latest_charge'] }));
  return { refundedAmount: typeof intent.latest_charge === 'object' ? (intent.latest_charge?.amount_refunded ?? 0) : 0 };
}

/** Whether the whole charge was refunded; undefined where the provider has none of this id. @throws AppError dependency_unavailable */
export async function findIsRefunded(c: Needs<'provider'>, chargeId: string): Promise<boolean | undefined> {
  const charge = await retrieveIfAny(c, (stripe) => stripe.charges.retrieve(chargeId));
  return charge && (charge.refunded || charge.amount_refunded >= charge.amount);
}

/** The dispute's status at the provider, or undefined when it has none of this id. */
export const findDisputeStatus = async (c: Needs<'provider'>, disputeId: string): Promise<string | undefined> =>
  (await retrieveIfAny(c, (stripe) => stripe.disputes.retrieve(disputeId)))?.status;

/** Undefined where the provider has no such object. */
async function retrieveIfAny<T>(c: Needs<'provider'>, request: (stripe: Stripe) => Promise<T>): Promise<T | undefined> {
  try {
    return await c.provider.call(request);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

const idOfReference = (reference: string | { id: string } | null) => (typeof reference === 'object' ? reference?.id : reference);

function paramsOf(request: CheckoutSessionRequest): Stripe.Checkout.SessionCreateParams {
  const { orderId, productId, sellerId, stage, quantity, unitAmount } = request;
  const metadata = { order_id: orderId, product_id: productId, seller_id: sellerId, stage };
  const { productSummary: description, buyerEmail } = request;
  const product = { name: request.productName, ...(description && { description }) };
  const suffix = statementSuffixOf(request.sellerName);
  const { kana, kanji } = japaneseSuffixesOf(request.sellerName);
  const inJapan = {
    ...(kana !== undefined && { statement_descriptor_suffix_kana: kana }),
    ...(kanji !== undefined && { statement_descriptor_suffix_kanji: kanji }),
  };
  const fee = request.applicationFeeAmount > 0 ? { application_fee_amount: request.applicationFeeAmount } : {};
  const payment: Partial<Stripe.Checkout.SessionCreateParams> = {
    allowed_payment_method_types: ['card'],
    ...(kanji !== undefined && { payment_method_options: { card: inJapan } }),
    payment_intent_data: {
      ...fee,
      transfer_data: { destination: request.destinationAccountId },
      ...(suffix !== undefined && { statement_descriptor_suffix: suffix }),
      metadata,
    },
  };
  return {
    mode: 'payment',
    ui_mode: 'hosted_page',
    adaptive_pricing: { enabled: false },
    client_reference_id: orderId,
    ...(buyerEmail !== undefined && { customer_email: toAsciiAddress(buyerEmail) }),
    locale: request.locale,
    ...brandingOf(request.sellerName),
    success_url: request.successUrl,
    cancel_url: request.cancelUrl,
    expires_at: Math.floor(request.expiresAt.getTime() / 1000),
    line_items: [
      {
        quantity,
        price_data: { currency: request.currency.toLowerCase(), unit_amount: unitAmount, product_data: product },
      },
    ],
    metadata,
    // A free order has no payment, and the provider takes no data for one.
    ...(unitAmount > 0 && payment),
  };
}
