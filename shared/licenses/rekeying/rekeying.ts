import type { Keyring } from '../../crypto/keyring.ts';
import { OptimisticLockError, retryOptimisticLock } from '../../db/optimistic-lock.ts';
import type { Page, PageRequest } from '../../db/sharded-list.ts';
import type { Table } from '../../db/table.ts';
import { AppError } from '../../errors.ts';
import type { LicenseId } from '../../ids.ts';
import type { Device, License, LicensePointer, MovingPointer, ReplacedKey } from '../license.ts';
import { normalizeLicenseKey } from '../license-key.ts';
import { currentLookup, pepperVersionOf } from '../license-lookup.ts';
import type { LicenseRepository } from '../license-repository.ts';
import { openLicenseKey } from '../new-license.ts';
import type { ReplacedKeyRepository } from '../replaced-key-repository.ts';
import type { LicenseMoveRepository } from './license-move-repository.ts';

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

type Outcome = 'moved' | 'in_grace_period' | 'finished' | { failure: string };

/** Moves every license and replaced key from older peppers to the current one, while they are in use. See "Re-keying" in README.md */
export function createRekeying(options: {
  table: Table;
  licenses: LicenseRepository;
  moves: LicenseMoveRepository;
  replacedKeys: ReplacedKeyRepository;
  peppers: Keyring;
  encryptionKeys: Keyring;
  now?: (() => Date) | undefined;
}) {
  const { table, licenses, moves, replacedKeys, peppers, encryptionKeys, now = () => new Date() } = options;

  /** Moves what is not moved yet. A later pass, after the grace period, deletes the old copies. */
  const advance = (licenseId: LicenseId): Promise<Outcome> =>
    retryOptimisticLock(async () => {
      const began = await begin(await moves.getPointer(licenseId));
      const pointer = await moves.getPointer(licenseId);
      const { movingFrom } = pointer;
      if (movingFrom === undefined) return 'finished';
      const moving: MovingPointer = { ...pointer, movingFrom };
      const movedAny = await moveDevices(moving);
      if (began || movedAny) return 'moved';
      return (await deleteOldCopies(moving)) ? 'finished' : 'in_grace_period';
    });

  /** Returns whether this call began the move. */
  async function begin({ licenseId, lookup, movingFrom }: LicensePointer): Promise<boolean> {
    if (movingFrom !== undefined || pepperVersionOf(lookup) === peppers.current.version) return false;
    const license = await licenses.getLicense(licenseId);
    if (license.lookup !== lookup) throw new OptimisticLockError();
    await table.transact(moves.beginMove(license, newLookupOf(license), now()));
    return true;
  }

  function newLookupOf(keyed: Pick<License, 'id' | 'productId' | 'sealedKey'>): string {
    return currentLookup(keyed.productId, normalizeLicenseKey(openLicenseKey(keyed, encryptionKeys)), peppers);
  }

  /** Returns whether any device had to be moved. One that others change in every round is left to the next pass. */
  async function moveDevices({ lookup, movingFrom }: MovingPointer): Promise<boolean> {
    let movedAny = false;
    for (let round = 0, stale = true; stale && round < rounds; round += 1) {
      stale = false;
      for await (const devices of pagesOf((page) => moves.listDevicesUnder(movingFrom, page), devicesAtATime)) {
        const unmoved = devices.filter((device) => device.movedTo === undefined);
        if (unmoved.length === 0) continue;
        movedAny = true;
        const together = await tryToMove(unmoved, lookup);
        const moved = together ? [true] : await Promise.all(unmoved.map((device) => tryToMove([device], lookup)));
        stale ||= moved.includes(false);
      }
    }
    return movedAny;
  }

  /** Moves all or none. Returns false when one of them took or freed its seat meanwhile. */
  async function tryToMove(devices: readonly Device[], lookup: string): Promise<boolean> {
    try {
      await table.transact(devices.flatMap((device) => moves.moveDevice(device, lookup, now())));
      return true;
    } catch (error) {
      if (error instanceof OptimisticLockError) return false;
      throw error;
    }
  }

  /** Deletes the old copies whose grace period is over. Returns whether none is left, and the move ended. */
  async function deleteOldCopies(pointer: MovingPointer): Promise<boolean> {
    const { licenseId, movingFrom, movingSince } = pointer;
    let done = isGracePeriodOver(movingSince);
    for await (const devices of pagesOf((page) => moves.listDevicesUnder(movingFrom, page), devicesAtATime)) {
      const ready = devices.filter((device) => isGracePeriodOver(device.movedAt));
      done &&= ready.length === devices.length;
      if (ready.length > 0) await table.transact(ready.flatMap((device) => moves.clearDevice(device)));
    }
    if (done) await table.transact(moves.endMove(pointer, await licenses.getLicense(licenseId)));
    return done;
  }

  const isGracePeriodOver = (since: string | undefined) => since !== undefined && now().getTime() - Date.parse(since) >= gracePeriodMs;

  async function copyReplacedKey(replaced: ReplacedKey): Promise<Outcome> {
    await table.transact(replacedKeys.copyReplacedKey(replaced, newLookupOf(replaced)));
    return 'finished';
  }

  return {
    /**
     * One pass over all licenses, and then all replaced keys, under older peppers. Run it again, a minute later, until nothing is left.
     * It can be interrupted and repeated at any moment; every license stays usable meanwhile.
     */
    async rekeyLicenses(): Promise<RekeyReport> {
      const report: RekeyReport = { moved: 0, finished: 0, left: 0, failures: [] };
      const older = peppers.all.filter((pepper) => pepper !== peppers.current);
      const lists = [
        moves.listMovingLicenses,
        ...older.map(
          ({ version }) =>
            (page: PageRequest) =>
              moves.listLicensesUnder(version, page),
        ),
      ];
      for (const list of lists) {
        for await (const licenseIds of pagesOf(list, licensesAtATime)) {
          const outcomes = await Promise.all(
            licenseIds.map(async (licenseId) => ({ licenseId, outcome: await advance(licenseId).catch(failed) })),
          );
          for (const { licenseId, outcome } of outcomes) record(report, licenseId, outcome);
        }
      }
      for (const { version } of older) {
        for await (const keys of pagesOf((page) => replacedKeys.listReplacedKeysUnder(version, page), licensesAtATime)) {
          const outcomes = await Promise.all(keys.map((key) => copyReplacedKey(key).catch(failed)));
          for (const [index, key] of keys.entries()) record(report, key.id, outcomes[index] ?? 'in_grace_period');
        }
      }
      return report;
    },
  };
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

async function* pagesOf<T>(list: (request: PageRequest) => Promise<Page<T>>, limit: number): AsyncGenerator<T[]> {
  let cursor: string | undefined;
  do {
    const page = await list({ limit, cursor });
    yield page.items;
    cursor = page.nextCursor;
  } while (cursor !== undefined);
}
