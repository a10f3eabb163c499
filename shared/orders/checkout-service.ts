import { createHash, createHmac } from 'node:crypto';
import type { Keyring } from '../crypto/keyring.ts';
import { retryOptimisticLock } from '../db/optimistic-lock.ts';
import type { Table } from '../db/table.ts';
import { AppError, hasCode } from '../errors.ts';
import { newId, type OrderId, type ProductId } from '../ids.ts';
import type { CheckoutSessions } from '../payments/checkout-sessions.ts';
import { hideRefusal, ProviderRefusal } from '../payments/stripe-client.ts';
import type { Product } from '../products/product.ts';
import type { ProductRepository } from '../products/product-repository.ts';
import { isOnSale } from '../products/product-states.ts';
import { allowsCharges, isApproved, type SellerRecord } from '../sellers/seller.ts';
import { completionUrl, mintCompletionToken, tokenLifetimes } from './completion-token.ts';
import type { CheckoutRequest, Order } from './order.ts';
import type { OrderRepository } from './order-repository.ts';

export interface CheckoutIntent {
  slug: string;
  buyerEmail?: string | undefined;
  locale?: Order['locale'] | undefined;
  /** The same key with the same request gives the same order until its session ends. See "Idempotency keys" in README.md */
  idempotencyKey?: string | undefined;
}

export interface StartedCheckout {
  orderId: OrderId;
  checkoutUrl: string;
  expiresAt: string;
  amount: number;
  currency: string;
}

const sessionMs = 30 * 60_000;
/** The provider demands that half an hour is left when the request reaches it. */
const transitMs = 20_000;
const unpaidKeptMs = 30 * 24 * 3600_000;
const requestKeptMs = 24 * 3600_000;

export type CheckoutService = ReturnType<typeof createCheckoutService>;

