import { createHmac, timingSafeEqual } from 'node:crypto';
import { AppError } from '../../errors.ts';

/** Seconds by which a signature's time may differ from the function's, either way. */
const toleranceSeconds = 300;

/** A header has a time and few signatures; what is longer is not read. */
const maxHeaderLength = 4096;
/** How many `v1` are compared. */
const maxSignatures = 5;

const headerNames = ['payment-signature', 'stripe-signature'];

/**
 * Checks the signature over the raw bytes with each of `secrets`.
 *
 * Done here and not by the provider's library, which throws errors of its own at some
 * malformed headers and accepts a time in the future.
 *
 * @throws AppError signature_missing, signature_invalid
 */
export function verifyWebhookSignature(
  request: { headers: Record<string, string | undefined>; body: Buffer },
  secrets: readonly string[],
  now: Date,
): void {
  const signatureHeaders = [...new Set(headerNames.flatMap((name) => request.headers[name] ?? []))];
  const [header] = signatureHeaders;
  if (header === undefined || header === '') throw new AppError('signature_missing');
  if (signatureHeaders.length > 1 || !isSigned(header, request.body, secrets, now)) throw new AppError('signature_invalid');
}

/** `t=<unix>,v1=<hex HMAC-SHA256 of "t.body">`; any of the first five v1 may match, under any secret. */
function isSigned(header: string, body: Buffer, secrets: readonly string[], now: Date): boolean {
  if (header.length > maxHeaderLength) return false;
  const parts = header.split(',').map((part) => part.trim());
  const valuesOf = (name: string) => parts.flatMap((part) => (part.startsWith(`${name}=`) ? part.slice(name.length + 1) : []));
  const [time = '', ...furtherTimes] = valuesOf('t');
  const isTimely = /^\d{1,12}$/.test(time) && Math.abs(Number(time) - now.getTime() / 1000) <= toleranceSeconds;
  if (!isTimely || furtherTimes.length > 0) return false;
  const signatures = valuesOf('v1')
    .slice(0, maxSignatures)
    .filter((value) => /^[0-9a-f]{64}$/.test(value));
  return secrets.some((secret) => {
    const expected = createHmac('sha256', secret).update(`${time}.`).update(body).digest();
    return signatures.some((signature) => timingSafeEqual(Buffer.from(signature, 'hex'), expected));
  });
}
