import { isDeepStrictEqual } from 'node:util';
import { attributeBytes } from '../../../../shared/db/item-size.ts';
import type { Item } from '../../../../shared/db/table.ts';

export type Place = 'table' | 'list' | 'pending';

/** Units that a request takes of one partition. */
export interface Charge {
  place: Place;
  /** The partition key. */
  partition: string;
  kind: 'read' | 'write';
  units: number;
}

const indexes = [
  { place: 'list', pk: 'listPk', sk: 'listSk' },
  { place: 'pending', pk: 'pendingPk', sk: 'pendingSk' },
] as const;

/** What an item takes, in bytes: the names and values of its attributes. */
export const sizeOf = (item: Item = {}) =>
  Object.entries(item).reduce((bytes, [name, value]) => bytes + Buffer.byteLength(name) + attributeBytes(value), 0);

/** One for each KB, twice in a transaction. */
export const writeUnits = (bytes: number, { transactional = false } = {}) => Math.max(1, Math.ceil(bytes / 1024)) * (transactional ? 2 : 1);

/** One for each 4 KB when it is strongly consistent, half of it when not, twice in a transaction. */
export const readUnits = (bytes: number, { consistent = false, transactional = false } = {}) =>
  Math.max(1, Math.ceil(bytes / 4096)) * (transactional ? 2 : consistent ? 1 : 0.5);

/** What it takes to replace `before` by `after` in the table and in both indexes, which hold whole items; undefined is no item. */
export function chargesOfWrite(key: Item, before: Item | undefined, after: Item | undefined, { transactional = false } = {}): Charge[] {
  const units = writeUnits(Math.max(sizeOf(before), sizeOf(after)), { transactional });
  return [{ place: 'table', partition: String(key['pk']), kind: 'write', units }, ...indexCharges(before, after)];
}

/** An entry that moves is deleted and put; one that stays as it is costs nothing. An index takes no part in a transaction. */
function indexCharges(before: Item | undefined, after: Item | undefined): Charge[] {
  return indexes.flatMap(({ place, pk, sk }): Charge[] => {
    const [was, is] = [before, after].map((item) => (item?.[pk] === undefined || item[sk] === undefined ? undefined : item));
    const write = (item: Item, bytes = sizeOf(item)): Charge => ({
      place,
      partition: String(item[pk]),
      kind: 'write',
      units: writeUnits(bytes),
    });
    if (was && is && was[pk] === is[pk] && was[sk] === is[sk])
      return isDeepStrictEqual(was, is) ? [] : [write(is, Math.max(sizeOf(was), sizeOf(is)))];
    return [...(was ? [write(was)] : []), ...(is ? [write(is)] : [])];
  });
}

/** The partitions of the indexes in which an item has a place. */
export const indexPlacesOf = (item: Item = {}): Pick<Charge, 'place' | 'partition'>[] =>
  indexes.flatMap(({ place, pk }) => (item[pk] === undefined ? [] : [{ place, partition: String(item[pk]) }]));