/** Opens hosted checkouts. See "Checkout" in README.md */
export function createCheckoutService(dependencies: {
  table: Table;
  products: Pick<ProductRepository, 'findProductAndSellerBySlug'>;
  hasStock: (productId: ProductId) => Promise<boolean>;
  orders: OrderRepository;
  checkoutSessions: CheckoutSessions;
  stage: string;
  publicBaseUrl: string;
  feeBasisPoints: number;
  tokenKeys: Keyring;
  now: () => Date;
}) {
  const { table, products, hasStock, orders, checkoutSessions, stage, publicBaseUrl, tokenKeys, now } = dependencies;

  /**
   * Makes an order with the product's terms as they are now, and opens its checkout.
   *
   * @throws AppError product_not_found, checkout_not_available, idempotency_key_reused,
   * price_not_chargeable, dependency_unavailable
   */
  async function startCheckout(intent: CheckoutIntent): Promise<StartedCheckout> {
    const found = await products.findProductAndSellerBySlug(intent.slug);
    if (!found) throw new AppError('product_not_found');
    const { product, seller } = found;
    const destinationAccountId = await requireSellable(product, seller);
    const order = await orderFor(intent, newOrder(intent, product, seller.displayName, destinationAccountId));
    const checkoutUrl = await openSession(order, intent);
    const { id: orderId, expiresAt, amount, currency } = order;
    return { orderId, checkoutUrl, expiresAt, amount, currency };
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

  function newOrder(intent: CheckoutIntent, product: Product, sellerDisplayName: string, destinationAccountId: string): Order {
    const created = now();
    const expires = created.getTime() + sessionMs + transitMs;
    return {
      id: newId('order', created),
      sellerId: product.sellerId,
      productId: product.id,
      terms: {
        productSlug: product.slug,
        productName: product.name,
        sellerDisplayName,
        supportEmail: product.supportEmail ?? '',
        refundPolicy: product.refundPolicy ?? '',
        softwareOperatingEnvironment: product.softwareOperatingEnvironment ?? '',
        licenseIssuanceMode: product.licenseIssuanceMode,
        licenseKeyPrefix: product.licenseKeyPrefix ?? 'LIC1',
        activationLimit: product.activationLimit ?? 1,
        features: product.features ?? [],
        deactivationAllowed: product.deactivationAllowed ?? true,
      },
      amount: product.priceAmount,
      currency: product.currency,
      applicationFeeAmount: Math.floor((product.priceAmount * dependencies.feeBasisPoints) / 10_000),
      destinationAccountId,
      locale: intent.locale ?? 'auto',
      status: 'pending',
      paymentStatus: 'pending',
      checkout: {},
      expiresAt: new Date(expires).toISOString(),
      createdAt: created.toISOString(),
      revision: 1,
      ttl: Math.floor((expires + unpaidKeptMs) / 1000),
    };
  }

  /** The order of this intent: `fresh`, now stored, or the open order of the same idempotency key. */
  async function orderFor(intent: CheckoutIntent, fresh: Order): Promise<Order> {
    const request = intent.idempotencyKey === undefined ? undefined : requestOf(intent, intent.idempotencyKey, fresh);
    if (!request) {
      await table.transact(orders.createOrder(fresh));
      return fresh;
    }
    // Of two requests with the same key at once, the one that loses finds the order of the other.
    return retryOptimisticLock(async () => {
      const known = await findLatestRequest(request);
      const order = known && (await orders.findOrder(known.orderId));
      if (order && isOpen(order)) return order;
      await table.transact([orders.bindCheckoutRequest(request, known), ...orders.createOrder(fresh)]);
      return fresh;
    });
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
      ttl: Math.ceil((now().getTime() + requestKeptMs) / 1000),
    };
  }

  /** The latest use of the idempotency key, also one that is too old to count. @throws AppError idempotency_key_reused */
  async function findLatestRequest(request: CheckoutRequest): Promise<CheckoutRequest | undefined> {
    const known = await orders.findCheckoutRequest(request.requestHash);
    const live = known !== undefined && Date.parse(known.createdAt) + requestKeptMs > now().getTime();
    if (live && known.bodyHash !== request.bodyHash) throw new AppError('idempotency_key_reused');
    return known;
  }

  const isOpen = (order: Order) => order.status !== 'expired' && order.expiresAt > now().toISOString();

  async function openSession(order: Order, intent: CheckoutIntent): Promise<string> {
    const expiresAt = new Date(order.expiresAt);
    const token = await mintCompletionToken(
      { orderId: order.id, use: 'redirect', expiresAt: new Date(expiresAt.getTime() + tokenLifetimes.redirectAfterSession) },
      new Date(order.createdAt),
      tokenKeys,
    );
    try {
      const session = await checkoutSessions.open({
        orderId: order.id,
        productId: order.productId,
        sellerId: order.sellerId,
        stage,
        productName: order.terms.productName,
        amount: order.amount,
        currency: order.currency,
        applicationFeeAmount: order.applicationFeeAmount,
        destinationAccountId: order.destinationAccountId,
        buyerEmail: intent.buyerEmail,
        locale: order.locale,
        successUrl: completionUrl(publicBaseUrl, token),
        cancelUrl: cancelUrl(order),
        expiresAt,
      });
      await table.transact([orders.bindCheckoutSession(order.id, session.id)]);
      return session.url;
    } catch (error) {
      const refusal = refusalOf(error);
      if (!refusal) throw hideRefusal(error);
      await deleteRefusedOrder(order, intent);
      throw refusal;
    }
  }

  /** Deletes an order that the provider refuses for good, and frees its idempotency key. */
  async function deleteRefusedOrder(order: Order, intent: CheckoutIntent): Promise<void> {
    const { idempotencyKey } = intent;
    const request =
      idempotencyKey === undefined ? [] : [orders.releaseCheckoutRequest(requestOf(intent, idempotencyKey, order).requestHash)];
    await table.transact([...orders.deleteOrder(order), ...request]);
  }

  /** Leads back to the product, in the language of the checkout. */
  function cancelUrl({ terms, locale }: Order): string {
    const query = new URLSearchParams({ product: terms.productSlug, ...(locale !== 'auto' && { lang: locale }) });
    return `${publicBaseUrl}/checkout/cancelled?${query}`;
  }

  return { startCheckout, isSellable };
}

/** The error to reply when the provider refuses this checkout for good; undefined when a retry may help. */
function refusalOf(error: unknown): AppError | undefined {
  if (error instanceof AppError && error.code === 'price_not_chargeable') return error;
  const accountAtFault = error instanceof ProviderRefusal && /capabilit|account|destination/.test(`${error.code} ${error.param}`);
  return accountAtFault ? new AppError('checkout_not_available', 'The seller cannot take payments now.') : undefined;
}
