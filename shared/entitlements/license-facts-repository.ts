import { licenseFactsKey } from '../db/keys.ts';
import { lockConflict, replaceUnchanged } from '../db/optimistic-lock.ts';
import { ifAbsent, type Table, type Write } from '../db/table.ts';
import type { LicenseId } from '../ids.ts';
import { LicenseFacts } from './license-facts.ts';

/** Undefined as long as nothing but the sale decides on the license. */
export async function findFacts(table: Table, licenseId: LicenseId): Promise<LicenseFacts | undefined> {
  const item = await table.get(licenseFactsKey(licenseId));
  return item && LicenseFacts.parse(item);
}

/** `next` in the place of what was read, of which revision 0 is that nothing was recorded. @throws OptimisticLockError */
export function recordFacts(read: LicenseFacts, next: LicenseFacts): Write {
  const item = { ...licenseFactsKey(read.licenseId), ...next, revision: read.revision + 1 };
  return read.revision === 0 ? { put: { Item: item, ...ifAbsent }, onConditionFailed: lockConflict } : replaceUnchanged(read, item);
}
