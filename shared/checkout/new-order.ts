import type { Needs } from '../context.ts';
import { amountStepOf } from '../currencies.ts';
import { AppError } from '../errors.ts';
import { newId } from '../ids.ts';
import { type InvoicingSetting, invoiceIssuerOf, invoiceTermsOf } from '../invoices/invoice-terms.ts';
import type { Order } from '../orders/order.ts';
import { termsOf } from '../orders/order-terms.ts';
import { maxOrderAmount } from '../products/offers/selling-terms.ts';
import type { FoundProduct } from '../products/product-repository.ts';
import { attemptStartingAt } from './checkout-attempt.ts';

/** What is bought: how many, and at what price each after a discount. */
export type OrderedItem = Pick<Order, 'kind' | 'quantity' | 'discount' | 'addedTo' | 'upgradedFrom'> & { unitAmount: number };

/** The total of an order, in the minor unit. @throws AppError price_not_chargeable when no provider takes it */
export function totalOf({ unitAmount, quantity }: Pick<OrderedItem, 'unitAmount' | 'quantity'>): number {
  const total = unitAmount * quantity;
  if (total > maxOrderAmount) throw new AppError('price_not_chargeable', `The total is over ${maxOrderAmount}.`);
  return total;
}

/** A pending order with the product's terms as they are now, in the first attempt to open its checkout. @throws AppError as `totalOf` */
export function newOrder(
  c: Needs<'now' | InvoicingSetting | 'PLATFORM_FEE_BPS'>,
  { product, seller }: FoundProduct,
  bought: OrderedItem,
  { destinationAccountId, locale }: Pick<Order, 'destinationAccountId' | 'locale'>,
): Order {
  const at = c.now();
  const amount = totalOf(bought);
  const invoice = invoiceTermsOf({ product, seller, operator: invoiceIssuerOf(c.settings), total: amount });
  return {
    ...bought,
    id: newId('order', at),
    sellerId: product.sellerId,
    productId: product.id,
    terms: termsOf(product, seller),
    ...(invoice && { invoice }),
    amount,
    currency: product.currency,
    applicationFeeAmount: feeOf({ amount, currency: product.currency }, c.settings.PLATFORM_FEE_BPS),
    destinationAccountId,
    locale,
    status: 'pending',
    paymentStatus: 'pending',
    checkout: {},
    ...attemptStartingAt(at, 1),
    createdAt: at.toISOString(),
    revision: 1,
  };
}

/** Rounded down to what can be charged in the currency. */
function feeOf({ amount, currency }: Pick<Order, 'amount' | 'currency'>, basisPoints: number): number {
  const step = amountStepOf(currency);
  return Math.floor((amount * basisPoints) / (10_000 * step)) * step;
}
