import { createHash, createHmac } from 'node:crypto';
import { createHasStock } from '../code-batches/code-stock-repository.ts';
import type { Keyring } from '../crypto/keyring.ts';
import { stepOf } from '../currencies.ts';
import { OptimisticLockError, retryOptimisticLock } from '../db/optimistic-lock.ts';
import type { Table, Write } from '../db/table.ts';
import { AppError, hasCode } from '../errors.ts';
import { newId, type OrderId } from '../ids.ts';
import { type CheckoutSessionRequest, createCheckoutSessions } from '../payments/checkout-sessions.ts';
import { hideRefusal, type StripeClient } from '../payments/stripe-client.ts';
import type { Product } from '../products/product.ts';
import { createProductRepository } from '../products/product-repository.ts';
import { isOnSale, termsRevisionOf } from '../products/product-states.ts';
import { allowsCharges, isApproved, type SellerRecord } from '../sellers/seller.ts';
import { shortLine } from '../text/one-line.ts';
import { completionUrl, mintCompletionToken, tokenLifetimes } from './completion-token.ts';
import type { CheckoutRequest, Order } from './order.ts';
import { createOrderRepository } from './order-repository.ts';

export interface CheckoutIntent {
  slug: string;
  buyerEmail?: string | undefined;
  locale?: Order['locale'] | undefined;
  /** The same key with the same request gives the same order while it is pending. See "Idempotency keys" in README.md */
  idempotencyKey?: string | undefined;
  /** The revision of the terms that the buyer confirmed, where one did: no others are sold. */
  termsRevision?: number | undefined;
}

/** What is on sale is not what the buyer confirmed. */
export class TermsChangedError extends AppError {
  constructor() {
    super('checkout_not_available', 'The product changed since it was confirmed.');
  }
}

export interface StartedCheckout {
  orderId: OrderId;
  checkoutUrl: string;
  expiresAt: string;
  amount: number;
  currency: string;
}

/** How an order came to its attempt: under which idempotency key, and whether this request began it. */
interface KeyUse {
  request?: CheckoutRequest;
  begunHere?: boolean;
}

const sessionMs = 30 * 60_000;
/** The provider demands that half an hour is left when the request reaches it. */
const transitMs = 20_000;
/** Longer than a call to the provider may take, and short enough that a request made at its end still arrives in time. */
const attemptMs = 18_000;
/** Of the product's description, to be shown beside the price. */
const longestSummary = 300;
const unpaidKeptMs = 30 * 24 * 3600_000;
const requestKeptMs = 24 * 3600_000;

export type CheckoutService = ReturnType<typeof createCheckoutService>;

