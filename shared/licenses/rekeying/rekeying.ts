/** Moves every license and replaced key from older peppers to the current one, while they are in use. See "Re-keying" in README.md */

import type { Needs } from '../../context.ts';
import { OptimisticLockError, retryOptimisticLock } from '../../db/optimistic-lock.ts';
import { type PageRequest, pagesOf } from '../../db/sharded-list.ts';
import { AppError } from '../../errors.ts';
import type { LicenseId } from '../../ids.ts';
import { normalizeLicenseKey } from '../../text/license-key.ts';
import type { Device, License, LicensePointer, MovingPointer, ReplacedKey } from '../license.ts';
import { currentLookup, pepperVersionOf } from '../license-lookup.ts';
import { getLicense } from '../license-repository.ts';
import { openLicenseKey } from '../new-license.ts';
import { listReplacedKeysUnder, recordKeyCopy } from '../replaced-key-repository.ts';
import {
  beginMove,
  clearDevice,
  endMove,
  getPointer,
  listDevicesUnder,
  listLicensesUnder,
  listMovingLicenses,
  moveDevice,
} from './license-move-repository.ts';

/** Longer than any request lasts: after it nobody reads the old copy of a record any more. */
const gracePeriodMs = 60_000;

/** A transaction takes 100 writes. */
const devicesAtATime = 30;
const rounds = 10;
const licensesAtATime = 20;

export interface RekeyReport {
  /** Licenses of which this pass moved something. They count as left until their grace period is over. */
  moved: number;
  /** Licenses whose move this pass ended, and replaced keys that it made known under the current pepper. */
  finished: number;
  /** Licenses and replaced keys of which something is under an old pepper alone. At 0 the old peppers can be retired. */
  left: number;
  /** Those among them that could not be moved, and why: the code or name of an error. */
  failures: { licenseId: LicenseId; reason: string }[];
}

type RekeyNeeds = Needs<'table' | 'now' | 'ENCRYPTION_KEYS' | 'LICENSE_PEPPERS'>;

type Outcome = 'moved' | 'in_grace_period' | 'finished' | { failure: string };

/** Moves what is not moved yet. A later pass, after the grace period, deletes the old copies. */
const advance = (c: RekeyNeeds, licenseId: LicenseId): Promise<Outcome> =>
  retryOptimisticLock(async () => {
    const began = await begin(c, await getPointer(c.table, licenseId));
    const pointer = await getPointer(c.table, licenseId);
    const { movingFrom } = pointer;
    if (movingFrom === undefined) return 'finished';
    const moving: MovingPointer = { ...pointer, movingFrom };
    const movedAny = await moveDevices(c, moving);
    if (began || movedAny) return 'moved';
    return (await deleteOldCopies(c, moving)) ? 'finished' : 'in_grace_period';
  });

/** Returns whether this call began the move. */
async function begin(c: RekeyNeeds, { licenseId, lookup, movingFrom }: LicensePointer): Promise<boolean> {
  if (movingFrom !== undefined || pepperVersionOf(lookup) === c.settings.LICENSE_PEPPERS.current.version) return false;
  const license = await getLicense(c.table, licenseId);
  if (license.lookup !== lookup) throw new OptimisticLockError();
  await c.table.transact(beginMove(license, newLookupOf(c, license), c.now()));
  return true;
}

function newLookupOf(c: RekeyNeeds, keyed: Pick<License, 'id' | 'productId' | 'sealedKey'>): string {
  return currentLookup(keyed.productId, normalizeLicenseKey(openLicenseKey(keyed, c.settings.ENCRYPTION_KEYS)), c.settings.LICENSE_PEPPERS);
}

/** Returns whether any device had to be moved. One that others change in every round is left to the next pass. */
async function moveDevices(c: Needs<'table' | 'now'>, { lookup, movingFrom }: MovingPointer): Promise<boolean> {
  let movedAny = false;
  for (let round = 0, stale = true; stale && round < rounds; round += 1) {
    stale = false;
    for await (const devices of pagesOf((page) => listDevicesUnder(c.table, movingFrom, page), devicesAtATime)) {
      const unmoved = devices.filter((device) => device.movedTo === undefined);
      if (unmoved.length === 0) continue;
      movedAny = true;
      const together = await tryToMove(c, unmoved, lookup);
      const moved = together ? [true] : await Promise.all(unmoved.map((device) => tryToMove(c, [device], lookup)));
      stale ||= moved.includes(false);
    }
  }
  return movedAny;
}

