import { randomBytes } from 'node:crypto';
import { createAuditRepository } from '../../audit/audit-repository.ts';
import type { Keyring } from '../../crypto/keyring.ts';
import type { Page, PageRequest } from '../../db/sharded-list.ts';
import type { Table } from '../../db/table.ts';
import { AppError } from '../../errors.ts';
import { type LicenseId, newId, type ProductId } from '../../ids.ts';
import { createGetOwnProduct } from '../../products/own-product.ts';
import { requireEligible } from '../../sellers/seller.ts';
import { updatesUntilOf } from '../coverage.ts';
import { generateLicenseKey, normalizeLicenseKey } from '../license-key.ts';
import { licenseLookups } from '../license-lookup.ts';
import { createLicenseRepository } from '../license-repository.ts';
import { createLicenseService } from '../license-service.ts';
import { newLicense } from '../new-license.ts';
import { expiryOf, type MintedTestKey, type TestKey, toTestKey } from './test-key.ts';
import { createTestKeyRepository } from './test-key-repository.ts';

export type TestKeyService = ReturnType<typeof createTestKeyService>;

/** Licenses with which sellers try their apps before anything is sold. `userId` is the caller. See README.md */
export function createTestKeyService(options: { table: Table; peppers: Keyring; encryptionKeys: Keyring; now?: (() => Date) | undefined }) {
  const { table, peppers, encryptionKeys, now = () => new Date() } = options;
  const getOwnProduct = createGetOwnProduct({ table });
  const testKeys = createTestKeyRepository({ table });
  const licenses = createLicenseRepository({ table });
  const { revokeLicense } = createLicenseService({ table, now });
  const audit = createAuditRepository({ table, now });

  return {
    /**
     * A license of the product's present terms that nobody bought. Its key shows this once.
     *
     * @throws AppError product_not_found, forbidden, seller_not_eligible, product_suspended, too_many_test_keys
     */
    async mintTestKey(userId: string, productId: ProductId): Promise<MintedTestKey> {
      const { product, seller } = await getOwnProduct({ userId }, productId);
      requireEligible(seller);
      if (product.status === 'suspended') throw new AppError('product_suspended');

      const at = now();
      const { sellerId, activationLimit, features, deactivationAllowed, offlineDays, offlineFileDays } = product;
      const issuedAt = at.toISOString();
      const updatesUntil = updatesUntilOf(issuedAt, product.updatesDays);
      const terms = { activationLimit, features, deactivationAllowed, offlineDays, offlineFileDays };
      const place = { id: newId('license', at), productId, expiresAt: expiryOf(at) };
      const licenseKey = generateLicenseKey(product.licenseKeyPrefix, randomBytes);
      const license = newLicense(
        { ...terms, ...place, sellerId, licenseIssuanceMode: 'generated_server_validated', issuedAt, updatesUntil },
        licenseKey,
        { peppers, encryptionKeys },
      );
      const [, ...olderLookups] = licenseLookups(productId, normalizeLicenseKey(licenseKey), peppers);
      await testKeys.clearPlaces(productId, at);
      await table.transact([
        ...testKeys.addTestKey(place),
        ...licenses.issueLicense(license, olderLookups),
        audit.recordAudit({ actor: userId, action: 'license.issue_test_key', targetId: license.id, after: { productId } }),
      ]);
      return { licenseId: license.id, licenseKey, expiresAt: place.expiresAt };
    },

    /** Those that ended or expired too, newest first. @throws AppError product_not_found, forbidden */
    async listTestKeys(userId: string, productId: ProductId, page: PageRequest): Promise<Page<TestKey>> {
      await getOwnProduct({ userId }, productId);
      const { items, nextCursor } = await testKeys.listTestKeys(productId, page);
      const found = await licenses.findLicenses(items);
      return { items: items.flatMap((id) => found.get(id) ?? []).map(toTestKey), nextCursor };
    },

    /** Ends a test key for good, in whatever state seller and product are; again it changes nothing. @throws AppError product_not_found, forbidden, license_not_found */
    async endTestKey(userId: string, productId: ProductId, licenseId: LicenseId): Promise<{ licenseId: LicenseId }> {
      await getOwnProduct({ userId }, productId);
      const license = await licenses.getLicense(licenseId);
      if (license.orderId !== undefined || license.productId !== productId) throw new AppError('license_not_found');
      await revokeLicense(userId, licenseId);
      return { licenseId };
    },
  };
}
