/**
 * The value of a secret that holds a list: keys or secrets separated by commas, of which the
 * first is in use and all are honoured. Rotating it takes three moves, each on a list that is in use.
 */
const entriesOf = (list: string) => list.split(',').map((entry) => entry.trim());

/** A move that the list does not allow now. */
export class RotationError extends Error {}

/** Honours `entry` as well, and does not use it yet. */
export function addEntry(list: string, entry: string): string {
  const entries = entriesOf(list);
  if (entries.includes(entry)) throw new RotationError('has that entry already');
  return [...entries, entry].join(',');
}

/** Uses the entry that was added last, and honours the others as before. */
export function promoteEntry(list: string): string {
  const entries = entriesOf(list);
  const newest = entries.at(-1);
  if (newest === undefined || entries.length < 2) throw new RotationError('has one entry alone; add another first');
  return [newest, ...entries.slice(0, -1)].join(',');
}

/** Honours the last entry no more. */
export function retireEntry(list: string): string {
  const entries = entriesOf(list);
  if (entries.length < 2) throw new RotationError('has one entry alone, which is in use');
  return entries.slice(0, -1).join(',');
}

/** A version for a new key of a keyring: one more than the highest, or than the number of keys. */
export function nextVersion(list: string): string {
  const numbers = entriesOf(list).flatMap((entry) => /^(\d+):/.exec(entry)?.[1] ?? []);
  return String(Math.max(0, ...numbers.map(Number)) + 1);
}
