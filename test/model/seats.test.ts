import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { adminActor } from '../../shared/audit/actor.ts';
import { hasCode } from '../../shared/errors.ts';
import { freeActivationSeat, revokeLicense } from '../../shared/licenses/license-service.ts';
import { tries } from '../support/depth.ts';
import { createCollisions } from '../support/engines/faults.ts';
import { createTestTable } from '../support/engines/test-table.ts';
import { createInterleaver } from '../support/interleave.ts';
import { createLicenseHarness, type LicenseHarness } from '../support/scenes/licenses/license-harness.ts';

const devices = 3;
const commands = fc.oneof(
  { weight: 6, arbitrary: fc.record({ act: fc.constant('activate' as const), device: fc.nat(devices - 1) }) },
  { weight: 4, arbitrary: fc.record({ act: fc.constant('deactivate' as const), device: fc.nat(devices - 1) }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('validate' as const), device: fc.nat(devices - 1) }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constantFrom('hold' as const, 'let go' as const), device: fc.constant(0) }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('release' as const), device: fc.nat(devices - 1) }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('revoke' as const), device: fc.constant(0) }) },
);
type Command = typeof commands extends fc.Arbitrary<infer C> ? C : never;

describe('seats', () => {
  test('one request after the other is answered as by a simple model', async () => {
    const { table } = await createTestTable();
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 3 }), fc.array(commands, { minLength: 5, maxLength: 25 }), async (limit, sequence) => {
        const harness = await createLicenseHarness(table, { activationLimit: limit });
        const model = createModel(limit);
        for (const command of sequence) {
          expect([command, await run(harness, command)]).toEqual([command, model.run(command)]);
        }
        expect(await harness.seats()).toEqual({ activationCount: model.active.size, active: model.active.size });
      }),
      { numRuns: tries(20) },
    );
  }, 120_000);

  test('in every order of their requests to the table, no seat is doubled or lost', async () => {
    const interleaver = createInterleaver();
    const { table } = await createTestTable({ faults: interleaver });
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 3 }),
        fc.array(fc.array(commands, { minLength: 2, maxLength: 7 }), { minLength: 1, maxLength: 4 }),
        fc.infiniteStream(fc.nat(30)),
        async (limit, rounds, picks) => {
          const harness = await createLicenseHarness(table, { activationLimit: limit });
          let active = new Set<number>();
          let revoked = false;
          const released = new Map<number, number>();
          for (const round of rounds) {
            const tasks = round.map((command) => async () => ({ command, code: await run(harness, command) }));
            const results = await interleaver.run(picks, tasks);
            const of = (code: string, device?: number) =>
              results.filter((result) => result.code === code && (device === undefined || result.command.device === device)).length;

            const next = new Set<number>();
            for (let device = 0; device < devices; device += 1) {
              // Activations less releases are the seat at the end of the round less the seat at its start.
              const releases = await harness.releases(harness.activationId(device));
              const freed = of('deactivated', device) + releases - (released.get(device) ?? 0);
              released.set(device, releases);
              const has = Number(active.has(device)) + of('activated', device) - freed;
              expect([0, 1]).toContain(has);
              if (has === 1) next.add(device);
            }
            expect(await harness.seats()).toEqual({ activationCount: next.size, active: next.size });
            expect(next.size).toBeLessThanOrEqual(limit);
            if (of('limit') > 0) expect(active.size + of('activated')).toBeGreaterThanOrEqual(limit);
            expect(of('revoked')).toBeLessThanOrEqual(1);
            if (revoked) expect(of('activated') + of('valid')).toBe(0);
            active = next;
            revoked ||= of('revoked') > 0;
          }
        },
      ),
      { numRuns: tries(30) },
    );
  }, 120_000);

  test('a third of all transactions colliding changes nothing but the time it takes', async () => {
    let seed = 42;
    const faults = createCollisions(0.3, () => {
      seed = (seed * 1103515245 + 12345) % 2 ** 31;
      return seed / 2 ** 31;
    });
    const { table } = await createTestTable({ faults });
    const harness = await createLicenseHarness(table, { activationLimit: 5 });
    const storm = Array.from({ length: 120 }, (_, index) =>
      index % 3 === 2 ? harness.deactivate(index % 20) : harness.activate(index % 20),
    );
    const outcomes = await Promise.allSettled(storm);
    const failures = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
    expect(failures.filter((failure) => !hasCode(failure, 'dependency_unavailable'))).toEqual([]);
    expect(faults.collisions).toBeGreaterThan(10);
    const of = (code: string) => outcomes.filter((outcome) => outcome.status === 'fulfilled' && outcome.value.code === code).length;
    const active = of('activated') - of('deactivated');
    expect(await harness.seats()).toEqual({ activationCount: active, active });
    expect(active).toBeLessThanOrEqual(5);
  });
});

/** Runs a command, and returns its outcome as a code. */
async function run(harness: LicenseHarness, { act, device }: Command): Promise<string> {
  if (act === 'activate' || act === 'deactivate' || act === 'validate') return (await harness[act](device)).code;
  if (act === 'hold' || act === 'let go') {
    await harness.hold(act === 'hold' ? 'disputed' : undefined);
    return act;
  }
  if (act === 'revoke') return (await revokeLicense(harness, 'admin', harness.license.id)).processed ? 'revoked' : 'revoked before';
  try {
    await freeActivationSeat(harness, adminActor('admin'), harness.license.id, harness.activationId(device));
    return 'released';
  } catch (error) {
    if (hasCode(error, 'activation_not_found')) return 'unknown device';
    throw error;
  }
}

/** The rules about seats, for one request at a time. */
function createModel(limit: number) {
  const active = new Set<number>();
  const known = new Set<number>();
  let revoked = false;
  let held = false;
  const obstacle = () => (revoked ? 'license_revoked' : held ? 'license_disputed' : undefined);
  return {
    active,
    run({ act, device }: Command): string {
      switch (act) {
        case 'validate':
          return obstacle() ?? 'valid';
        case 'activate':
          if (obstacle()) return obstacle() ?? '';
          if (active.has(device)) return 'already_activated';
          if (active.size === limit) return 'limit';
          active.add(device);
          known.add(device);
          return 'activated';
        case 'deactivate':
          return active.delete(device) ? 'deactivated' : 'not_activated';
        case 'release':
          active.delete(device);
          return known.has(device) ? 'released' : 'unknown device';
        case 'revoke': {
          const first = !revoked;
          revoked = true;
          return first ? 'revoked' : 'revoked before';
        }
        default:
          held = act === 'hold';
          return act;
      }
    },
  };
}
