import Stripe from 'stripe';
import { AppError } from '../../errors.ts';

const timeoutMs = 8000;
const retries = 1;
/** The Retry-After sent to callers while the provider is unavailable. */
const retryAfterSeconds = 2;
/** Both attempts and the pause between them; also ends a reply whose body does not end. */
const deadlineMs = retries * (timeoutMs + 1000) + timeoutMs;

/** What the payment provider refused, reduced to codes: its message may hold personal data. */
export class ProviderRefusedError extends Error {
  readonly code: string;
  readonly status: number;
  /** The request parameter at fault, where the provider names one. */
  readonly param: string | undefined;

  constructor(refusal: { code: string; status: number; requestId?: string | undefined; param?: string | undefined }) {
    super(`The payment provider answered ${refusal.status} ${refusal.code} to request ${refusal.requestId ?? 'without id'}.`);
    this.name = 'ProviderRefusal';
    this.code = refusal.code;
    this.status = refusal.status;
    this.param = refusal.param;
  }
}

/** The provider's rate limit is reached: code `dependency_unavailable`. */
export class ProviderRateLimitedError extends AppError {
  constructor(cause: Error) {
    super('dependency_unavailable', undefined, { retryAfterSeconds, cause });
  }
}

/** Whether the provider has no such object. */
export function isMissing(error: unknown): boolean {
  return error instanceof ProviderRefusedError && (error.code === 'resource_missing' || error.status === 404);
}

/** Replaces a refusal, on which no API caller can act, by `dependency_unavailable`; other errors stay. */
export function asUnavailable(error: unknown): unknown {
  return error instanceof ProviderRefusedError ? new AppError('dependency_unavailable', undefined, { cause: error }) : error;
}

export type StripeClient = ReturnType<typeof createStripeClient>;

/**
 * Access to the payment provider. `apiBase` is a fake provider's address (local stage only).
 * See "Timeouts" in shared/payments/stripe.md
 */
export function createStripeClient({ secretKey, apiBase }: { secretKey: string; apiBase?: string | undefined }) {
  const stripe = new Stripe(secretKey, {
    timeout: timeoutMs,
    maxNetworkRetries: retries,
    telemetry: false,
    ...(apiBase !== undefined && addressOf(apiBase)),
  });

  return {
    /**
     * Makes one call, e.g. `call((stripe) => stripe.charges.retrieve(id))`.
     *
     * @throws AppError dependency_unavailable when the provider cannot be reached, is overloaded or busy with the same request
     * @throws ProviderRefusal for every other answer but success
     */
    async call<T>(request: (stripe: Stripe) => Promise<T>): Promise<T> {
      let timer: NodeJS.Timeout | undefined;
      const deadline = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(unavailable('deadline')), deadlineMs);
      });
      try {
        return await Promise.race([request(stripe), deadline]);
      } catch (error) {
        throw error instanceof Stripe.errors.StripeError ? translateError(error) : error;
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

function addressOf(apiBase: string): { host: string; port: string; protocol: 'http' | 'https' } {
  const { hostname, port, protocol } = new URL(apiBase);
  const secure = protocol === 'https:';
  return { host: hostname, port: port || (secure ? '443' : '80'), protocol: secure ? 'https' : 'http' };
}

/** What `ProviderRefusedError` calls a refusal that has no code of its own: the account takes no way to pay. */
export const noPaymentMethods = 'no_payment_methods';
/** Such a refusal may name neither code nor parameter; its first words alone tell it from others. */
const withoutMethods = /^(?:No|There are no) valid payment method types\b/i;

function translateError(error: Stripe.errors.StripeError): Error {
  const { statusCode: status, requestId } = error;
  const code = error.code ?? (withoutMethods.test(error.message) ? noPaymentMethods : (error.rawType ?? error.type));
  // 409: the same idempotency key is being worked on at this moment.
  const isLocked = code === 'lock_timeout';
  // It says so in some answers of status 400, too.
  if (!isLocked && (status === 429 || code.includes('rate_limit')))
    return new ProviderRateLimitedError(causeOf(`${status} ${code}`, requestId));
  const isUnavailable = status === undefined || status >= 500 || status === 409 || isLocked;
  return isUnavailable
    ? unavailable(`${status ?? 'no answer'} ${code}`, requestId)
    : new ProviderRefusedError({ code, status, requestId, param: error.param });
}

const unavailable = (what: string, requestId?: string): AppError =>
  new AppError('dependency_unavailable', undefined, { retryAfterSeconds, cause: causeOf(what, requestId) });

const causeOf = (what: string, requestId: string | undefined) =>
  new Error(`The payment provider cannot be used: ${what}, request ${requestId ?? 'without id'}.`);
