import type { Keyring } from '../crypto/keyring.ts';
import { OptimisticLockError } from '../db/optimistic-lock.ts';
import type { Table, Write } from '../db/table.ts';
import { AppError, hasCode } from '../errors.ts';
import type { OrderId } from '../ids.ts';
import { type CheckoutSessionRequest, createCheckoutSessions } from '../payments/checkout-sessions.ts';
import { hideRefusal, type StripeClient } from '../payments/stripe-client.ts';
import { isAttempted, withNextAttempt } from './checkout-attempt.ts';
import { completionUrl, mintCompletionToken, tokenLifetimes } from './completion-token.ts';
import type { CheckoutRequest, Order } from './order.ts';
import { createOrderRepository } from './order-repository.ts';

export interface StartedCheckout {
  orderId: OrderId;
  checkoutUrl: string;
  expiresAt: string;
  amount: number;
  currency: string;
}

/** Who asks for a session: for which buyer, under which idempotency key, and whether this request began the attempt. */
interface Asker {
  buyerEmail?: string | undefined;
  request?: CheckoutRequest | undefined;
  begunHere?: boolean;
}

/** Opens the provider's sessions of orders, one for each. See "Checkout" in README.md */
export function createOrderSessions(options: {
  table: Table;
  provider: StripeClient;
  stage: string;
  publicBaseUrl: string;
  tokenKeys: Keyring;
  now: () => Date;
}) {
  const { table, provider, stage, publicBaseUrl, tokenKeys, now } = options;
  const orders = createOrderRepository({ table });
  const checkoutSessions = createCheckoutSessions({ provider });

  /** Asks the provider for the session of an order's attempt, and gives it to the order. */
  async function open(order: Order, asker: Asker): Promise<StartedCheckout> {
    const request = await sessionRequest(order, asker.buyerEmail);
    const session = await checkoutSessions.open(request).catch(async (error: unknown) => {
      const writes = afterFailure(order, asker, isRefusal(error));
      if (writes.length > 0) await table.transact(writes).catch(leaveToOthers);
      throw hideRefusal(error);
    });
    await table.write(orders.bindCheckoutSession(order, session.id));
    return started(order, session.url);
  }

  /** An order that is refused for good is deleted, and its idempotency key is free again. Whoever began an attempt that failed ends it. */
  function afterFailure(order: Order, { request, begunHere }: Asker, refused: boolean): Write[] {
    if (refused) return [...orders.deleteOrder(order), ...(request ? [orders.releaseCheckoutRequest(request)] : [])];
    return begunHere ? [orders.endCheckoutAttempt(order)] : [];
  }

  /** Opens the session that an order has none of yet: joins the attempt that is under way, or begins the next one. */
  async function attempt(order: Order, asker: Asker): Promise<StartedCheckout> {
    return isAttempted(order, now()) ? open(order, asker) : open(await beginAttempt(order), { ...asker, begunHere: true });
  }

  async function beginAttempt(order: Order): Promise<Order> {
    const next = withNextAttempt(order, now());
    await table.transact(orders.beginCheckoutAttempt(order, next));
    return { ...next, revision: order.revision + 1 };
  }

  /** Where this order is paid, as long as it can be: the provider knows of a payment before its event comes here. */
  async function findOpenUrl(order: Order, sessionId: string): Promise<string | undefined> {
    if (order.expiresAt <= now().toISOString()) return undefined;
    return checkoutSessions.findOpenUrl(sessionId).catch((error: unknown) => {
      throw hideRefusal(error);
    });
  }

  async function sessionRequest(order: Order, buyerEmail: string | undefined): Promise<CheckoutSessionRequest> {
    const expiresAt = new Date(order.expiresAt);
    const token = await mintCompletionToken(
      { orderId: order.id, use: 'redirect', expiresAt: new Date(expiresAt.getTime() + tokenLifetimes.redirectAfterSession) },
      new Date(order.createdAt),
      tokenKeys,
    );
    return {
      orderId: order.id,
      attempt: order.checkoutAttempt ?? 1,
      productId: order.productId,
      sellerId: order.sellerId,
      stage,
      productName: order.terms.productName,
      productSummary: order.terms.productSummary ?? '',
      sellerName: order.terms.sellerDisplayName,
      amount: order.amount,
      currency: order.currency,
      applicationFeeAmount: order.applicationFeeAmount,
      destinationAccountId: order.destinationAccountId,
      buyerEmail,
      locale: order.locale,
      successUrl: completionUrl(publicBaseUrl, token, order.locale === 'auto' ? undefined : order.locale),
      cancelUrl: cancelUrl(order),
      expiresAt,
    };
  }

  /** Leads back to the product, in the language of the checkout. */
  function cancelUrl({ terms, locale, amount }: Order): string {
    const language = locale !== 'auto' && { lang: locale };
    const query = new URLSearchParams({ product: terms.productSlug, ...(amount === 0 && { free: '' }), ...language });
    return `${publicBaseUrl}/checkout/cancelled?${query}`;
  }

  return {
    /** The session of an order that was just made. @throws AppError what the provider refuses it with, dependency_unavailable */
    openFirst: (order: Order, asker: Omit<Asker, 'begunHere'>) => open(order, { ...asker, begunHere: asker.request !== undefined }),

    /** The checkout of an order that is still pending; undefined when its session can no longer be paid. @throws as `openFirst` */
    async resume(order: Order, asker: Omit<Asker, 'begunHere'>): Promise<StartedCheckout | undefined> {
      if (order.checkoutSessionId === undefined) return attempt(order, asker);
      const url = await findOpenUrl(order, order.checkoutSessionId);
      return url === undefined ? undefined : started(order, url);
    },
  };
}

const started = ({ id: orderId, expiresAt, amount, currency }: Order, checkoutUrl: string): StartedCheckout => ({
  orderId,
  checkoutUrl,
  expiresAt,
  amount,
  currency,
});

/** Whether the provider refused this checkout for good. */
const isRefusal = (error: unknown) => error instanceof AppError && error.code !== 'dependency_unavailable';

/** The order has moved on, or cannot be reached: then the attempt ends by its time. The caller gets the first error. */
function leaveToOthers(error: unknown): void {
  if (!(error instanceof OptimisticLockError) && !hasCode(error, 'dependency_unavailable')) throw error;
}
