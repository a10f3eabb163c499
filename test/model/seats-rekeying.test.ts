import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Keyring } from '../../shared/crypto/keyring.ts';
import { devicesOfLicense, licenseKey, seatsOfLicense } from '../../shared/db/keys.ts';
import type { Table } from '../../shared/db/table.ts';
import type { LicenseId } from '../../shared/ids.ts';
import { getLicense } from '../../shared/licenses/license-repository.ts';
import { type RekeyReport, rekeyLicenses } from '../../shared/licenses/rekeying/rekeying.ts';
import { tries } from '../support/depth.ts';
import { createTestTable } from '../support/engines/test-table.ts';
import { createInterleaver, readingOneByOne } from '../support/interleave.ts';
import { encryptionKeys, issueTestLicense, keyringOf } from '../support/samples/licenses.ts';
import { createLicenseHarness } from '../support/scenes/licenses/license-harness.ts';
import { listingOnly } from '../support/scenes/licenses/listing-only.ts';

const devices = 3;
const minute = 61_000;
const bothPeppers = keyringOf('2', '1');

const commands = fc.record({
  act: fc.constantFrom('activate' as const, 'activate' as const, 'deactivate' as const, 'validate' as const, 'rekey' as const),
  device: fc.nat(devices - 1),
});

function startRekeying(
  table: Table,
  clock: { now: number },
  { peppers = bothPeppers, only }: { peppers?: Keyring; only?: LicenseId } = {},
) {
  const c = {
    table: only === undefined ? table : listingOnly(table, only),
    now: () => new Date(clock.now),
    settings: { ENCRYPTION_KEYS: encryptionKeys, LICENSE_PEPPERS: peppers },
  };
  return {
    pass: () => rekeyLicenses(c),
    async untilNothingIsLeft(): Promise<RekeyReport[]> {
      const reports = [await rekeyLicenses(c)];
      while (reports.at(-1)?.left !== 0 && reports.length < 6) {
        clock.now += minute;
        reports.push(await rekeyLicenses(c));
      }
      return reports;
    },
  };
}

