/** The license of an order, for its buyer. */

import { requireUsableLicense } from '../../shared/additions/addition.ts';
import type { Needs } from '../../shared/context.ts';
import type { Table } from '../../shared/db/table.ts';
import { type License, type LicenseStatus, statusOf } from '../../shared/licenses/license.ts';
import { findLicenseById } from '../../shared/licenses/license-repository.ts';
import { openLicenseKey } from '../../shared/licenses/new-license.ts';
import type { Order } from '../../shared/orders/order.ts';

const findLicense = async (table: Table, { licenseId }: Order) => (licenseId === undefined ? undefined : findLicenseById(table, licenseId));

/** The license with its key, unless it is refunded, disputed or revoked; undefined while the order waits for a code. */
export async function showLicense(
  c: Needs<'table' | 'now' | 'ENCRYPTION_KEYS'>,
  order: Order,
): Promise<(License & { status: LicenseStatus; licenseKey?: string | undefined }) | undefined> {
  const license = await findLicense(c.table, order);
  if (!license) return undefined;
  const status = statusOf(license, c.now());
  const hidesKey = status === 'refunded' || status === 'disputed' || status === 'revoked';
  return { ...license, status, licenseKey: hidesKey ? undefined : openLicenseKey(license, c.settings.ENCRYPTION_KEYS) };
}

/** @throws AppError license_not_usable when it is not active, or there is none yet */
export async function getUsableLicense(c: Needs<'table' | 'now'>, order: Order): Promise<License> {
  return requireUsableLicense(await findLicense(c.table, order), c.now());
}
