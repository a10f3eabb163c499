import type { Keyring } from '../../shared/crypto/keyring.ts';
import type { Table } from '../../shared/db/table.ts';
import { AppError } from '../../shared/errors.ts';
import { type License, type LicenseStatus, statusOf } from '../../shared/licenses/license.ts';
import { createLicenseRepository } from '../../shared/licenses/license-repository.ts';
import { openLicenseKey } from '../../shared/licenses/new-license.ts';
import type { Order } from '../../shared/orders/order.ts';

export type PurchasedLicenses = ReturnType<typeof createPurchasedLicenses>;

/** The license of an order, for its buyer. */
export function createPurchasedLicenses(options: { table: Table; encryptionKeys: Keyring; now: () => Date }) {
  const { table, encryptionKeys, now } = options;
  const licenses = createLicenseRepository({ table });

  const findLicense = async ({ licenseId }: Order) => (licenseId === undefined ? undefined : licenses.findLicenseById(licenseId));

  return {
    /** The license with its key, unless it is refunded, disputed or revoked; undefined while the order waits for a code. */
    async showLicense(order: Order): Promise<(License & { status: LicenseStatus; licenseKey?: string | undefined }) | undefined> {
      const license = await findLicense(order);
      if (!license) return undefined;
      const status = statusOf(license, now());
      const hidesKey = status === 'refunded' || status === 'disputed' || status === 'revoked';
      return { ...license, status, licenseKey: hidesKey ? undefined : openLicenseKey(license, encryptionKeys) };
    },

    /** @throws AppError license_not_usable when it is not active, or there is none yet */
    async getUsableLicense(order: Order): Promise<License> {
      const license = await findLicense(order);
      if (!license || statusOf(license, now()) !== 'active') throw new AppError('license_not_usable');
      return license;
    },
  };
}
