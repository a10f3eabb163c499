import { beforeAll, describe, expect, test } from '@jest/globals';
import { adminActor } from '../../../shared/audit/actor.ts';
import { createSdkDynamo } from '../../../shared/db/dynamo/sdk-dynamo.ts';
import { createTable, type Table } from '../../../shared/db/table.ts';
import { freeActivationSeat, revokeLicense } from '../../../shared/licenses/license-service.ts';
import { crashPoints, createCrashPlan } from '../../support/engines/faults.ts';
import { createTestTable } from '../../support/engines/test-table.ts';
import { createInterleaver, inEveryOrder, meetingsOf, readingOneByOne } from '../../support/interleave.ts';
import { createEventLog } from '../../support/scenes/events/event-log.ts';
import { createLicenseHarness, type LicenseHarness } from '../../support/scenes/licenses/license-harness.ts';
import { expectSerializable } from '../../support/serializable.ts';

const interleaver = createInterleaver();
let table: Table;
let events: ReturnType<typeof createEventLog>;
beforeAll(async () => {
  table = readingOneByOne((await createTestTable({ faults: interleaver })).table);
  events = createEventLog({ table });
});

/** Types alone, since events of one moment have no order. */
const takeToldOf = async (sellerId: string) => (await events.take(sellerId)).map(({ type }) => type).toSorted();

type Act = (harness: LicenseHarness) => Promise<unknown>;
const answered = async (reply: Promise<{ code?: string; activationCount?: number | undefined }>) => {
  const { code, activationCount } = await reply;
  return { code, activationCount };
};
const activate =
  (device: number): Act =>
  (harness) =>
    answered(harness.activate(device));
const leave: Act = (harness) => answered(harness.deactivate(0));
const free: Act = (harness) => answered(freeActivationSeat(harness, adminActor('admin'), harness.license.id, harness.activationId(0)));
const revoke: Act = async (harness) => (await revokeLicense(harness, 'admin', harness.license.id)).processed;
const hold: Act = (harness) => harness.hold('disputed').then(() => 'held');

const meetings: [what: string, activationLimit: number, seated: number[], one: Act, other: Act][] = [
  ['two devices on one seat', 1, [], activate(0), activate(1)],
  ['one device twice', 2, [], activate(0), activate(0)],
  ['one device twice on its one seat', 1, [], activate(0), activate(0)],
  ['one device that leaves twice', 3, [0, 1, 2], leave, leave],
  ['one device whose seat an admin frees twice', 3, [0, 1, 2], free, free],
  ['one device that leaves the one seat, and another that takes it', 1, [0], leave, activate(1)],
  ['a device on a license that is revoked', 1, [], activate(0), revoke],
  ['a device that is refused on a license that is revoked', 1, [0], activate(1), revoke],
  ['a device on a license that is held', 1, [], activate(0), hold],
];

describe('in every order of two requests at once', () => {
  test.each(meetings)(
    '%s: seats, replies and what the seller is told are as of one after the other',
    async (_, activationLimit, seated, one, other) => {
      await expectSerializable(meetingsOf(interleaver, { switches: 2, areDecidedAtOnce: true }), async () => {
        const harness = await createLicenseHarness(table, { activationLimit });
        for (const device of seated) await harness.activate(device);
        return {
          tasks: [() => one(harness), () => other(harness)],
          async end() {
            const seats = await harness.seats();
            expect(seats.active).toBe(seats.activationCount);
            return { seats, told: await takeToldOf(harness.license.sellerId) };
          },
        };
      });
    },
  );

  test('one device twice, when another has had the last seat until then: it is told as refused if it was', async () => {
    await inEveryOrder(
      async (picks) => {
        const harness = await createLicenseHarness(table, { activationLimit: 1 });
        await harness.activate(0);
        const leaveForAnother = async () => [await harness.deactivate(0), await harness.activate(1)].at(-1);
        const [, asked] = await interleaver.run(picks, [leaveForAnother, () => harness.activate(1)]);
        const refused = asked?.code === 'limit' ? ['activation.refused'] : [];
        const told = await takeToldOf(harness.license.sellerId);
        expect(told).toEqual(['activation.created', 'activation.created', ...refused, 'activation.released']);
      },
      { switches: 2 },
    );
  });

  test('a device takes its seat while it is validated: it counts, once it is told that it has one', async () => {
    await inEveryOrder(async (picks) => {
      const harness = await createLicenseHarness(table, { activationLimit: 1 });
      const [, validated] = await interleaver.run<any>(picks, [() => harness.activate(0), () => harness.validate(0)]);
      if (validated.deviceActivated) expect(validated.activationCount).toBe(1);
    });
  });
});

test.each<[string, string, number[], Act]>([
  ['an activation', 'activation.created', [], activate(0)],
  ['a refusal', 'activation.refused', [1, 2], activate(0)],
  ['a deactivation', 'activation.released', [0], leave],
])(
  'a process that dies at any call of %s leaves the change together with what is told of it, or neither',
  async (what, type, seated, act) => {
    const plan = createCrashPlan();
    const mortal = await createTestTable({ faults: plan });
    const log = createEventLog({ table: createTable({ tableName: mortal.tableName, dynamo: createSdkDynamo() }) });
    const cutOff = async (call: number, when: 'before' | 'after') => {
      const harness = await createLicenseHarness(mortal.table, { activationLimit: 2 });
      for (const device of seated) await harness.activate(device);
      plan.crashAt(call, when);
      await act(harness).catch(() => undefined);
      const { calls } = plan;
      plan.revive();
      const told = (await log.recordedOf(harness.license.sellerId)).slice(seated.length).map((event) => event.type);
      const { activationCount, active } = await harness.seats();
      expect(active).toBe(activationCount);
      const isDone = what === 'a refusal' ? told.length > 0 : activationCount !== seated.length;
      expect(told).toEqual(isDone ? [type] : []);
      return { calls, isDone };
    };
    const { calls, isDone } = await cutOff(Number.POSITIVE_INFINITY, 'before');
    expect(isDone).toBe(true);
    for (const { call, when } of crashPoints(calls)) expect((await cutOff(call, when)).isDone).toBe(when === 'after');
  },
);
