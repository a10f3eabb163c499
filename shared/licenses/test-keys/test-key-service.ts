/** Licenses with which sellers try their apps before anything is sold. See README.md */

import { randomBytes } from 'node:crypto';
import { recordAudit } from '../../audit/audit-repository.ts';
import { auditActorOf, type Caller } from '../../audit/caller.ts';
import type { Needs } from '../../context.ts';
import type { Page, PageRequest } from '../../db/sharded-list.ts';
import type { Table } from '../../db/table.ts';
import { AppError } from '../../errors.ts';
import { type LicenseId, newId, type ProductId } from '../../ids.ts';
import { getOwnProduct } from '../../products/own-product.ts';
import { requireUnsuspended } from '../../products/product-states.ts';
import { requireEligible } from '../../sellers/seller.ts';
import { generateLicenseKey, normalizeLicenseKey } from '../../text/license-key.ts';
import { initialUpdatesUntil } from '../coverage.ts';
import { licenseLookups } from '../license-lookup.ts';
import { addLicense, findLicenses, getLicense } from '../license-repository.ts';
import { revokeLicense } from '../license-service.ts';
import { newLicense } from '../new-license.ts';
import { type MintedTestKey, maxTestSeats, type TestKey, testKeyExpiry, toTestKey } from './test-key.ts';
import { addTestKey, listTestKeys, readyForTestKey } from './test-key-repository.ts';

/**
 * A license of the product's present terms that nobody bought. Its key shows this once.
 *
 * @throws AppError product_not_found, forbidden, seller_not_eligible, product_suspended, too_many_test_keys
 */
export async function mintTestKey(
  c: Needs<'table' | 'now' | 'ENCRYPTION_KEYS' | 'LICENSE_PEPPERS'>,
  caller: Caller,
  productId: ProductId,
): Promise<MintedTestKey> {
  const { product, seller } = await getOwnProduct(c.table, caller, productId);
  requireEligible(seller);
  requireUnsuspended(product);

  const at = c.now();
  const { sellerId, features, deactivationAllowed, offlineDays, offlineFileDays } = product;
  const issuedAt = at.toISOString();
  const updatesUntil = initialUpdatesUntil(issuedAt, product.updatesDays);
  const activationLimit = Math.min(product.activationLimit, maxTestSeats);
  const terms = { activationLimit, features, deactivationAllowed, offlineDays, offlineFileDays };
  const place = { id: newId('license', at), productId, expiresAt: testKeyExpiry(at) };
  const licenseKey = generateLicenseKey(product.licenseKeyPrefix, randomBytes);
  const license = newLicense(
    { ...terms, ...place, sellerId, licenseIssuanceMode: 'generated_server_validated', issuedAt, updatesUntil },
    licenseKey,
    { peppers: c.settings.LICENSE_PEPPERS, encryptionKeys: c.settings.ENCRYPTION_KEYS },
  );
  const [, ...olderLookups] = licenseLookups(productId, normalizeLicenseKey(licenseKey), c.settings.LICENSE_PEPPERS);
  await readyForTestKey(c.table, productId, at);
  await c.table.transact([
    ...addTestKey(place),
    ...addLicense(license, olderLookups),
    recordAudit(c, { actor: auditActorOf(caller), action: 'license.issue_test_key', targetId: license.id, after: { productId } }),
  ]);
  return { licenseId: license.id, licenseKey, expiresAt: place.expiresAt };
}

/** Those that ended or expired too, newest first. @throws AppError product_not_found, forbidden */
export async function listOwnTestKeys(table: Table, caller: Caller, productId: ProductId, page: PageRequest): Promise<Page<TestKey>> {
  await getOwnProduct(table, caller, productId);
  const { items, nextCursor } = await listTestKeys(table, productId, page);
  const found = await findLicenses(table, items);
  return { items: items.flatMap((id) => found.get(id) ?? []).map(toTestKey), nextCursor };
}

/** Ends a test key for good, in whatever state seller and product are; again it changes nothing. @throws AppError product_not_found, forbidden, license_not_found */
export async function endTestKey(c: Needs<'table' | 'now'>, caller: Caller, productId: ProductId, licenseId: LicenseId) {
  await getOwnProduct(c.table, caller, productId);
  const license = await getLicense(c.table, licenseId);
  if (license.orderId !== undefined || license.productId !== productId) throw new AppError('license_not_found');
  await revokeLicense(c, auditActorOf(caller), licenseId);
  return { licenseId };
}