/** Moves all or none. Returns false when one of them took or freed its seat meanwhile. */
async function tryToMove(c: Needs<'table' | 'now'>, devices: readonly Device[], lookup: string): Promise<boolean> {
  try {
    await c.table.transact(devices.flatMap((device) => moveDevice(device, lookup, c.now())));
    return true;
  } catch (error) {
    if (error instanceof OptimisticLockError) return false;
    throw error;
  }
}

/** Deletes the old copies whose grace period is over. Returns whether none is left, and the move ended. */
async function deleteOldCopies(c: Needs<'table' | 'now'>, pointer: MovingPointer): Promise<boolean> {
  const { licenseId, movingFrom, movingSince } = pointer;
  let done = isGracePeriodOver(c, movingSince);
  for await (const devices of pagesOf((page) => listDevicesUnder(c.table, movingFrom, page), devicesAtATime)) {
    const ready = devices.filter((device) => isGracePeriodOver(c, device.movedAt));
    done &&= ready.length === devices.length;
    if (ready.length > 0) await c.table.transact(ready.flatMap((device) => clearDevice(device)));
  }
  if (done) await c.table.transact(endMove(pointer, await getLicense(c.table, licenseId)));
  return done;
}

const isGracePeriodOver = (c: Needs<'now'>, since: string | undefined) =>
  since !== undefined && c.now().getTime() - Date.parse(since) >= gracePeriodMs;

async function copyOldKey(c: RekeyNeeds, replaced: ReplacedKey): Promise<Outcome> {
  await c.table.transact(recordKeyCopy(replaced, newLookupOf(c, replaced)));
  return 'finished';
}

/**
 * One pass over all licenses, and then all replaced keys, under older peppers. Run it again, a minute later, until nothing is left.
 * It can be interrupted and repeated at any moment; every license stays usable meanwhile.
 */
export async function rekeyLicenses(c: RekeyNeeds): Promise<RekeyReport> {
  const report: RekeyReport = { moved: 0, finished: 0, left: 0, failures: [] };
  const older = c.settings.LICENSE_PEPPERS.all.filter((pepper) => pepper !== c.settings.LICENSE_PEPPERS.current);
  const lists = [
    (page: PageRequest) => listMovingLicenses(c.table, page),
    ...older.map(
      ({ version }) =>
        (page: PageRequest) =>
          listLicensesUnder(c.table, version, page),
    ),
  ];
  for (const list of lists) {
    for await (const licenseIds of pagesOf(list, licensesAtATime)) {
      const outcomes = await Promise.all(
        licenseIds.map(async (licenseId) => ({ licenseId, outcome: await advance(c, licenseId).catch(failed) })),
      );
      for (const { licenseId, outcome } of outcomes) record(report, licenseId, outcome);
    }
  }
  for (const { version } of older) {
    for await (const keys of pagesOf((page) => listReplacedKeysUnder(c.table, version, page), licensesAtATime)) {
      const outcomes = await Promise.all(keys.map((key) => copyOldKey(c, key).catch(failed)));
      for (const [index, key] of keys.entries()) record(report, key.id, outcomes[index] ?? 'in_grace_period');
    }
  }
  return report;
}

function failed(error: unknown): Outcome {
  const reason = error instanceof AppError ? error.code : error instanceof Error ? error.name : 'unknown';
  return { failure: reason };
}

function record(report: RekeyReport, licenseId: LicenseId, outcome: Outcome): void {
  if (outcome === 'finished') report.finished += 1;
  else report.left += 1;
  if (outcome === 'moved') report.moved += 1;
  if (typeof outcome === 'object') report.failures.push({ licenseId, reason: outcome.failure });
}
