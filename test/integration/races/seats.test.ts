import { beforeAll, describe, expect, test } from '@jest/globals';
import { adminActor } from '../../../shared/audit/actor.ts';
import type { Table } from '../../../shared/db/table.ts';
import { freeActivationSeat, revokeLicense } from '../../../shared/licenses/license-service.ts';
import { createTestTable } from '../../support/engines/test-table.ts';
import { createInterleaver, inEveryOrder, readingOneByOne } from '../../support/interleave.ts';
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

  test.each(['its app', 'an admin'])(
    'one device loses its seat twice by %s: one is freed, and both are told how many are left',
    async (who) => {
      await inEveryOrder(async (picks) => {
        const harness = await createLicenseHarness(readingOneByOne(table), { activationLimit: 3 });
        for (const device of [0, 1, 2]) await harness.activate(device);
        const release = () => freeActivationSeat(harness, adminActor('admin'), harness.license.id, harness.activationId(0));
        const leave = async () => (who === 'its app' ? harness.deactivate(0) : { ...(await release()), code: 'released' });
        const replies = await interleaver.run(picks, [leave, leave]);
        expect(replies.map(({ activationCount }) => activationCount)).toEqual([2, 2]);
        const codes = who === 'its app' ? ['deactivated', 'not_activated'] : ['released', 'released'];
        expect(replies.map(({ code }) => code).toSorted()).toEqual(codes);
        expect(await harness.seats()).toEqual({ activationCount: 2, active: 2 });
      }, twice);
    },
  );

  test('a device takes its seat while it is validated: it counts, once it is told that it has one', async () => {
    await inEveryOrder(async (picks) => {
      const harness = await createLicenseHarness(readingOneByOne(table), { activationLimit: 1 });
      const [, validated] = await interleaver.run<any>(picks, [() => harness.activate(0), () => harness.validate(0)]);
      if (validated.deviceActivated) expect(validated.activationCount).toBe(1);
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
      const stop = () => (how === 'held' ? harness.hold('disputed') : revokeLicense(harness, 'admin', harness.license.id));
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
