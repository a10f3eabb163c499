import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { OptimisticLockError } from '../../../shared/db/optimistic-lock.ts';
import type { Page } from '../../../shared/db/sharded-list.ts';
import type { Table } from '../../../shared/db/table.ts';
import { type LicenseId, newId } from '../../../shared/ids.ts';
import { listActiveDevices } from '../../../shared/licenses/buyers/active-device-repository.ts';
import type { Device, License } from '../../../shared/licenses/license.ts';
import {
  findDevice,
  findLicenseAndDevice,
  findLicenseById,
  findLicenses,
  freeSeat,
  getLicense,
  listDevices,
  recordLicenseChange,
  recordLicenseHold,
  recordRevocation,
  refuseSeat,
  takeSeat,
} from '../../../shared/licenses/license-repository.ts';
import { beginMove, clearDevice, moveDevice } from '../../../shared/licenses/rekeying/license-move-repository.ts';
import { createTestTable, type TestTable } from '../../support/engines/test-table.ts';
import { createInterleaver, inEveryOrder } from '../../support/interleave.ts';
import { issueTestLicense } from '../../support/samples/licenses.ts';

const now = new Date('2026-02-01T00:00:00.000Z');
const later = new Date('2026-02-01T00:00:01.000Z');
const minutesLater = (minutes: number) => new Date(now.getTime() + minutes * 60_000);
const interleaver = createInterleaver();

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

