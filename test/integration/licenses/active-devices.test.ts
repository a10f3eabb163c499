import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Table } from '../../../shared/db/table.ts';
import { listActiveDevices } from '../../../shared/licenses/buyers/active-device-repository.ts';
import type { License } from '../../../shared/licenses/license.ts';
import { findDevice, freeSeat, getLicense, takeSeat } from '../../../shared/licenses/license-repository.ts';
import { beginMove, moveDevice } from '../../../shared/licenses/rekeying/license-move-repository.ts';
import { createTestTable } from '../../support/engines/test-table.ts';
import { createInterleaver, inEveryOrder } from '../../support/interleave.ts';
import { issueTestLicense } from '../../support/samples/licenses.ts';

const interleaver = createInterleaver();
const at = (minute: number) => new Date(Date.parse('2026-02-01T00:00:00.000Z') + minute * 60_000);

describe('the devices that have a seat of a license that moves', () => {
  let table: Table;

  beforeEach(async () => {
    ({ table } = await createTestTable({ faults: interleaver }));
  });

  /** On which A, B and C took their seats, one after another. */
  async function beginMoveTo(to: string): Promise<License> {
    const { license } = await issueTestLicense(table, { activationLimit: 3 });
    for (const [minute, deviceHash] of ['A', 'B', 'C'].entries()) {
      await table.transact(takeSeat(license, { deviceHash, now: at(minute) }));
    }
    await table.transact(beginMove(await getLicense(table, license.id), to, at(10)));
    return getLicense(table, license.id);
  }
  const move = async (license: License, deviceHash: string) =>
    table.transact(moveDevice((await findDevice(table, license, deviceHash))!, license.lookup, at(11)));
  const list = async (license: License, limit = 50, cursor?: string) => {
    const { items, nextCursor } = await listActiveDevices(table, license, { limit, cursor });
    return { hashes: items.map(({ deviceHash }) => deviceHash), nextCursor };
  };

  test('are listed once each, wherever their records are, in pages', async () => {
    const license = await beginMoveTo('2.pages');
    await move(license, 'B');
    expect(await list(license)).toEqual({ hashes: ['C', 'B', 'A'], nextCursor: undefined });
    const first = await list(license, 2);
    expect(first.hashes).toEqual(['C', 'B']);
    expect(await list(license, 2, first.nextCursor)).toEqual({ hashes: ['A'], nextCursor: undefined });
  });

  test('are not those that lost it after they moved', async () => {
    const license = await beginMoveTo('2.freed');
    await move(license, 'B');
    await table.transact(freeSeat(license, (await findDevice(table, license, 'B'))!, at(12)));
    expect((await list(license)).hashes).toEqual(['C', 'A']);
  });

  test('are all listed while they move, whatever was read of the license before', async () => {
    let scene = 0;
    const orders = await inEveryOrder(async (picks) => {
      scene += 1;
      const license = await beginMoveTo(`2.scene-${scene}`);
      const tasks = [() => list(license), async () => void (await move(license, 'B'))];
      const [listed] = await interleaver.run<unknown>(picks, tasks);
      expect(listed).toEqual({ hashes: ['C', 'B', 'A'], nextCursor: undefined });
    });
    expect(orders).toBeGreaterThanOrEqual(3);
  });

  test('are those of before when the move began after the license was read', async () => {
    const { license } = await issueTestLicense(table, { activationLimit: 3 });
    await table.transact(takeSeat(license, { deviceHash: 'A', now: at(0) }));
    const read = await getLicense(table, license.id);
    await table.transact(beginMove(read, '2.later', at(10)));
    await move(await getLicense(table, license.id), 'A');
    expect((await list(read)).hashes).toEqual(['A']);
  });
});
