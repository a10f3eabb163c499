import Stripe from 'stripe';
import { AppError } from '../errors.ts';

/** Seconds by which a signature's time may differ from ours, either way. Source: decisions.md §7. */
const toleranceSeconds = 300;

const headerNames = ['payment-signature', 'stripe-signature'];

/**
 * Checks the signature over the raw bytes with each of `secrets`.
 *
 * @throws AppError signature_missing, signature_invalid
 */
export function verifyWebhookSignature(
  request: { headers: Record<string, string | undefined>; body: Buffer },
  secrets: readonly string[],
  now: Date,
): void {
  const given = [...new Set(headerNames.flatMap((name) => request.headers[name] ?? []))];
  const [header] = given;
  if (header === undefined || header === '') throw new AppError('signature_missing');
  const valid = given.length === 1 && !isFromTheFuture(header, now) && secrets.some((secret) => matches(header, secret));
  if (!valid) throw new AppError('signature_invalid');

  function matches(signature: string, secret: string): boolean {
    try {
      return Stripe.webhooks.signature?.verifyHeader(request.body, signature, secret, toleranceSeconds, undefined, now.getTime()) ?? false;
    } catch (error) {
      if (error instanceof Stripe.errors.StripeSignatureVerificationError) return false;
      throw error;
    }
  }
}

/** The provider's library bounds only the past. */
function isFromTheFuture(header: string, now: Date): boolean {
  const timestamp = Number(/(?:^|,)\s*t=(\d{1,12})(?:,|$)/.exec(header)?.[1] ?? Number.NaN);
  return !(timestamp - now.getTime() / 1000 <= toleranceSeconds);
}
