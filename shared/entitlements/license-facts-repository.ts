import { findItem } from '../db/find-items.ts';
import { licenseFactsKey } from '../db/keys.ts';
import { putRevision } from '../db/optimistic-lock.ts';
import type { Table, Write } from '../db/table.ts';
import type { LicenseId } from '../ids.ts';
import { LicenseFacts } from './license-facts.ts';

/** Undefined as long as nothing but the sale decides on the license. */
export const findFacts = (table: Table, licenseId: LicenseId) => findItem(table, licenseFactsKey(licenseId), LicenseFacts);

/** `next` in the place of what was read, of which revision 0 is that nothing was recorded. @throws OptimisticLockError */
export const recordFacts = (read: LicenseFacts, next: LicenseFacts): Write =>
  putRevision(read, { ...licenseFactsKey(read.licenseId), ...next });
