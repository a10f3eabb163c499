import { stepOf } from '../currencies.ts';
import { newId } from '../ids.ts';
import type { ProductRecord } from '../products/product.ts';
import type { SellerRecord } from '../sellers/seller.ts';
import { attemptFrom } from './checkout-attempt.ts';
import type { Order } from './order.ts';
import { termsOf } from './order-terms.ts';

/** A pending order with the product's terms as they are now, in the first attempt to open its checkout. */
export function newOrder(options: {
  product: ProductRecord;
  seller: SellerRecord;
  destinationAccountId: string;
  feeBasisPoints: number;
  locale: Order['locale'];
  at: Date;
}): Order {
  const { product, seller, destinationAccountId, feeBasisPoints, locale, at } = options;
  return {
    id: newId('order', at),
    sellerId: product.sellerId,
    productId: product.id,
    kind: 'license',
    quantity: 1,
    unitAmount: product.priceAmount,
    terms: termsOf(product, seller),
    amount: product.priceAmount,
    currency: product.currency,
    applicationFeeAmount: feeOf(product, feeBasisPoints),
    destinationAccountId,
    locale,
    status: 'pending',
    paymentStatus: 'pending',
    checkout: {},
    ...attemptFrom(at, 1),
    createdAt: at.toISOString(),
    revision: 1,
  };
}

/** Rounded down to what can be charged in the currency. */
function feeOf({ priceAmount, currency }: Pick<ProductRecord, 'priceAmount' | 'currency'>, basisPoints: number): number {
  const step = stepOf(currency);
  return Math.floor((priceAmount * basisPoints) / (10_000 * step)) * step;
}