describe('re-keying to a new pepper', () => {
  test('moves a license with its devices, counts what is left, and ends with nothing on the old pepper', async () => {
    const { table } = await createTestTable();
    const harness = await createLicenseHarness(table, { activationLimit: 100, peppers: bothPeppers });
    await Promise.all(Array.from({ length: 90 }, (_, device) => harness.activate(device)));
    await Promise.all(Array.from({ length: 30 }, (_, device) => harness.deactivate(device)));
    const other = await issueTestLicense(table);
    await issueTestLicense(table, { peppers: keyringOf('2') });
    const { lookup } = harness.license;
    const clock = { now: Date.parse('2026-02-01T00:00:00.000Z') };
    const rekeying = startRekeying(table, clock);

    expect(await rekeying.pass()).toEqual({ moved: 2, finished: 0, left: 2, failures: [] });
    expect(await harness.seats()).toEqual({ activationCount: 60, active: 60 });
    expect(await rekeying.pass()).toEqual({ moved: 0, finished: 0, left: 2, failures: [] });
    clock.now += minute;
    expect(await rekeying.pass()).toEqual({ moved: 0, finished: 2, left: 0, failures: [] });
    expect(await rekeying.pass()).toEqual({ moved: 0, finished: 0, left: 0, failures: [] });

    expect(await table.get(licenseKey(lookup))).toBeUndefined();
    expect((await table.query({ partition: devicesOfLicense(lookup).pk })).items).toEqual([]);
    expect(await harness.seats()).toEqual({ activationCount: 60, active: 60 });
    const { pk: partition } = seatsOfLicense((await getLicense(table, harness.license.id)).lookup);
    expect((await table.query({ partition })).items).toHaveLength(60);
    expect((await table.query({ partition: seatsOfLicense(lookup).pk })).items).toEqual([]);
    const { movingFrom, movedTo, ...moved } = await getLicense(table, other.license.id);
    expect({ movingFrom, movedTo }).toEqual({});
    expect(moved).toEqual({ ...other.license, lookup: expect.stringMatching(/^2\./) });
  });

  test('leaves a license whose key cannot be decrypted, and names it', async () => {
    const { table } = await createTestTable();
    const { license } = await issueTestLicense(table, { sealedKey: 'e0.AAAA' });
    const rekeying = startRekeying(table, { now: Date.now() });
    expect(await rekeying.pass()).toEqual({ moved: 0, finished: 0, left: 1, failures: [{ licenseId: license.id, reason: 'Error' }] });
  });

  test('turned back half-way, still loses nothing', async () => {
    const { table } = await createTestTable();
    const harness = await createLicenseHarness(table, { activationLimit: 3, peppers: bothPeppers });
    await Promise.all([0, 1, 2].map(harness.activate));
    const clock = { now: Date.parse('2026-02-01T00:00:00.000Z') };
    await startRekeying(table, clock).pass();
    const reports = await startRekeying(table, clock, { peppers: keyringOf('1', '2') }).untilNothingIsLeft();
    expect(reports.at(-1)).toMatchObject({ left: 0, failures: [] });
    expect((await getLicense(table, harness.license.id)).lookup).toBe(harness.license.lookup);
    expect(await harness.seats()).toEqual({ activationCount: 3, active: 3 });
    expect(await harness.validate(1)).toMatchObject({ code: 'valid', deviceActivated: true });
  });

  test('while apps go on, in every order of the requests: no seat is doubled or lost, and validate misses nothing', async () => {
    const interleaver = createInterleaver();
    const { table: engine } = await createTestTable({ faults: interleaver });
    const table = readingOneByOne(engine);
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 3 }),
        fc.array(fc.array(commands, { minLength: 3, maxLength: 6 }), { minLength: 1, maxLength: 3 }),
        fc.infiniteStream(fc.nat(30)),
        async (limit, rounds, picks) => {
          const clock = { now: Date.parse('2026-02-01T00:00:00.000Z') };
          const harness = await createLicenseHarness(table, { activationLimit: limit, peppers: bothPeppers });
          const rekeying = startRekeying(table, clock, { only: harness.license.id });
          await harness.activate(0);
          await harness.activate(1);
          await harness.deactivate(1);
          let active = new Set([0]);

          for (const round of rounds) {
            const tasks = round.map(({ act, device }) => async () => {
              if (act !== 'rekey') return { act, device, ...(await harness[act](device)) };
              expect((await rekeying.pass()).failures).toEqual([]);
              return { act, device, code: 'rekeyed' };
            });
            const results = await interleaver.run(picks, tasks);

            const next = new Set<number>();
            for (let device = 0; device < devices; device += 1) {
              const own = results.filter((result) => result.device === device);
              const count = (code: string) => own.filter((result) => result.code === code).length;
              const has = Number(active.has(device)) + count('activated') - count('deactivated');
              expect([0, 1]).toContain(has);
              if (has === 1) next.add(device);
              for (const { act, ...answer } of own.filter((result) => result.act === 'validate')) {
                expect(answer).toMatchObject({ code: 'valid' });
                const undisturbed = count('activated') + count('deactivated') === 0;
                if (undisturbed) expect(answer).toMatchObject({ deviceActivated: active.has(device) });
              }
            }
            expect(await harness.seats()).toEqual({ activationCount: next.size, active: next.size });
            expect(next.size).toBeLessThanOrEqual(limit);
            active = next;
            clock.now += minute;
          }

          expect((await rekeying.untilNothingIsLeft()).at(-1)).toMatchObject({ left: 0, failures: [] });
          expect((await table.query({ partition: devicesOfLicense(harness.license.lookup).pk })).items).toEqual([]);
          expect(await harness.seats()).toEqual({ activationCount: active.size, active: active.size });
        },
      ),
      { numRuns: tries(25) },
    );
  }, 120_000);
});
