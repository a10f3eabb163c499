import { amountStepOf } from '../currencies.ts';
import { AppError } from '../errors.ts';
import { newId } from '../ids.ts';
import { type InvoiceIssuer, invoiceTermsOf } from '../invoices/invoice-terms.ts';
import type { Order } from '../orders/order.ts';
import { termsOf } from '../orders/order-terms.ts';
import { maxOrderAmount } from '../products/offers/selling-terms.ts';
import type { ProductRecord } from '../products/product.ts';
import type { SellerRecord } from '../sellers/seller.ts';
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
export function newOrder(options: {
  product: ProductRecord;
  seller: SellerRecord;
  bought: OrderedItem;
  destinationAccountId: string;
  feeBasisPoints: number;
  /** Who issues invoices in the sellers' place, where somebody does. */
  operator: InvoiceIssuer | undefined;
  locale: Order['locale'];
  at: Date;
}): Order {
  const { product, seller, bought, destinationAccountId, feeBasisPoints, operator, locale, at } = options;
  const amount = totalOf(bought);
  const invoice = invoiceTermsOf({ product, seller, operator, total: amount });
  return {
    ...bought,
    id: newId('order', at),
    sellerId: product.sellerId,
    productId: product.id,
    terms: termsOf(product, seller),
    ...(invoice && { invoice }),
    amount,
    currency: product.currency,
    applicationFeeAmount: feeOf({ amount, currency: product.currency }, feeBasisPoints),
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
