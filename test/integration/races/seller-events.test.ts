import { beforeAll, describe, expect, test } from '@jest/globals';
import { createSdkDynamo } from '../../../shared/db/dynamo/sdk-dynamo.ts';
import { createTable } from '../../../shared/db/table.ts';
import { statusOf } from '../../../shared/licenses/license.ts';
import { revokeLicense } from '../../../shared/licenses/license-service.ts';
import { createCrashPlan } from '../../support/engines/faults.ts';
import { createTestTable, type TestTable } from '../../support/engines/test-table.ts';
import { createInterleaver, inEveryOrder } from '../../support/interleave.ts';
import { disputeEvent, sessionEvent } from '../../support/samples/provider-events.ts';
import { createEventLog, told } from '../../support/scenes/events/event-log.ts';
import { openBuyerScene } from '../../support/scenes/licenses/buyer-scene.ts';
import { createLicenseHarness } from '../../support/scenes/licenses/license-harness.ts';
import { createProjectionHarness } from '../../support/scenes/projection-harness.ts';

const interleaver = createInterleaver();
let engine: TestTable;
let events: ReturnType<typeof createEventLog>;
beforeAll(async () => {
  engine = await createTestTable({ faults: interleaver });
  events = createEventLog({ table: engine.table });
});

const twice = { switches: 2 };
/** Whether what the second task told was true when it was written: before the first changed anything. */
function wasToldInTime(): boolean {
  const commits = interleaver.made.filter(({ name }) => name === 'TransactWriteItems').map(({ task }) => task);
  return commits.indexOf(0) > commits.lastIndexOf(1);
}
const typesOf = async (sellerId: string) => (await events.recordedOf(sellerId)).map(({ type }) => type);

