/**
 * The value of a secret that holds a list: keys or secrets separated by commas, of which the
 * first is in use and all are honoured. Rotating it takes three moves, each on a list that is in use.
 *
 * The keys of a keyring have versions, and later ones higher versions, so that a move never brings a
 * retired key back into use or drops one that is younger than the one in use.
 */
const entriesOf = (list: string) => list.split(',').map((entry) => entry.trim());

/** A move that the list does not allow now. */
export class RotationError extends Error {}

/** Honours `entry` as well, and does not use it yet. */
export function addEntry(list: string, entry: string): string {
  const entries = entriesOf(list);
  if (entry.includes(',')) throw new RotationError('takes one more entry at a time');
  if (entries.includes(entry)) throw new RotationError('has that entry already');
  return [...entries, entry].join(',');
}

/** Uses the entry that was added last, and honours the others as before. */
export function promoteEntry(list: string): string {
  const [inUse = '', ...others] = entriesOf(list);
  const newest = others.filter((entry) => isYounger(entry, inUse)).at(-1);
  if (newest === undefined) throw new RotationError('has no younger entry than the one in use; add one first');
  return [newest, inUse, ...others.filter((entry) => entry !== newest)].join(',');
}

/** What the list would honour no more: the oldest, or an entry that was added and never came into use. */
export function retiringEntry(list: string): { entry: string; wasInUse: boolean } {
  const [inUse = '', ...others] = entriesOf(list);
  const older = others.filter((entry) => !isYounger(entry, inUse) || !isKey(entry));
  const entry = older.at(-1) ?? others.at(-1);
  if (entry === undefined) throw new RotationError('has one entry alone, which is in use');
  return { entry, wasInUse: older.includes(entry) };
}

export function retireEntry(list: string): string {
  const { entry } = retiringEntry(list);
  return entriesOf(list)
    .filter((candidate) => candidate !== entry)
    .join(',');
}

/** A version for a new key of a keyring: one more than the highest there is. */
export const nextVersion = (list: string): string => String(Math.max(0, ...entriesOf(list).map(ageOf)) + 1);

/** The versions of a keyring, the one in use first. */
export const versionsIn = (list: string): string[] => entriesOf(list).map(versionOf);

export const versionOf = (entry: string): string => entry.slice(0, Math.max(0, entry.indexOf(':')));
const isKey = (entry: string) => versionOf(entry) !== '';
/** Versions that others gave, with letters, are older than all that are made here. */
const ageOf = (entry: string) => Number(/^(\d+):/.exec(entry)?.[1] ?? 0);
/** Of secrets without versions each but the first may be the newest. */
const isYounger = (entry: string, inUse: string) => !isKey(entry) || ageOf(entry) > ageOf(inUse);
