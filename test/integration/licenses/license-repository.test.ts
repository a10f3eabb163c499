import { beforeAll, describe, expect, test } from '@jest/globals';
import { OptimisticLockError } from '../../../shared/db/optimistic-lock.ts';
import type { Table } from '../../../shared/db/table.ts';
import { type LicenseId, newId } from '../../../shared/ids.ts';
import type { License } from '../../../shared/licenses/license.ts';
import {
  findDevice,
  findLicenseAndDevice,
  findLicenseById,
  findLicenses,
  freeSeat,
  getLicense,
  recordLicenseChange,
  recordLicenseHold,
  recordRevocation,
  refuseSeat,
  takeSeat,
} from '../../../shared/licenses/license-repository.ts';
import { createTestTable, type TestTable } from '../../support/engines/test-table.ts';
import { issueTestLicense } from '../../support/samples/licenses.ts';

const now = new Date('2026-02-01T00:00:00.000Z');

/** What a path may hold in the place of an id. */
const notAnId = 'lic_../x' as LicenseId;

describe('licenses in the table', () => {
  let setup: TestTable;
  let table: Table;

  beforeAll(async () => {
    setup = await createTestTable();
    table = setup.table;
  });

  test('a license is found by its lookup, its id, or among others', async () => {
    const { license } = await issueTestLicense(table);
    const other = await issueTestLicense(table);
    setup.takeRequestCounts();
    expect(await findLicenseAndDevice(table, [{ lookups: [license.lookup], deviceHash: 'NONE' }])).toMatchObject({
      license,
      device: undefined,
    });
    expect(setup.takeRequestCounts()).toEqual({ BatchGetItem: 1 });
    expect(await findLicenseById(table, license.id)).toEqual(license);
    setup.takeRequestCounts();
    const found = await findLicenses(table, [license.id, other.license.id, license.id, newId('license'), notAnId, '../' as LicenseId]);
    expect(setup.takeRequestCounts()).toEqual({ BatchGetItem: 2 });
    expect([...found.keys()].sort()).toEqual([license.id, other.license.id].sort());
  });

  test('what is not a license id is not found, without a read', async () => {
    setup.takeRequestCounts();
    expect(await findLicenseById(table, notAnId)).toBeUndefined();
    expect((await findLicenses(table, ['x' as LicenseId])).size).toBe(0);
    expect(setup.takeRequestCounts()).toEqual({});
    await expect(getLicense(table, newId('license'))).rejects.toMatchObject({ code: 'license_not_found' });
  });

  test('neither a license key nor a license id is issued twice', async () => {
    const { key, license } = await issueTestLicense(table);
    await expect(issueTestLicense(table, { key, productId: license.productId })).rejects.toThrow();
    await expect(issueTestLicense(table, { id: license.id })).rejects.toThrow();
  });

  test.each([
    { revokedAt: now.toISOString() },
    { paymentHold: 'refunded' as const },
    { paymentHold: 'disputed' as const },
    { suspendedAt: now.toISOString() },
    { expiresAt: now.toISOString() },
  ])('no seat is taken of a license with %j, or refused as one too many, whatever the caller has read', async (facts) => {
    const { license } = await issueTestLicense(table, facts);
    await expect(table.transact(takeSeat(license, { deviceHash: 'A', now }))).rejects.toThrow(OptimisticLockError);
    expect(await findDevice(table, license, 'A')).toBeUndefined();
    const { license: full } = await issueTestLicense(table, { activationLimit: 1, activationCount: 1, ...facts });
    await expect(table.transact(refuseSeat(full, { deviceHash: 'A', now }))).rejects.toThrow(OptimisticLockError);
  });

  test('a seat is refused while every one is another device’s, and the license usable', async () => {
    const { license } = await issueTestLicense(table, { activationLimit: 1 });
    const refuse = (deviceHash: string) => table.transact(refuseSeat(license, { deviceHash, now }));
    await expect(refuse('B')).rejects.toThrow(OptimisticLockError);
    await table.transact(takeSeat(license, { deviceHash: 'A', now }));
    await refuse('B');
    await expect(refuse('A')).rejects.toThrow(OptimisticLockError);
    const device = await findDevice(table, license, 'A');
    await table.transact(freeSeat(license, device!, now));
    await expect(refuse('A')).rejects.toThrow(OptimisticLockError);
  });

  test('a hold and a revocation demand the status as it was read', async () => {
    const { license } = await issueTestLicense(table);
    const revoke = (read: License) => recordRevocation(read, { revokedAt: now.toISOString(), revokedBy: 'admin' });
    await table.write(recordLicenseChange(license, { suspendedAt: now.toISOString() }));
    for (const write of [recordLicenseHold(license, 'disputed'), revoke(license)]) {
      await expect(table.write(write)).rejects.toThrow(OptimisticLockError);
    }
    await table.write(recordLicenseHold(await getLicense(table, license.id), 'disputed'));
    await table.write(revoke(await getLicense(table, license.id)));
    expect(await getLicense(table, license.id)).toMatchObject({ paymentHold: 'disputed', revokedBy: 'admin' });
  });
});