/** Opens hosted checkouts. See "Checkout" in README.md */
export function createCheckoutService(options: {
  table: Table;
  provider: StripeClient;
  stage: string;
  publicBaseUrl: string;
  feeBasisPoints: number;
  tokenKeys: Keyring;
  now: () => Date;
}) {
  const { table, provider, stage, publicBaseUrl, feeBasisPoints, tokenKeys, now } = options;
  const products = createProductRepository({ table });
  const hasStock = createHasStock({ table });
  const orders = createOrderRepository({ table });
  const checkoutSessions = createCheckoutSessions({ provider });

  /**
   * Makes an order with the product's terms as they are now, and opens its checkout.
   *
   * @throws AppError product_not_found, checkout_not_available (TermsChangedError among them), idempotency_key_reused, invalid_request,
   * price_not_chargeable, dependency_unavailable
   */
  async function startCheckout(intent: CheckoutIntent): Promise<StartedCheckout> {
    const found = await products.findProductAndSellerBySlug(intent.slug);
    if (!found) throw new AppError('product_not_found');
    const { product, seller } = found;
    if (intent.termsRevision !== undefined && intent.termsRevision !== termsRevisionOf(product)) throw new TermsChangedError();
    const destinationAccountId = await requireSellable(product, seller);
    const createOrder = () => newOrder(intent, product, seller, destinationAccountId);
    const { idempotencyKey } = intent;
    if (idempotencyKey !== undefined) {
      // Of several at once, those that lose a race find what the winner made of the order.
      return retryOptimisticLock(() => startOnce(intent, idempotencyKey, createOrder()));
    }
    const order = createOrder();
    await table.transact(orders.createOrder(order));
    return openSession(order, intent, {});
  }

  /** The checkout of the order that this key stands for: an earlier one, or else `fresh`. */
  async function startOnce(intent: CheckoutIntent, idempotencyKey: string, fresh: Order): Promise<StartedCheckout> {
    const request = requestOf(intent, idempotencyKey, fresh);
    const latest = await orders.findCheckoutRequest(request.requestHash);
    const known = latest && isInForce(latest) ? latest : undefined;
    if (known && known.bodyHash !== request.bodyHash) throw new AppError('idempotency_key_reused');
    const order = known && (await orders.findOrder(known.orderId));
    if (known && order?.status === 'pending') {
      if (order.checkoutSessionId === undefined) return attempt(order, intent, known);
      const url = await findOpenUrl(order, order.checkoutSessionId);
      if (url !== undefined) return started(order, url);
    }
    await table.transact([orders.bindCheckoutRequest(request, latest), ...orders.createOrder(fresh)]);
    return openSession(fresh, intent, { request, begunHere: true });
  }

  /** Opens the session that an order has none of yet: joins the attempt that is under way, or begins the next one. */
  async function attempt(order: Order, intent: CheckoutIntent, request: CheckoutRequest): Promise<StartedCheckout> {
    const isUnderWay = order.attemptUntil !== undefined && order.attemptUntil > now().toISOString();
    return isUnderWay
      ? openSession(order, intent, { request, begunHere: false })
      : openSession(await beginAttempt(order), intent, { request, begunHere: true });
  }

  async function beginAttempt(order: Order): Promise<Order> {
    const next = { ...order, ...attemptFrom(now(), (order.checkoutAttempt ?? 0) + 1) };
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

  /** Whether a checkout of this product could be opened now, as far as is known without a call to the provider. */
  async function isSellable(product: Product, seller: SellerRecord): Promise<boolean> {
    try {
      await requireSellable(product, seller);
      return true;
    } catch (error) {
      if (hasCode(error, 'checkout_not_available')) return false;
      throw error;
    }
  }

  /** The account that the money goes to. @throws AppError checkout_not_available: the message names the condition that fails */
  async function requireSellable(product: Product, seller: SellerRecord): Promise<string> {
    const refuse = (reason: string) => new AppError('checkout_not_available', reason);
    if (!isOnSale(product)) throw refuse('The product is not approved for sale.');
    if (!isApproved(seller)) throw refuse('The seller is not approved.');
    if (!allowsCharges(seller) || !seller.paymentConnectedAccountId) throw refuse('The seller cannot take payments now.');
    if (product.licenseIssuanceMode === 'imported_csv' && !(await hasStock(product.id))) throw refuse('The product is sold out.');
    return seller.paymentConnectedAccountId;
  }

  function newOrder(intent: CheckoutIntent, product: Product, seller: SellerRecord, destinationAccountId: string): Order {
    const created = now();
    return {
      id: newId('order', created),
      sellerId: product.sellerId,
      productId: product.id,
      terms: {
        productSlug: product.slug,
        productName: product.name,
        sellerDisplayName: seller.displayName,
        siteUrl: seller.siteUrl,
        supportEmail: product.supportEmail ?? '',
        refundPolicy: product.refundPolicy ?? '',
        softwareOperatingEnvironment: product.softwareOperatingEnvironment ?? '',
        tokushohoSellerName: product.tokushohoSellerName,
        tokushohoContact: product.tokushohoContact,
        tokushohoAddress: product.tokushohoAddress,
        licenseIssuanceMode: product.licenseIssuanceMode,
        licenseKeyPrefix: product.licenseKeyPrefix ?? 'LIC1',
        activationLimit: product.activationLimit ?? 1,
        features: product.features ?? [],
        deactivationAllowed: product.deactivationAllowed ?? true,
        offlineDays: product.offlineDays,
        offlineFileDays: product.offlineFileDays,
        productSummary: shortLine(product.description ?? '', longestSummary),
      },
      amount: product.priceAmount,
      currency: product.currency,
      applicationFeeAmount: feeOf(product),
      destinationAccountId,
      locale: intent.locale ?? 'auto',
      status: 'pending',
      paymentStatus: 'pending',
      checkout: {},
      ...attemptFrom(created, 1),
      createdAt: created.toISOString(),
      revision: 1,
    };
  }

  /** Rounded down to what can be charged in the currency. */
  function feeOf({ priceAmount, currency }: Pick<Product, 'priceAmount' | 'currency'>): number {
    const step = stepOf(currency);
    return Math.floor((priceAmount * feeBasisPoints) / (10_000 * step)) * step;
  }

  function requestOf(intent: CheckoutIntent, idempotencyKey: string, order: Order): CheckoutRequest {
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

  const isInForce = (request: CheckoutRequest) => Date.parse(request.createdAt) + requestKeptMs > now().getTime();

  /** Asks the provider for the session of an order's attempt, and gives it to the order. */
  async function openSession(order: Order, intent: CheckoutIntent, use: KeyUse): Promise<StartedCheckout> {
    const request = await sessionRequest(order, intent);
    const session = await checkoutSessions.open(request).catch(async (error: unknown) => {
      const writes = afterFailure(order, use, isRefusal(error));
      if (writes.length > 0) await table.transact(writes).catch(leaveToOthers);
      throw hideRefusal(error);
    });
    await table.write(orders.bindCheckoutSession(order, session.id));
    return started(order, session.url);
  }

  /** An order that is refused for good is deleted, and its idempotency key is free again. Whoever began an attempt that failed ends it. */
  function afterFailure(order: Order, { request, begunHere }: KeyUse, refused: boolean): Write[] {
    if (refused) return [...orders.deleteOrder(order), ...(request ? [orders.releaseCheckoutRequest(request)] : [])];
    return begunHere ? [orders.endCheckoutAttempt(order)] : [];
  }

  async function sessionRequest(order: Order, { buyerEmail }: CheckoutIntent): Promise<CheckoutSessionRequest> {
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

  return { startCheckout, isSellable };
}

/** What an order has from an attempt to open its session: the session ends half an hour later, and the order is kept for a while. */
function attemptFrom(begun: Date, checkoutAttempt: number) {
  const expires = begun.getTime() + sessionMs + transitMs;
  return {
    checkoutAttempt,
    attemptUntil: new Date(begun.getTime() + attemptMs).toISOString(),
    expiresAt: new Date(expires).toISOString(),
    ttl: Math.floor((expires + unpaidKeptMs) / 1000),
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
