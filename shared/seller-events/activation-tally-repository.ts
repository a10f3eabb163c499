import type { Needs } from '../context.ts';
import { activationTallyKey } from '../db/keys.ts';
import { lockConflict, replaceUnchanged } from '../db/optimistic-lock.ts';
import { ifAbsent, type Table, type Write } from '../db/table.ts';
import type { LicenseId, SellerId } from '../ids.ts';
import { ActivationTally, emptyTally } from './activation-tally.ts';
import { eventKeptUntil } from './seller-event.ts';

export async function getTally(table: Table, sellerId: SellerId, licenseId: LicenseId): Promise<ActivationTally> {
  const item = await table.get(activationTallyKey(sellerId, licenseId));
  return item ? ActivationTally.parse(item) : emptyTally(licenseId);
}

/** `next` in the place of what was read, part of the transaction that does what it counts; kept while refusals wait. @throws OptimisticLockError */
export function recordTally(c: Needs<'now'>, sellerId: SellerId, read: ActivationTally, next: ActivationTally): Write {
  const ttl = Math.floor(eventKeptUntil({ at: c.now().toISOString() }) / 1000);
  const key = activationTallyKey(sellerId, read.licenseId);
  const item = { ...key, ...next, revision: read.revision + 1, ...(next.refusals === 0 && { ttl }) };
  if (read.revision > 0) return replaceUnchanged(read, item);
  return { put: { Item: item, ...ifAbsent }, onConditionFailed: lockConflict };
}
