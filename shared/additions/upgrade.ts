import { totalOf } from '../checkout/new-order.ts';
import { AppError } from '../errors.ts';
import { invalidField } from '../faults/invalid-request.ts';
import * as rules from '../faults/rules.ts';
import { type Order, wasPaid } from '../orders/order.ts';
import { maxSeats } from '../products/offers/merged-terms.ts';
import type { UpgradeOffer } from '../products/offers/selling-terms.ts';
import type { ProductRecord } from '../products/product.ts';
import { getSaleAccount } from '../products/sale-blockers.ts';
import type { SellerRecord } from '../sellers/seller.ts';
import type { UnitPrice } from './addition.ts';

/** What keeps an upgrade from sale, as far as it is the product's. */
export interface UpgradeTarget {
  product: ProductRecord;
  seller: SellerRecord;
  /** Whether it sells imported codes and has none left. */
  isOut: boolean;
}

type Upgraded = Pick<Order, 'sellerId' | 'productId' | 'quantity'>;

/**
 * The upgrade offer for holders of the order's license. An unknown product, another seller's product and the order's
 * own product are refused alike.
 *
 * @throws AppError upgrade_not_offered
 */
export function getUpgradeOffer(order: Upgraded, product: ProductRecord | undefined): UpgradeOffer {
  const isOther = product?.sellerId === order.sellerId && product.id !== order.productId;
  const offer = isOther ? product.upgradesFrom.find(({ productId }) => productId === order.productId) : undefined;
  // An imported code is for one license, so an order of several cannot be upgraded to it.
  if (!offer || (product?.licenseIssuanceMode === 'imported_csv' && order.quantity > 1)) throw new AppError('upgrade_not_offered');
  return offer;
}

/** Whether the order is a paid upgrade that bars another: it was not refunded in full. */
export const blocksUpgrade = (order: Order) => wasPaid(order) && order.status !== 'refunded';

/**
 * The price of an upgrade that is offered, for each of the order's quantity. The quantity may be over what the product sells at once.
 *
 * @throws AppError checkout_not_available, invalid_request, price_not_chargeable in this order
 */
export function priceOfUpgrade(
  { quantity }: Upgraded,
  { priceAmount }: UpgradeOffer,
  { product, seller, isOut }: UpgradeTarget,
): UnitPrice {
  const destinationAccountId = getSaleAccount(product, seller, { isOut });
  if (product.activationLimit * quantity > maxSeats) {
    throw invalidField('product_id', rules.tooManySeatsUpgraded, { max: maxSeats });
  }
  totalOf({ unitAmount: priceAmount, quantity });
  return { unitAmount: priceAmount, destinationAccountId };
}
