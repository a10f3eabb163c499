import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod/mini';
import { findItem } from '../db/find-items.ts';
import { fileKey, type Key, listPartitions, productKey, type QueueKey, queueWalkKey, releaseKey, sellerKey } from '../db/keys.ts';
import { mapInBatches } from '../db/map-in-batches.ts';
import { ifAttributesUnchanged, lockConflict } from '../db/optimistic-lock.ts';
import { ConditionFailedError, type Item, type Table } from '../db/table.ts';
import { ProductFileRecord } from '../product-files/product-file.ts';
import { fileQueueKey } from '../product-files/product-file-repository.ts';
import { ProductRecord } from '../products/product.ts';
import { productQueueKey } from '../products/product-repository.ts';
import { ReleaseRecord } from '../releases/release.ts';
import { releaseQueueKey } from '../releases/release-repository.ts';
import { SellerRecord } from '../sellers/seller.ts';
import { sellerQueueKey } from '../sellers/seller-repository.ts';

/** How far the walk is. */
export const BackfillProgress = z.object({
  /** How often it was saved. */
  step: z.int(),
  /** Which walk it is, from 1 on. */
  round: z.int(),
  /** Which of the partitions that are walked through comes next. */
  partition: z.int(),
  /** Where in it. */
  after: z.optional(z.string()),
  /** Before this time the round does not begin. */
  notBefore: z.optional(z.string()),
});
export type BackfillProgress = z.infer<typeof BackfillProgress>;

/** Where an item is, and its place in the queue; undefined when it cannot be read. */
type PlaceOf = (item: Item) => { key: Key; place: (QueueKey & { queueFiles?: string[] }) | undefined } | undefined;

function places<T>(schema: z.ZodMiniType<T>, keyOf: (record: T) => Key, placeOf: (record: T) => QueueKey | undefined): PlaceOf {
  return (item) => {
    const { data } = schema.safeParse(item);
    return data && { key: keyOf(data), place: placeOf(data) };
  };
}

/** Every list that holds something that may wait, with what is in it. */
const lists = [
  ...listPartitions('sellers').map((partition) => ({ partition, of: places(SellerRecord, ({ id }) => sellerKey(id), sellerQueueKey) })),
  ...listPartitions('products').map((partition) => ({ partition, of: places(ProductRecord, ({ id }) => productKey(id), productQueueKey) })),
  ...listPartitions('files#pending_review').map((partition) => ({
    partition,
    of: places(ProductFileRecord, ({ productId, id }) => fileKey(productId, id), fileQueueKey),
  })),
  ...listPartitions('releases#pending_review').map((partition) => ({
    partition,
    of: places(ReleaseRecord, ({ productId, version }) => releaseKey(productId, version), releaseQueueKey),
  })),
];

/** How often an item that changes meanwhile is looked at again. */
const attempts = 5;
const atATime = 25;

/** Puts an item into its place, or out of one that it should not have, whatever changes it meanwhile. */
async function fixQueuePlace(table: Table, found: Item, of: PlaceOf): Promise<void> {
  let item: Item | undefined = found;
  for (let attempt = 0; attempt < attempts && item; attempt += 1) {
    const known = of(item);
    if (!known || isDeepStrictEqual(placeIn(item), placeIn(known.place ?? {}))) return;
    item = await tryQueuePlace(table, known.key, item['revision'], known.place);
  }
}

/** Only while the item is the one that was read; else the item that is there now. */
async function tryQueuePlace(table: Table, Key: Key, revision: unknown, place: QueueKey | undefined): Promise<Item | undefined> {
  const set = Object.entries(place ?? {});
  const UpdateExpression = place ? `SET ${set.map(([name]) => `${name} = :${name}`).join(', ')}` : `REMOVE ${placeNames.join(', ')}`;
  const values = Object.fromEntries(set.map(([name, value]) => [`:${name}`, value]));
  try {
    const ExpressionAttributeValues = { ...values, ':read': revision };
    await table.write({ update: { Key, UpdateExpression, ConditionExpression: 'revision = :read', ExpressionAttributeValues } });
    return undefined;
  } catch (error) {
    if (error instanceof ConditionFailedError) return error.old;
    throw error;
  }
}

export const partitions = lists.length;

export const findProgress = (table: Table) => findItem(table, queueWalkKey(), BackfillProgress);

/** In the place of what was read. Saved by another since → OptimisticLockError. */
export async function saveProgress(table: Table, read: BackfillProgress | undefined, next: Omit<BackfillProgress, 'step'>): Promise<void> {
  const step = (read?.step ?? 0) + 1;
  const { condition, values } = ifAttributesUnchanged({ step: read?.step }, ['step']);
  const filled = Object.keys(values).length > 0 && { ExpressionAttributeValues: values };
  await table.write({
    put: { Item: { ...queueWalkKey(), ...next, step }, ConditionExpression: condition, ...filled },
    onConditionFailed: lockConflict,
  });
}

/** Puts what is in a part of a partition into its place in the queue; where the next part begins, if there is one. */
export async function backfillPart(table: Table, partition: number, after: string | undefined): Promise<string | undefined> {
  const list = lists[partition];
  if (!list) return undefined;
  const { items, more } = await table.query({ index: 'list', partition: list.partition, after });
  await mapInBatches(items, atATime, (item) => fixQueuePlace(table, item, list.of));
  return more ? String(items.at(-1)?.['listSk']) : undefined;
}

const placeNames = ['queuePk', 'queueSk', 'queueFiles'];
const placeIn = (item: object) => Object.fromEntries(Object.entries(item).filter(([name]) => placeNames.includes(name)));
