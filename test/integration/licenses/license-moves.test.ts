import { beforeEach, describe, expect, test } from '@jest/globals';
import { OptimisticLockError } from '../../../shared/db/optimistic-lock.ts';
import type { Table } from '../../../shared/db/table.ts';
import type { License } from '../../../shared/licenses/license.ts';
import {
  findDevice,
  findLicenseAndDevice,
  freeSeat,
  getLicense,
  listDevices,
  recordLicenseHold,
  takeSeat,
} from '../../../shared/licenses/license-repository.ts';
import { beginMove, clearDevice, moveDevice } from '../../../shared/licenses/rekeying/license-move-repository.ts';
import { createTestTable } from '../../support/engines/test-table.ts';
import { issueTestLicense } from '../../support/samples/licenses.ts';

const now = new Date('2026-02-01T00:00:00.000Z');
const later = new Date('2026-02-01T00:00:01.000Z');
const to = '2.elsewhere';

describe('a license that moves to another lookup', () => {
  let table: Table;
  let license: License;
  const take = (of: License, deviceHash: string) => table.transact(takeSeat(of, { deviceHash, now }));
  const begin = async () => {
    await table.transact(beginMove(await getLicense(table, license.id), to, now));
    return getLicense(table, license.id);
  };

  beforeEach(async () => {
    ({ table } = await createTestTable());
    ({ license } = await issueTestLicense(table, { activationLimit: 3 }));
  });

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

  test('gives no second seat to a device that took its own just before the move', async () => {
    // The device was read before it had a record, the license after its move had begun.
    await take(license, 'A');
    const moving = await begin();
    await expect(take(moving, 'A')).rejects.toThrow(OptimisticLockError);
    expect((await listDevices(table, moving, { limit: 10 })).items).toHaveLength(1);
  });

  test('is found by what it left behind alone', async () => {
    await take(license, 'A');
    const moving = await begin();
    const device = await findDevice(table, moving, 'A');
    await table.transact(moveDevice(device!, to, now));
    const found = await findLicenseAndDevice(table, [{ lookups: [license.lookup], deviceHash: 'A' }]);
    expect(found).toMatchObject({ license: { id: license.id, activationCount: 1, movedTo: to }, device: { movedTo: to } });
  });

  test('lists each device once, in pages, wherever its record is', async () => {
    for (const deviceHash of ['A', 'C', 'E']) await take(license, deviceHash);
    const moving = await begin();
    await table.transact(moveDevice((await findDevice(table, moving, 'C'))!, to, now));
    const hashes: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await listDevices(table, moving, { limit: 1, cursor });
      hashes.push(...page.items.map(({ deviceHash, lookup, movedTo }) => `${deviceHash} ${lookup === to} ${movedTo}`));
      cursor = page.nextCursor;
    } while (cursor);
    expect(hashes).toEqual(['A false undefined', 'C true undefined', 'E false undefined']);
  });

  test('is not done with before every record has followed', async () => {
    await take(license, 'A');
    const moving = await begin();
    const device = await findDevice(table, moving, 'A');
    await expect(table.transact(clearDevice(device!))).rejects.toThrow(OptimisticLockError);
  });
});
