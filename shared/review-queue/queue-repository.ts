/** The index `queue`, and what else a page of it shows. */

import { decodeCursor, encodeCursor } from '../db/cursor.ts';
import { fileKey, type Key, placeInQueue, type QueueKind, queuePartition, sellerKey } from '../db/keys.ts';
import type { Page, PageRequest } from '../db/sharded-list.ts';
import type { Table } from '../db/table.ts';
import type { FileId, SellerId } from '../ids.ts';
import { QueueFile, QueueSeller, WaitingItem } from './queue-item.ts';

/** Something that waits, with its place. */
export interface WaitingEntry {
  kind: QueueKind;
  since: string;
  item: WaitingItem;
}

/** How many requests, of 1 MB each, a page of one kind or the counts may take. */
const maxReadRequests = 50;
const list = 'review-queue';

/** The entries in order; kinds unknown to this version are skipped. */
async function* readPages(
  table: Table,
  after: string | undefined,
  limit?: number,
): AsyncGenerator<{ found: WaitingEntry[]; last: string; more: boolean }> {
  let start = after;
  for (let request = 0; request < maxReadRequests; request += 1) {
    const { items, more } = await table.query({ index: 'queue', partition: queuePartition, after: start, limit });
    const read = items.map((item) => WaitingItem.parse(item));
    start = read.at(-1)?.queueSk;
    if (start === undefined) return;
    const found = read.flatMap((item) => {
      const place = placeInQueue(item.queueSk);
      return place ? [{ ...place, item }] : [];
    });
    yield { found, last: start, more };
    if (!more) return;
  }
}

/** Oldest first: one request, and where one kind is asked for one for each 1 MB of the queue until the page is full. */
export async function listWaiting(
  table: Table,
  { limit, cursor, kind }: PageRequest & { kind?: QueueKind | undefined },
): Promise<Page<WaitingEntry>> {
  const items: WaitingEntry[] = [];
  let next: string | undefined;
  const after = cursor === undefined ? undefined : decodeCursor(list, cursor);
  // One more than the page holds tells whether there is a next one.
  for await (const { found, last, more } of readPages(table, after, kind === undefined ? limit + 1 : undefined)) {
    items.push(...found.filter((waiting) => kind === undefined || waiting.kind === kind));
    next = more ? last : undefined;
    if (items.length > limit) break;
  }
  const page = items.slice(0, limit);
  if (items.length > limit) next = page.at(-1)?.item.queueSk;
  return { items: page, nextCursor: next === undefined ? undefined : encodeCursor(list, next) };
}

/** Everything that waits, as far as it is read: one request for each 1 MB of it. */
export async function* eachWaiting(table: Table): AsyncGenerator<WaitingEntry> {
  for await (const { found } of readPages(table, undefined)) yield* found;
}

/** The sellers of what waits, and the files of its releases, by their ids: one request for each 100. */
export async function readRelated(table: Table, waiting: readonly WaitingEntry[]) {
  const sellerIds = new Set(waiting.flatMap((one) => sellerIdOfEntry(one) ?? []));
  // The index may show a file in two releases, while it passes from one to the other; a request names a key once.
  const fileKeys = new Map(
    waiting.flatMap(({ item: { productId, queueFiles = [] } }) =>
      productId === undefined ? [] : queueFiles.map((fileId): [FileId, Key] => [fileId, fileKey(productId, fileId)]),
    ),
  );
  const names = new Set([...Object.keys(QueueSeller.shape), ...Object.keys(QueueFile.shape)]);
  const items = await table.batchGet([...[...sellerIds].map(sellerKey), ...fileKeys.values()], [...names]);
  const sellers = items.filter((item) => item['ownerUserId'] !== undefined).map((item) => QueueSeller.parse(item));
  const files = items.filter((item) => item['ownerUserId'] === undefined).map((item) => QueueFile.parse(item));
  return { sellers: new Map(sellers.map((seller) => [seller.id, seller])), files: new Map(files.map((file) => [file.id, file])) };
}

/** The seller whose entry it is; for a seller, its own id. */
export function sellerIdOfEntry({ kind, item }: WaitingEntry): SellerId | undefined {
  return kind === 'seller' ? QueueSeller.shape.id.parse(item.id) : item.sellerId;
}
