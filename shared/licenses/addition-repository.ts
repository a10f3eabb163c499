/** Reads additions with their licenses. */

import { itemsByKey } from '../db/find-items.ts';
import { licenseFactsKey, licenseKey, licensePointerKey, orderKey, paymentKey } from '../db/keys.ts';
import { OptimisticLockError } from '../db/optimistic-lock.ts';
import type { Item, Table } from '../db/table.ts';
import { LicenseFacts } from '../entitlements/license-facts.ts';
import { AppError } from '../errors.ts';
import { type AdditionOrder, Order } from '../orders/order.ts';
import { Payment } from '../payments/payment.ts';
import { License, LicensePointer } from './license.ts';

/** An addition with everything that decides whether it counts. */
export interface Addition {
  order: Order;
  /** Absent while nothing is known of it. */
  payment?: Payment | undefined;
  /** The order of the license that it adds to. */
  parent: Order;
  license: License;
  /** Absent while none were recorded. */
  facts?: LicenseFacts | undefined;
}

/**
 * The addition as it is now, with the payment of this id: 2 requests, one of them for the license alone. Of `known` only is
 * relied on what never changes.
 *
 * @throws OptimisticLockError when the license moved meanwhile
 */
export async function getAddition(table: Table, { id, addedTo }: AdditionOrder, paymentIntentId: string | undefined): Promise<Addition> {
  const { orderId, licenseId } = addedTo;
  const keys = {
    order: orderKey(id),
    parent: orderKey(orderId),
    pointer: licensePointerKey(licenseId),
    facts: licenseFactsKey(licenseId),
    ...(paymentIntentId !== undefined && { payment: paymentKey(paymentIntentId) }),
  };
  const itemAt = itemsByKey(await table.batchGet(Object.values(keys)));
  const [order, parent, pointer, facts] = [keys.order, keys.parent, keys.pointer, keys.facts].map(itemAt);
  const payment = keys.payment && itemAt(keys.payment);
  if (!order || !parent) throw new AppError('order_not_found');
  if (!pointer) throw new AppError('license_not_found');
  const license = await table.get(licenseKey(LicensePointer.parse(pointer).lookup));
  if (!license || isElsewhere(license)) throw new OptimisticLockError();
  return {
    order: Order.parse(order),
    parent: Order.parse(parent),
    license: License.parse(license),
    facts: facts && LicenseFacts.parse(facts),
    payment: payment && Payment.parse(payment),
  };
}

/** The license was re-keyed or its key replaced since its lookup was read. */
const isElsewhere = (item: Item) => item['movedTo'] !== undefined || item['replacedAt'] !== undefined;
