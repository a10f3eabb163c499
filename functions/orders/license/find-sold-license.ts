import type { Actor } from '../../../shared/audit/actor.ts';
import type { Caller } from '../../../shared/audit/caller.ts';
import type { Table } from '../../../shared/db/table.ts';
import { AppError } from '../../../shared/errors.ts';
import type { LicenseId, OrderId } from '../../../shared/ids.ts';
import { getOwnOrder } from '../../../shared/orders/own-order.ts';

/** What each of these moves may be refused with, besides what is its own. */
export const soldLicenseErrors = ['order_not_found', 'forbidden', 'license_not_found', 'seller_not_eligible'] as const;

/** The license of the caller's own sale, and the caller as who changes it. @throws AppError as `getOwnOrder`, license_not_found */
export async function findSoldLicense(table: Table, caller: Caller, orderId: OrderId): Promise<{ licenseId: LicenseId; actor: Actor }> {
  const { order, actor } = await getOwnOrder(table, caller, orderId);
  if (order.licenseId === undefined) throw new AppError('license_not_found');
  return { licenseId: order.licenseId, actor };
}
