/** Sells what is on sale: makes orders, and opens their hosted checkouts. See "Checkout" in README.md */

import type { Needs } from '../context.ts';
import { retryOptimisticLock } from '../db/optimistic-lock.ts';
import type { Table, Write } from '../db/table.ts';
import { reserveRedemption } from '../discounts/redemption-repository.ts';
import { AppError, hasCode } from '../errors.ts';
import type { InvoicingSetting } from '../invoices/invoice-terms.ts';
import type { Order } from '../orders/order.ts';
import { bindCheckoutRequest, createOrder, findCheckoutRequest, findOrder } from '../orders/order-repository.ts';
import type { ProductRecord } from '../products/product.ts';
import { type FoundProduct, findProductAndSellerBySlug } from '../products/product-repository.ts';
import { isOnSale, termsRevisionOf } from '../products/product-states.ts';
import { getSaleAccount, isOutOfStock, saleBlockedError } from '../products/sale-blockers.ts';
import type { SellerRecord } from '../sellers/seller.ts';
import { type CheckoutIntent, checkoutHashes, checkoutRequestOf, isRemembered, type PriceIntent } from './checkout-intent.ts';
import { findDiscountOf, type Price, priceOf, type Quote, quantityOf, requireValidDiscount } from './checkout-price.ts';
import { type CheckoutResponse, openNewCheckout, resumeCheckout, type SessionNeeds } from './checkout-session.ts';
import { newOrder } from './new-order.ts';

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

/** What the checkouts of orders work with. */
export type CheckoutNeeds = SessionNeeds & Needs<'logger' | 'slugs' | 'PLATFORM_FEE_BPS' | InvoicingSetting>;

/** A sale about to be made: a quantity of a product, and the account that receives the payment. */
interface PendingSale extends FoundProduct {
  quantity: number;
  destinationAccountId: string;
}

/** The terms on sale differ from those the buyer confirmed. */
export class TermsChangedError extends AppError {
  constructor() {
    super('checkout_not_available', 'The product changed since it was confirmed.');
  }
}

/**
 * Makes an order with the product's terms as they are now, and opens its checkout.
 *
 * @throws AppError product_not_found, invalid_request, checkout_not_available (TermsChangedError among them), discount_not_valid,
 * idempotency_key_reused, price_not_chargeable, dependency_unavailable
 */
export async function startCheckout(c: CheckoutNeeds, intent: CheckoutIntent): Promise<CheckoutResponse> {
  const checkout = await start(c, intent);
  c.logger.info('checkout_started', { orderId: checkout.orderId });
  return checkout;
}

async function start(c: CheckoutNeeds, intent: CheckoutIntent): Promise<CheckoutResponse> {
  const { product, seller, quantity } = await findRequested(c, intent);
  if (intent.termsRevision !== undefined && intent.termsRevision !== termsRevisionOf(product)) throw new TermsChangedError();
  const sale: PendingSale = { product, seller, quantity, destinationAccountId: getSaleAccount(product, seller, { isOut: false }) };
  const { idempotencyKey, buyerEmail } = intent;
  if (idempotencyKey !== undefined) return startOnce(c, intent, idempotencyKey, sale);
  const price = await findPrice(c, intent, sale);
  await c.pace.waitForTurn();
  const order = orderOf(c, intent, sale, price);
  await c.table.transact(orderWrites(order, price));
  return openNewCheckout(c, order, { buyerEmail });
}

/** The checkout of the order that this key stands for: an earlier one, or else a new one. */
async function startOnce(c: CheckoutNeeds, intent: CheckoutIntent, idempotencyKey: string, sale: PendingSale): Promise<CheckoutResponse> {
  const { product, quantity } = sale;
  const { buyerEmail, discountCode } = intent;
  const hashes = checkoutHashes(intent, idempotencyKey);
  let turn: Promise<void> | undefined;
  // Of several concurrent requests, the losers find the order that the winner created.
  return retryOptimisticLock(async () => {
    // Before the key, so that whoever reads that the last redemption is taken finds the order that took it.
    const found = await findDiscountOf(c.table, product, discountCode);
    const latest = await findCheckoutRequest(c.table, hashes.requestHash);
    const known = latest && isRemembered(latest, c.now()) ? latest : undefined;
    const order = known && (await findOrder(c.table, known.orderId));
    const isRepeat = order?.status === 'pending' && known?.bodyHash === hashes.bodyHash;
    if (known && known.bodyHash !== hashes.bodyHash) throw new AppError('idempotency_key_reused');
    if (!isRepeat) requireValidDiscount(c, product, discountCode, found);
    await requireStock(c.table, product);
    const price = () => priceOf(product, quantity, requireValidDiscount(c, product, discountCode, found));
    if (!isRepeat) price();
    turn ??= c.pace.waitForTurn();
    await turn;
    const resumed = isRepeat ? await resumeCheckout(c, order, { buyerEmail, request: known }) : undefined;
    if (resumed) return resumed;
    const priced = price();
    const fresh = orderOf(c, intent, sale, priced);
    const request = checkoutRequestOf(hashes, fresh);
    await c.table.transact([bindCheckoutRequest(request, latest), ...orderWrites(fresh, priced)]);
    return openNewCheckout(c, fresh, { buyerEmail, request });
  });
}

