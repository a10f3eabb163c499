import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Table } from '../../../shared/db/table.ts';
import { createTestTable } from '../../support/engines/test-table.ts';
import { createInterleaver, inEveryOrder } from '../../support/interleave.ts';
import { createLicenseHarness } from '../../support/scenes/licenses/license-harness.ts';

const interleaver = createInterleaver();
let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable({ faults: interleaver }));
});

const twice = { switches: 2 };

describe('in every order of two requests at once', () => {
  test('two devices on one seat: one has it, the other is refused', async () => {
    const orders = await inEveryOrder(async (picks) => {
      const harness = await createLicenseHarness(table, { activationLimit: 1 });
      const replies = await interleaver.run(picks, [() => harness.activate(0), () => harness.activate(1)]);
      expect(replies.map(({ code }) => code).toSorted()).toEqual(['activated', 'limit']);
      expect(await harness.seats()).toEqual({ activationCount: 1, active: 1 });
    }, twice);
    expect(orders).toBeGreaterThanOrEqual(5);
  });

  test('one device twice: it takes one seat', async () => {
    await inEveryOrder(async (picks) => {
      const harness = await createLicenseHarness(table, { activationLimit: 2 });
      const replies = await interleaver.run(picks, [() => harness.activate(0), () => harness.activate(0)]);
      expect(replies.map(({ code }) => code).toSorted()).toEqual(['activated', 'already_activated']);
      expect(await harness.seats()).toEqual({ activationCount: 1, active: 1 });
    }, twice);
  });

  test('one device leaves twice: it frees one seat', async () => {
    await inEveryOrder(async (picks) => {
      const harness = await createLicenseHarness(table, { activationLimit: 2 });
      await harness.activate(0);
      await harness.activate(1);
      const replies = await interleaver.run(picks, [() => harness.deactivate(0), () => harness.deactivate(0)]);
      expect(replies.map(({ code }) => code).toSorted()).toEqual(['deactivated', 'not_activated']);
      expect(await harness.seats()).toEqual({ activationCount: 1, active: 1 });
    }, twice);
  });

  test('one device leaves the one seat that another takes: the seat has at most one', async () => {
    await inEveryOrder(async (picks) => {
      const harness = await createLicenseHarness(table, { activationLimit: 1 });
      await harness.activate(0);
      const [, taken] = await interleaver.run(picks, [() => harness.deactivate(0), () => harness.activate(1)]);
      const has = taken?.code === 'activated' ? 1 : 0;
      expect(await harness.seats()).toEqual({ activationCount: has, active: has });
    }, twice);
  });

  test.each(['revoked', 'held'])('a device on a license that is being %s: it takes no seat afterwards', async (how) => {
    await inEveryOrder(async (picks) => {
      const harness = await createLicenseHarness(table, { activationLimit: 1 });
      const stop = () => (how === 'held' ? harness.hold('disputed') : harness.admin.revokeLicense('admin', harness.license.id));
      const [reply] = await interleaver.run<unknown>(picks, [() => harness.activate(0), stop]);
      const { code } = reply as { code: string };
      const has = code === 'activated' ? 1 : 0;
      expect(await harness.seats()).toEqual({ activationCount: has, active: has });
      const stopping = how === 'held' ? 'UpdateItem' : 'TransactWriteItems';
      const stopped = interleaver.made.findIndex(({ task, name }) => task === 1 && name === stopping);
      const seated = interleaver.made.findLastIndex(({ task, name }) => task === 0 && name === 'TransactWriteItems');
      if (has === 1) expect(seated).toBeLessThan(stopped);
    }, twice);
  });
});
