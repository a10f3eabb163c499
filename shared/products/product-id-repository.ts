/** Ids of products, for whoever looks something up for each product. */

import * as z from 'zod/mini';
import { decodeCursor, encodeCursor, invalidCursor } from '../db/cursor.ts';
import { listPartitions, productsOfSeller } from '../db/keys.ts';
import type { Page } from '../db/sharded-list.ts';
import type { Table } from '../db/table.ts';
import { idOf, type ProductId, type SellerId } from '../ids.ts';

const ProductItem = z.object({ id: idOf('product') });
const idsAtATime = 200;
const list = 'product-ids';

/** All of a seller, who has at most 100: one request. */
export async function listIdsOfSeller(table: Table, sellerId: SellerId): Promise<ProductId[]> {
  const { pk: partition, prefix } = productsOfSeller(sellerId);
  return (await table.query({ partition, prefix })).items.map((item) => ProductItem.parse(item).id);
}

/**
 * Of all sellers, at most 200 a page and in no certain order: one request, so that each product is read once
 * on the way through all of them. A page may be empty and still have a next one. Eventually consistent.
 */
export async function listIds(table: Table, cursor?: string): Promise<Page<ProductId>> {
  const partitions = listPartitions('products');
  const [shard, after] = cursor === undefined ? [0] : placeOf(decodeCursor(list, cursor));
  const partition = partitions[shard];
  if (partition === undefined) throw invalidCursor();
  const { items, more } = await table.query({ index: 'list', partition, after, limit: idsAtATime });
  const next = more ? `${shard}/${items.at(-1)?.['listSk']}` : `${shard + 1}/`;
  const isLast = !more && shard + 1 === partitions.length;
  return { items: items.map((item) => ProductItem.parse(item).id), nextCursor: isLast ? undefined : encodeCursor(list, next) };
}

/** A shard, and the sort key in it after which to go on. */
function placeOf(position: string): [shard: number, after?: string] {
  const [shard = '', after = ''] = position.split('/');
  return after === '' ? [Number(shard)] : [Number(shard), after];
}