/** The product with its seller, and how many of it are asked for. @throws AppError product_not_found, invalid_request */
async function findRequested(c: Needs<'table' | 'slugs'>, { slug, quantity }: PriceIntent) {
  const found = await findProductAndSellerBySlug(c, slug);
  if (!found) throw new AppError('product_not_found');
  return { ...found, quantity: quantityOf(found.product, quantity) };
}

/** What is asked for costs so much, while there is stock. @throws AppError discount_not_valid, checkout_not_available, price_not_chargeable */
async function findPrice(
  c: Needs<'table' | 'now'>,
  { discountCode }: PriceIntent,
  { product, quantity }: Pick<PendingSale, 'product' | 'quantity'>,
): Promise<Price> {
  const discount = requireValidDiscount(c, product, discountCode, await findDiscountOf(c.table, product, discountCode));
  await requireStock(c.table, product);
  return priceOf(product, quantity, discount);
}

function orderOf(
  c: Needs<'now' | InvoicingSetting | 'PLATFORM_FEE_BPS'>,
  { locale = 'auto' }: CheckoutIntent,
  sale: PendingSale,
  { quantity, unitAmount, discount, discountAmount }: Price,
): Order {
  const used = discount && { id: discount.id, code: discount.code, amount: discountAmount };
  const bought = { kind: 'license', quantity, unitAmount, discount: used } as const;
  return newOrder(c, sale, bought, { destinationAccountId: sale.destinationAccountId, locale });
}

/** The order with the redemption that it takes. @throws AppError discount_not_valid when it was the last one, and is taken */
const orderWrites = (order: Order, { discount }: Price): Write[] => [
  ...createOrder(order),
  ...(discount ? reserveRedemption(discount, { id: order.id, expiresAt: order.expiresAt, ttl: order.ttl }) : []),
];

/**
 * What a checkout would cost. It is refused as a checkout is, but without asking the provider.
 *
 * @throws AppError product_not_found, invalid_request, checkout_not_available, discount_not_valid, price_not_chargeable
 */
export async function quoteCheckout(c: Needs<'table' | 'now' | 'slugs'>, intent: PriceIntent): Promise<Quote> {
  const requested = await findRequested(c, intent);
  const { product, seller } = requested;
  if (!wasEverPublic(product)) throw new AppError('product_not_found');
  getSaleAccount(product, seller, { isOut: false });
  const { discount: _, ...price } = await findPrice(c, intent, requested);
  return { currency: product.currency, ...price };
}

/** Of what no admin ever approved nothing is told, as its page tells nothing. */
const wasEverPublic = (product: ProductRecord) => product.approvedBefore || isOnSale(product);

/** The same of a product that was found, whether or not it sells: one request where a code is given. @throws AppError discount_not_valid, price_not_chargeable */
export async function findPriceOf(
  c: Needs<'table' | 'now'>,
  product: ProductRecord,
  { quantity = 1, discountCode }: Omit<PriceIntent, 'slug'>,
): Promise<Price> {
  const found = await findDiscountOf(c.table, product, discountCode);
  return priceOf(product, quantityOf(product, quantity), requireValidDiscount(c, product, discountCode, found));
}

/** Whether a checkout of this product could be opened now, as far as is known without a call to the provider. */
export async function isSellable(table: Table, product: ProductRecord, seller: SellerRecord): Promise<boolean> {
  try {
    getSaleAccount(product, seller, { isOut: false });
    await requireStock(table, product);
    return true;
  } catch (error) {
    if (hasCode(error, 'checkout_not_available')) return false;
    throw error;
  }
}

/** @throws AppError checkout_not_available */
async function requireStock(table: Table, product: ProductRecord): Promise<void> {
  if (await isOutOfStock(table, product)) throw saleBlockedError('out_of_stock');
}
