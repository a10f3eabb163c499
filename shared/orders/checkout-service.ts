import { createHasStock } from '../code-batches/code-stock-repository.ts';
import type { SettingsOf } from '../config.ts';
import { retryOptimisticLock } from '../db/optimistic-lock.ts';
import type { Table } from '../db/table.ts';
import { AppError, hasCode } from '../errors.ts';
import type { Logger } from '../logger.ts';
import { createProviderPace } from '../payments/provider-pace.ts';
import type { StripeClient } from '../payments/stripe-client.ts';
import type { ProductRecord, SaleBlocker } from '../products/product.ts';
import { createProductRepository } from '../products/product-repository.ts';
import { termsRevisionOf } from '../products/product-states.ts';
import { createFindSaleBlockers } from '../products/sale-blockers.ts';
import { accountToPay, type SellerRecord } from '../sellers/seller.ts';
import { type CheckoutIntent, checkoutRequestOf, isInForce } from './checkout-intent.ts';
import { type CheckoutResponse, createOrderSessions } from './checkout-session.ts';
import { newOrder } from './new-order.ts';
import type { Order } from './order.ts';
import { createOrderRepository } from './order-repository.ts';

/** The settings that every function in which checkouts begin needs for them. */
export const checkoutSettings = [
  'STAGE',
  'PUBLIC_BASE_URL',
  'PLATFORM_FEE_BPS',
  'PAYMENT_SECRET_KEY',
  'PAYMENT_API_BASE',
  'TOKEN_KEYS',
] as const;

/** What the buyer's program is told of each; the page has words of its own. */
const refusals: Record<SaleBlocker, string> = {
  seller_not_approved: 'The seller is not approved.',
  payment_not_ready: 'The seller cannot take payments now.',
  not_approved: 'The product is not approved for sale.',
  suspended: 'The product is suspended.',
  out_of_stock: 'The product is sold out.',
};

/** What is on sale is not what the buyer confirmed. */
export class TermsChangedError extends AppError {
  constructor() {
    super('checkout_not_available', 'The product changed since it was confirmed.');
  }
}

export type CheckoutService = ReturnType<typeof createCheckoutService>;

/** Sells what is on sale: makes orders, and opens their hosted checkouts. See "Checkout" in README.md */
export function createCheckoutService(options: {
  settings: SettingsOf<typeof checkoutSettings>;
  table: Table;
  provider: StripeClient;
  logger: Logger;
  now: () => Date;
}) {
  const { settings, table, provider, logger, now } = options;
  const { STAGE: stage, PUBLIC_BASE_URL: publicBaseUrl, TOKEN_KEYS: tokenKeys, PLATFORM_FEE_BPS: feeBasisPoints } = settings;
  const products = createProductRepository({ table });
  const findSaleBlockers = createFindSaleBlockers({ hasStock: createHasStock({ table }) });
  const orders = createOrderRepository({ table });
  // The fake provider of the local stack takes any number.
  const takeTurn = stage === 'local' ? async () => {} : createProviderPace({ table, now });
  const sessions = createOrderSessions({ table, provider, stage, publicBaseUrl, tokenKeys, now });

  /**
   * Makes an order with the product's terms as they are now, and opens its checkout.
   *
   * @throws AppError product_not_found, checkout_not_available (TermsChangedError among them), idempotency_key_reused, invalid_request,
   * price_not_chargeable, dependency_unavailable
   */
  async function startCheckout(intent: CheckoutIntent): Promise<CheckoutResponse> {
    const checkout = await start(intent);
    logger.info('checkout_started', { orderId: checkout.orderId });
    return checkout;
  }

  async function start(intent: CheckoutIntent): Promise<CheckoutResponse> {
    const found = await products.findProductAndSellerBySlug(intent.slug);
    if (!found) throw new AppError('product_not_found');
    const { product, seller } = found;
    if (intent.termsRevision !== undefined && intent.termsRevision !== termsRevisionOf(product)) throw new TermsChangedError();
    const destinationAccountId = await requireSellable(product, seller);
    await takeTurn();
    const { idempotencyKey, locale = 'auto' } = intent;
    const bought = { kind: 'license', quantity: 1, unitAmount: product.priceAmount } as const;
    const createOrder = () => newOrder({ product, seller, bought, destinationAccountId, feeBasisPoints, locale, at: now() });
    if (idempotencyKey !== undefined) {
      // Of several at once, those that lose a race find what the winner made of the order.
      return retryOptimisticLock(() => startOnce(intent, idempotencyKey, createOrder()));
    }
    const order = createOrder();
    await table.transact(orders.createOrder(order));
    return sessions.openFirst(order, { buyerEmail: intent.buyerEmail });
  }

  /** The checkout of the order that this key stands for: an earlier one, or else `fresh`. */
  async function startOnce(intent: CheckoutIntent, idempotencyKey: string, fresh: Order): Promise<CheckoutResponse> {
    const { buyerEmail } = intent;
    const request = checkoutRequestOf(intent, idempotencyKey, fresh);
    const latest = await orders.findCheckoutRequest(request.requestHash);
    const known = latest && isInForce(latest, now()) ? latest : undefined;
    if (known && known.bodyHash !== request.bodyHash) throw new AppError('idempotency_key_reused');
    const order = known && (await orders.findOrder(known.orderId));
    const resumed = order?.status === 'pending' ? await sessions.resume(order, { buyerEmail, request: known }) : undefined;
    if (resumed) return resumed;
    await table.transact([orders.bindCheckoutRequest(request, latest), ...orders.createOrder(fresh)]);
    return sessions.openFirst(fresh, { buyerEmail, request });
  }

  /** Whether a checkout of this product could be opened now, as far as is known without a call to the provider. */
  async function isSellable(product: ProductRecord, seller: SellerRecord): Promise<boolean> {
    try {
      await requireSellable(product, seller);
      return true;
    } catch (error) {
      if (hasCode(error, 'checkout_not_available')) return false;
      throw error;
    }
  }

  /** The account that the money goes to. @throws AppError checkout_not_available: the message begins with the first sale blocker */
  async function requireSellable(product: ProductRecord, seller: SellerRecord): Promise<string> {
    const [blocker] = await findSaleBlockers(product, seller);
    const account = accountToPay(seller);
    if (blocker === undefined && account !== undefined) return account;
    const reason = blocker ?? 'payment_not_ready';
    throw new AppError('checkout_not_available', `${reason}: ${refusals[reason]}`);
  }

  return { startCheckout, isSellable };
}
