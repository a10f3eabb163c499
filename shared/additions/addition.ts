import { totalOf } from '../checkout/new-order.ts';
import { AppError } from '../errors.ts';
import { invalidField } from '../faults/invalid-request.ts';
import * as rules from '../faults/rules.ts';
import { type License, statusOf } from '../licenses/license.ts';
import type { AdditionKind } from '../orders/order.ts';
import { maxSeats } from '../products/offers/merged-terms.ts';
import type { ProductRecord } from '../products/product.ts';
import { getSaleAccount } from '../products/sale-blockers.ts';
import { endlessUpdatesDays, hasUpdatesEnd } from '../products/update-terms.ts';
import type { SellerRecord } from '../sellers/seller.ts';

const dayMs = 24 * 3600_000;

/** The requested addition: a number of seats, or one extension of updates by the product's days. */
export interface RequestedAddition {
  kind: AdditionKind;
  quantity: number;
}

/** The price of one unit, and the account that receives the payment. */
export interface UnitPrice {
  unitAmount: number;
  destinationAccountId: string;
}

/** @throws AppError license_not_usable */
export function requireUsableLicense(license: License | undefined, at: Date): License {
  if (!license || statusOf(license, at) !== 'active') throw new AppError('license_not_usable');
  return license;
}

/**
 * The price of an addition to a license, by the product as it is now; stock does not matter.
 *
 * @throws AppError license_not_usable, addition_not_offered, checkout_not_available, price_not_chargeable, invalid_request in this order
 */
export function priceOfAddition(
  { license, product, seller }: { license: License | undefined; product: ProductRecord; seller: SellerRecord },
  { kind, quantity }: RequestedAddition,
  at: Date,
): UnitPrice {
  const usable = requireUsableLicense(license, at);
  const { seat, updates } = product.additionPrices;
  const unitAmount = kind === 'seats' ? seat : canBeLengthened(usable, product) ? updates : undefined;
  if (unitAmount === undefined) throw new AppError('addition_not_offered');
  const destinationAccountId = getSaleAccount(product, seller, { isOut: false });
  totalOf({ unitAmount, quantity });
  if (kind === 'seats' && usable.activationLimit + quantity > maxSeats) {
    throw invalidField('quantity', rules.tooManySeatsAdded, { max: maxSeats });
  }
  if (kind === 'updates' && endAfter(usable, product, at) > at.getTime() + endlessUpdatesDays * dayMs) {
    throw invalidField('kind', rules.updatesTooFar, { days: endlessUpdatesDays });
  }
  return { unitAmount, destinationAccountId };
}

/** A license with unlimited updates cannot be extended, and neither can one by unlimited days. */
const canBeLengthened = ({ updatesUntil }: License, { updatesDays }: ProductRecord) =>
  updatesUntil !== undefined && hasUpdatesEnd(updatesDays);

/** When updates would end, in milliseconds, were the addition paid at this moment. */
function endAfter({ updatesUntil = '' }: License, { updatesDays }: ProductRecord, at: Date): number {
  return Math.max(Date.parse(updatesUntil), at.getTime()) + updatesDays * dayMs;
}
