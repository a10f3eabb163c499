/**
 * At most so many alive an owner: one item holds, by id, until when each takes a place; '' where it has no end. The item is there
 * before the first place is taken, and a place is taken in the transaction that makes what takes it.
 */

import * as z from 'zod/mini';
import type { Key } from './keys.ts';
import { ifAbsent, type Table, type Write, writeIfHolds } from './table.ts';

/** Where the places of one owner are: the item, and its attribute that holds them. */
export interface Places<Name extends string = string> {
  key: Key;
  attribute: Name;
}

const Ends = z.record(z.string(), z.string());

/** Until when each takes a place; undefined before the first place was readied. */
export async function readPlaces(table: Table, { key, attribute }: Places): Promise<Record<string, string> | undefined> {
  const item = await table.get(key);
  return item && Ends.parse(item[attribute]);
}

/** Readies the owner for one more: what is past its end takes no place any more. */
export async function readyPlaces(table: Table, places: Places, now: Date): Promise<void> {
  const { key: Key, attribute } = places;
  const live = await readPlaces(table, places);
  // Where another request made them, the better.
  if (!live) return void (await writeIfHolds(table, { put: { Item: { ...Key, [attribute]: {} }, ...ifAbsent } }));
  const over = Object.entries(live).filter(([, endsAt]) => endsAt !== '' && endsAt <= now.toISOString());
  if (over.length === 0) return;
  const names = Object.fromEntries(over.map(([id], index) => [`#over${index}`, id]));
  const paths = Object.keys(names).map((name) => `${attribute}.${name}`);
  await table.write({ update: { Key, UpdateExpression: `REMOVE ${paths.join(', ')}`, ExpressionAttributeNames: names } });
}

/** Takes a place while there are fewer than `max`, else the transaction fails with `refusal`. */
export const takePlace = (
  { key: Key, attribute }: Places,
  id: string,
  { endsAt = '', max, refusal }: { endsAt?: string | undefined; max: number; refusal: () => Error },
): Write => ({
  update: {
    Key,
    UpdateExpression: `SET ${attribute}.#id = :endsAt`,
    ConditionExpression: `size(${attribute}) < :max`,
    ExpressionAttributeNames: { '#id': id },
    ExpressionAttributeValues: { ':endsAt': endsAt, ':max': max },
  },
  onConditionFailed: refusal,
});

/** Gives a place back, if it is taken. */
export const freePlace = ({ key: Key, attribute }: Places, id: string): Write => ({
  update: { Key, UpdateExpression: `REMOVE ${attribute}.#id`, ExpressionAttributeNames: { '#id': id } },
});