describe('in every order of two at once, a seller is told what came of it', () => {
  test('two devices on one seat: that it was taken, and that there was none left', async () => {
    await inEveryOrder(async (picks) => {
      const { activate, license } = await createLicenseHarness(engine.table, { activationLimit: 1 });
      await interleaver.run(picks, [() => activate(0), () => activate(1)]);
      expect((await typesOf(license.sellerId)).toSorted()).toEqual(['activation.created', 'activation.refused']);
      // Whoever loses the last seat reads again, and is told then.
      expect(interleaver.made.length).toBeLessThanOrEqual(2 + 4);
    }, twice);
  });

  test('one device twice on its one seat: that it was taken, and not that there was none', async () => {
    await inEveryOrder(async (picks) => {
      const { activate, license } = await createLicenseHarness(engine.table, { activationLimit: 1 });
      await interleaver.run(picks, [() => activate(0), () => activate(0)]);
      expect(await typesOf(license.sellerId)).toEqual(['activation.created']);
    }, twice);
  });

  test('one device twice, when another has had the last seat until then', async () => {
    await inEveryOrder(async (picks) => {
      const { activate, deactivate, license } = await createLicenseHarness(engine.table, { activationLimit: 1 });
      await activate(0);
      const leaveAndTake = async () => [await deactivate(0), await activate(1)].map(({ code }) => code);
      const [, code] = await interleaver.run<unknown>(picks, [leaveAndTake, async () => (await activate(1)).code]);
      const told = await typesOf(license.sellerId);
      expect(told.filter((type) => type === 'activation.created')).toHaveLength(2);
      expect(told.filter((type) => type === 'activation.refused')).toHaveLength(code === 'limit' ? 1 : 0);
      if (code === 'limit') expect(wasToldInTime()).toBe(true);
    }, twice);
  });

  test('one device leaves the one seat that another asks for: that it was refused exactly if it was', async () => {
    await inEveryOrder(async (picks) => {
      const { activate, deactivate, license } = await createLicenseHarness(engine.table, { activationLimit: 1 });
      await activate(0);
      const [, reply] = await interleaver.run(picks, [() => deactivate(0), () => activate(1)]);
      const outcome = reply?.code === 'limit' ? 'activation.refused' : 'activation.created';
      expect((await typesOf(license.sellerId)).slice(1).toSorted()).toEqual([outcome, 'activation.released'].toSorted());
      if (reply?.code === 'limit') expect(wasToldInTime()).toBe(true);
    }, twice);
  });

  test('a seat that is asked for while the license is revoked: nothing of a refusal', async () => {
    await inEveryOrder(async (picks) => {
      const harness = await createLicenseHarness(engine.table, { activationLimit: 1 });
      const { activate, license } = harness;
      await activate(0);
      const revoke = () => revokeLicense(harness, 'admin', license.id);
      const [, reply] = await interleaver.run<unknown>(picks, [revoke, () => activate(1)]);
      const refused = (reply as { code: string }).code === 'limit' ? ['activation.refused'] : [];
      expect((await typesOf(license.sellerId)).slice(1).toSorted()).toEqual([...refused, 'license.status_changed']);
      if (refused.length > 0) expect(wasToldInTime()).toBe(true);
    }, twice);
  });

  test('a seat that is taken while the key is replaced: that as many were freed as had been taken', async () => {
    const scene = await openBuyerScene({ faults: interleaver });
    const log = createEventLog({ table: scene.table });
    await inEveryOrder(async (picks) => {
      const buyer = await scene.buy();
      await buyer.app('activate', 'desk');
      await interleaver.run<unknown>(picks, [() => buyer.direct.replaceKey(), () => buyer.app('activate', 'laptop')]);
      const recorded = (await log.recordedOf(buyer.license.sellerId)).map(told) as { type: string; releasedCount?: number }[];
      const taken = recorded.filter(({ type }) => type === 'activation.created').length;
      const freed = recorded.reduce((sum, { releasedCount = 0 }) => sum + releasedCount, 0);
      expect(freed).toBe(taken);
    }, twice);
  });

  test('a revocation and a dispute: each status follows from the one before, down to the last', async () => {
    const harness = await createProjectionHarness({ table: engine.table });
    await inEveryOrder(async (picks) => {
      const order = await harness.addOrder();
      await harness.deliver(sessionEvent(order, 'completed'));
      const { license } = await harness.show(order.id);
      if (!license) throw new Error('There is no license.');
      await harness.receiveEvent('platform', disputeEvent(order, 'created', 'needs_response'));
      const message = harness.queue.take();
      const project = () => harness.project({ Records: message.Records.filter(({ body }) => body.includes('project-event')) });
      await interleaver.run<unknown>(picks, [project, () => revokeLicense(harness, 'admin', license.id)]);
      const changes = (await events.recordedOf(license.id)).filter(({ type }) => type === 'license.status_changed').map(({ data }) => data);
      const path = changes.map(({ previousStatus, status }) => `${previousStatus} ${status}`).toSorted();
      expect([['active disputed', 'disputed revoked'], ['active revoked']]).toContainEqual(path);
      const { license: last } = await harness.show(order.id);
      expect([last?.paymentHold, last && statusOf(last, new Date())]).toEqual(['disputed', 'revoked']);
    });
  }, 60_000);
});

describe('a process that dies at any call of', () => {
  const acts = [
    ['an activation', 'activation.created', []],
    ['a refusal', 'activation.refused', [1, 2]],
    ['a deactivation', 'activation.released', [0]],
  ] as const;

  test.each(acts)('%s leaves the change together with what is told of it, or neither', async (what, type, seated) => {
    const plan = createCrashPlan();
    const { table, tableName } = await createTestTable({ faults: plan });
    const log = createEventLog({ table: createTable({ tableName, dynamo: createSdkDynamo() }) });
    let outcomes = 0;
    for (const when of ['before', 'after'] as const) {
      for (let call = 1, died = true; died; call += 1) {
        plan.revive();
        const { activate, deactivate, license, seats } = await createLicenseHarness(table, { activationLimit: 2 });
        for (const device of seated) await activate(device);
        plan.crashAt(call, when);
        const act = what === 'a deactivation' ? deactivate : activate;
        died = await act(0).then(
          () => false,
          () => true,
        );
        plan.revive();
        const told = (await log.recordedOf(license.sellerId)).slice(seated.length);
        const { activationCount, active } = await seats();
        expect(active).toBe(activationCount);
        const changed = what === 'a refusal' ? told.length : Math.abs(activationCount - seated.length);
        expect(told.map((event) => event.type)).toEqual(changed === 1 ? [type] : []);
        if (!died) expect(told).toHaveLength(1);
        outcomes += told.length;
      }
    }
    // Twice it did not die, and once it died after its transaction.
    expect(outcomes).toBe(3);
  });
});
