import { createHash, createHmac } from 'node:crypto';
import type { CheckoutRequest, Order } from './order.ts';

const requestKeptMs = 24 * 3600_000;

/** What someone asks to buy. */
export interface CheckoutIntent {
  slug: string;
  buyerEmail?: string | undefined;
  locale?: Order['locale'] | undefined;
  /** The same key with the same request gives the same order while it is pending. See "Idempotency keys" in README.md */
  idempotencyKey?: string | undefined;
  /** The revision of the terms that the buyer confirmed, where one did: no others are sold. */
  termsRevision?: number | undefined;
}

/** What is remembered of an intent under its idempotency key: which order came of it, and by which the same intent is known. */
export function checkoutRequestOf(intent: CheckoutIntent, idempotencyKey: string, order: Order): CheckoutRequest {
  const { slug, buyerEmail = null, locale = null } = intent;
  return {
    requestHash: createHash('sha256').update(`${slug}\n${idempotencyKey}`).digest('base64url'),
    bodyHash: createHmac('sha256', idempotencyKey)
      .update(JSON.stringify([buyerEmail, locale]))
      .digest('base64url'),
    orderId: order.id,
    createdAt: order.createdAt,
    ttl: Math.ceil((Date.parse(order.createdAt) + requestKeptMs) / 1000),
  };
}

export const isInForce = (request: CheckoutRequest, at: Date) => Date.parse(request.createdAt) + requestKeptMs > at.getTime();