describe('a license that moves to another lookup', () => {
  let table: Table;
  let license: License;
  let to: string;
  const take = (of: License, deviceHash: string) => table.transact(takeSeat(of, { deviceHash, now }));
  const begin = async () => {
    await table.transact(beginMove(await getLicense(table, license.id), to, now));
    return getLicense(table, license.id);
  };
  /** Has the record of a device follow. */
  const move = async (deviceHash: string) =>
    void (await table.transact(moveDevice((await findDevice(table, await getLicense(table, license.id), deviceHash))!, to, now)));
  const active = async (of: License) => (await listActiveDevices(table, of, { limit: 50 })).items.map(({ deviceHash }) => deviceHash);

  beforeAll(async () => {
    ({ table } = await createTestTable({ faults: interleaver }));
  });
  const issue = async () => {
    ({ license } = await issueTestLicense(table, { activationLimit: 3 }));
    to = `2.${license.id}`;
  };
  beforeEach(issue);

  test('is under the new lookup at once, and what was decided under the old one is decided anew', async () => {
    await take(license, 'A');
    const device = await findDevice(table, license, 'A');
    const moving = await begin();
    expect(moving).toEqual({ ...license, lookup: to, movingFrom: license.lookup, activationCount: 1 });
    await expect(take(license, 'B')).rejects.toThrow(OptimisticLockError);
    await expect(table.transact(freeSeat(license, device!, now))).rejects.toThrow(OptimisticLockError);
    await expect(table.write(recordLicenseHold(license, 'refunded'))).rejects.toThrow(OptimisticLockError);
    await table.write(recordLicenseHold(moving, 'refunded'));
    expect(await getLicense(table, license.id)).toMatchObject({ paymentHold: 'refunded' });
  });

  test('is not moved as it was read when it has changed since', async () => {
    await take(license, 'A');
    await expect(table.transact(beginMove(license, to, now))).rejects.toThrow(OptimisticLockError);
    await table.write(recordLicenseHold(license, 'disputed'));
    const held = await getLicense(table, license.id);
    await table.write(recordLicenseHold(held, undefined));
    await expect(table.transact(beginMove(held, to, now))).rejects.toThrow(OptimisticLockError);
  });

  test('keeps the seat of a device whether or not its record has followed', async () => {
    await take(license, 'A');
    const moving = await begin();
    const read = () => findLicenseAndDevice(table, [{ lookups: [to, license.lookup], deviceHash: 'A' }]);
    expect(await read()).toMatchObject({ license: moving, device: expect.objectContaining({ lookup: license.lookup }) });
    const { device } = await read();
    await table.transact(moveDevice(device!, to, now));
    expect(await read()).toMatchObject({ license: moving, device: { ...device, lookup: to } });
    await expect(take(moving, 'A')).rejects.toThrow(OptimisticLockError);
    await expect(table.transact(moveDevice(device!, to, now))).rejects.toThrow(OptimisticLockError);
    await expect(table.transact(freeSeat(moving, device!, now))).rejects.toThrow(OptimisticLockError);
    await table.transact(freeSeat(moving, (await read()).device!, now));
    expect(await getLicense(table, license.id)).toMatchObject({ activationCount: 0 });
  });

  test('frees and takes again the seat of a device that has not followed', async () => {
    await take(license, 'A');
    const moving = await begin();
    const active = await findDevice(table, moving, 'A');
    await table.transact(freeSeat(moving, active!, later));
    await expect(table.transact(moveDevice(active!, to, later))).rejects.toThrow(OptimisticLockError);
    const freed = await findDevice(table, moving, 'A');
    await table.transact(takeSeat(moving, { deviceHash: 'A', device: freed, now: later }));
    await expect(table.transact(moveDevice(freed!, to, later))).rejects.toThrow(OptimisticLockError);
    expect(await getLicense(table, license.id)).toMatchObject({ activationCount: 1 });
  });

  test('is found by what it left behind alone', async () => {
    await take(license, 'A');
    const moving = await begin();
    const device = await findDevice(table, moving, 'A');
    await table.transact(moveDevice(device!, to, now));
    const found = await findLicenseAndDevice(table, [{ lookups: [license.lookup], deviceHash: 'A' }]);
    expect(found).toMatchObject({ license: { id: license.id, activationCount: 1, movedTo: to }, device: { movedTo: to } });
  });

  test('lists each device once, in pages, wherever its record is; of those that have a seat the newest first', async () => {
    for (const [minute, deviceHash] of ['A', 'C', 'E'].entries())
      await table.transact(takeSeat(license, { deviceHash, now: minutesLater(minute) }));
    const moving = await begin();
    await move('C');
    const pagesOf = async (list: (cursor?: string) => Promise<Page<Device>>) => {
      const first = await list();
      const second = await list(first.nextCursor);
      expect(second.nextCursor).toBeUndefined();
      return [...first.items, ...second.items].map(({ deviceHash, lookup }) => `${deviceHash} ${lookup === to}`);
    };
    expect(await pagesOf((cursor) => listDevices(table, moving, { limit: 2, cursor }))).toEqual(['A false', 'C true', 'E false']);
    expect(await pagesOf((cursor) => listActiveDevices(table, moving, { limit: 2, cursor }))).toEqual(['E false', 'C true', 'A false']);
    await table.transact(freeSeat(moving, (await findDevice(table, moving, 'C'))!, later));
    expect(await active(moving)).toEqual(['E', 'A']);
  });

  test('lists all that have a seat while they move, whatever was read of it before', async () => {
    const orders = await inEveryOrder(async (picks) => {
      await issue();
      for (const [minute, deviceHash] of ['A', 'B', 'C'].entries())
        await table.transact(takeSeat(license, { deviceHash, now: minutesLater(minute) }));
      const moving = await begin();
      const [listed] = await interleaver.run<unknown>(picks, [() => active(moving), () => move('B')]);
      expect(listed).toEqual(['C', 'B', 'A']);
    });
    expect(orders).toBeGreaterThanOrEqual(3);
  });

  test('lists those of before when the move began after the license was read', async () => {
    await take(license, 'A');
    const read = await getLicense(table, license.id);
    await begin();
    await move('A');
    expect(await active(read)).toEqual(['A']);
  });

  test('is not done with before every record has followed', async () => {
    await take(license, 'A');
    const moving = await begin();
    const device = await findDevice(table, moving, 'A');
    await expect(table.transact(clearDevice(device!))).rejects.toThrow(OptimisticLockError);
  });
});
