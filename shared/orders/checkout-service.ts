import { createHasStock } from '../code-batches/code-stock-repository.ts';
import type { SettingsOf } from '../config.ts';
import { retryOptimisticLock } from '../db/optimistic-lock.ts';
import type { Table, Write } from '../db/table.ts';
import { AppError, hasCode } from '../errors.ts';
import { invoicingOperatorOf } from '../invoices/invoice-terms.ts';
import type { Logger } from '../logger.ts';
import type { StripeClient } from '../payments/stripe-client.ts';
import type { ProductRecord } from '../products/product.ts';
import { createProductRepository } from '../products/product-repository.ts';
import { termsRevisionOf } from '../products/product-states.ts';
import { accountForSale, isOutOfStock, notAvailable } from '../products/sale-blockers.ts';
import type { SellerRecord } from '../sellers/seller.ts';
import { type CheckoutIntent, checkoutRequestOf, isInForce, type PriceIntent, requestHashesOf } from './checkout-intent.ts';
import { createDiscounts, type Price, priceOf, type Quote, quantityOf } from './checkout-price.ts';
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
  'OPERATOR_NAME',
  'OPERATOR_INVOICE_NUMBER',
] as const;

/** What is sold to whom: so many of a product, for money that goes to an account. */
interface Sale {
  product: ProductRecord;
  seller: SellerRecord;
  quantity: number;
  destinationAccountId: string;
}

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
  const operator = invoicingOperatorOf(settings);
  const products = createProductRepository({ table });
  const hasStock = createHasStock({ table });
  const discounts = createDiscounts({ table, now });
  const orders = createOrderRepository({ table });
  const sessions = createOrderSessions({ table, provider, stage, publicBaseUrl, tokenKeys, now });

  /**
   * Makes an order with the product's terms as they are now, and opens its checkout.
   *
   * @throws AppError product_not_found, invalid_request, checkout_not_available (TermsChangedError among them), discount_not_valid,
   * idempotency_key_reused, price_not_chargeable, dependency_unavailable
   */
  async function startCheckout(intent: CheckoutIntent): Promise<CheckoutResponse> {
    const checkout = await start(intent);
    logger.info('checkout_started', { orderId: checkout.orderId });
    return checkout;
  }

  async function start(intent: CheckoutIntent): Promise<CheckoutResponse> {
    const { product, seller, quantity } = await findAsked(intent);
    if (intent.termsRevision !== undefined && intent.termsRevision !== termsRevisionOf(product)) throw new TermsChangedError();
    const sale: Sale = { product, seller, quantity, destinationAccountId: accountForSale(product, seller, { isOut: false }) };
    const { idempotencyKey, buyerEmail } = intent;
    if (idempotencyKey !== undefined) return startOnce(intent, idempotencyKey, sale);
    const price = await findPrice(intent, sale);
    await sessions.takeTurn();
    const order = orderOf(intent, sale, price);
    await table.transact(orderWrites(order, price));
    return sessions.openFirst(order, { buyerEmail });
  }

  /** The checkout of the order that this key stands for: an earlier one, or else a new one. */
  async function startOnce(intent: CheckoutIntent, idempotencyKey: string, sale: Sale): Promise<CheckoutResponse> {
    const { product, quantity } = sale;
    const { buyerEmail, discountCode } = intent;
    const hashes = requestHashesOf(intent, idempotencyKey);
    let turn: Promise<void> | undefined;
    // Of several at once, those that lose a race find what the winner made of the order.
    return retryOptimisticLock(async () => {
      // Before the key, so that whoever reads that the last redemption is taken finds the order that took it.
      const found = await discounts.findDiscount(product, discountCode);
      const latest = await orders.findCheckoutRequest(hashes.requestHash);
      const known = latest && isInForce(latest, now()) ? latest : undefined;
      const order = known && (await orders.findOrder(known.orderId));
      const isRepeat = order?.status === 'pending' && known?.bodyHash === hashes.bodyHash;
      if (known && known.bodyHash !== hashes.bodyHash) throw new AppError('idempotency_key_reused');
      if (!isRepeat) discounts.requireHolding(product, discountCode, found);
      await requireStock(product);
      const price = () => priceOf(product, quantity, discounts.requireHolding(product, discountCode, found));
      if (!isRepeat) price();
      turn ??= sessions.takeTurn();
      await turn;
      const resumed = isRepeat ? await sessions.resume(order, { buyerEmail, request: known }) : undefined;
      if (resumed) return resumed;
      const priced = price();
      const fresh = orderOf(intent, sale, priced);
      const request = checkoutRequestOf(hashes, fresh);
      await table.transact([orders.bindCheckoutRequest(request, latest), ...orderWrites(fresh, priced)]);
      return sessions.openFirst(fresh, { buyerEmail, request });
    });
  }

  /** The product with its seller, and how many of it are asked for. @throws AppError product_not_found, invalid_request */
  async function findAsked({ slug, quantity }: PriceIntent) {
    const found = await products.findProductAndSellerBySlug(slug);
    if (!found) throw new AppError('product_not_found');
    return { ...found, quantity: quantityOf(found.product, quantity) };
  }

  /** What is asked for costs so much, while there is stock. @throws AppError discount_not_valid, checkout_not_available, price_not_chargeable */
  async function findPrice({ discountCode }: PriceIntent, { product, quantity }: Pick<Sale, 'product' | 'quantity'>): Promise<Price> {
    const discount = discounts.requireHolding(product, discountCode, await discounts.findDiscount(product, discountCode));
    await requireStock(product);
    return priceOf(product, quantity, discount);
  }

  function orderOf({ locale = 'auto' }: CheckoutIntent, sale: Sale, { quantity, unitAmount, discount, discountAmount }: Price): Order {
    const { product, seller, destinationAccountId } = sale;
    const used = discount && { id: discount.id, code: discount.code, amount: discountAmount };
    const bought = { kind: 'license', quantity, unitAmount, discount: used } as const;
    return newOrder({ product, seller, bought, destinationAccountId, feeBasisPoints, operator, locale, at: now() });
  }

  /** The order with the redemption that it takes. @throws AppError discount_not_valid when it was the last one, and is taken */
  const orderWrites = (order: Order, { discount }: Price): Write[] => [
    ...orders.createOrder(order),
    ...(discount ? discounts.takeRedemption(discount, { id: order.id, expiresAt: order.expiresAt, ttl: order.ttl }) : []),
  ];

  /**
   * What a checkout would cost. It is refused as a checkout is, but without asking the provider.
   *
   * @throws AppError product_not_found, invalid_request, checkout_not_available, discount_not_valid, price_not_chargeable
   */
  async function quote(intent: PriceIntent): Promise<Quote> {
    const asked = await findAsked(intent);
    const { product, seller } = asked;
    accountForSale(product, seller, { isOut: false });
    const { discount: _, ...price } = await findPrice(intent, asked);
    return { currency: product.currency, ...price };
  }

  /** The same of a product that was found, whether or not it sells: one request where a code is given. @throws AppError discount_not_valid, price_not_chargeable */
  async function findPriceOf(product: ProductRecord, { quantity = 1, discountCode }: Omit<PriceIntent, 'slug'>): Promise<Price> {
    const found = await discounts.findDiscount(product, discountCode);
    return priceOf(product, quantityOf(product, quantity), discounts.requireHolding(product, discountCode, found));
  }

  /** Whether a checkout of this product could be opened now, as far as is known without a call to the provider. */
  async function isSellable(product: ProductRecord, seller: SellerRecord): Promise<boolean> {
    try {
      accountForSale(product, seller, { isOut: false });
      await requireStock(product);
      return true;
    } catch (error) {
      if (hasCode(error, 'checkout_not_available')) return false;
      throw error;
    }
  }

  /** @throws AppError checkout_not_available */
  async function requireStock(product: ProductRecord): Promise<void> {
    if (await isOutOfStock(product, hasStock)) throw notAvailable('out_of_stock');
  }

  return { startCheckout, quote, findPriceOf, isSellable };
}
