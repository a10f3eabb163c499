import { createHash, createHmac } from 'node:crypto';
import type { EnteredCode } from '../discounts/discount-code.ts';
import type { CheckoutRequest, Order } from '../orders/order.ts';
import { canonicalSlug } from '../products/slug.ts';

const requestKeptMs = 24 * 3600_000;

/** A request for a price. */
export interface PriceIntent {
  slug: string;
  /** How many; one, unless it is said. */
  quantity?: number | undefined;
  discountCode?: EnteredCode | undefined;
}

/** A request to buy. */
export interface CheckoutIntent extends PriceIntent {
  buyerEmail?: string | undefined;
  locale?: Order['locale'] | undefined;
  /** The same key with the same request gives the same order while it is pending. See "Idempotency keys" in repeats.md */
  idempotencyKey?: string | undefined;
  /** The revision of the terms that the buyer confirmed, where one did: no others are sold. */
  termsRevision?: number | undefined;
}

/** The hashes that identify an intent under its idempotency key. */
export function checkoutHashes(intent: CheckoutIntent, idempotencyKey: string): Pick<CheckoutRequest, 'requestHash' | 'bodyHash'> {
  const { slug, buyerEmail = null, locale = null, quantity = 1, discountCode: entered } = intent;
  // Without quantity and code the hash is the same as before these fields existed.
  const price = quantity === 1 && entered === undefined ? [] : [quantity, entered === undefined ? null : (entered.code ?? entered.text)];
  return {
    requestHash: createHash('sha256')
      .update(`${canonicalSlug(slug)}\n${idempotencyKey}`)
      .digest('base64url'),
    bodyHash: createHmac('sha256', idempotencyKey)
      .update(JSON.stringify([buyerEmail, locale, ...price]))
      .digest('base64url'),
  };
}

/** What is remembered of an intent under its idempotency key: which order came of it. */
export const checkoutRequestOf = (
  hashes: Pick<CheckoutRequest, 'requestHash' | 'bodyHash'>,
  { id: orderId, createdAt }: Pick<Order, 'id' | 'createdAt'>,
): CheckoutRequest => ({ ...hashes, orderId, createdAt, ttl: Math.ceil((Date.parse(createdAt) + requestKeptMs) / 1000) });

export const isRemembered = (request: CheckoutRequest, at: Date) => Date.parse(request.createdAt) + requestKeptMs > at.getTime();
