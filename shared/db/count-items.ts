import type { IndexName } from './keys.ts';
import type { Item, Table } from './table.ts';

/**
 * How many items a partition holds, those after a sort key and no more than `most` where these are given: one request
 * for each 1 MB that they take.
 */
export async function countItems(
  table: Table,
  partition: string,
  { index, after, most: max }: { index?: IndexName; after?: string; most?: number } = {},
): Promise<number> {
  let counted = 0;
  let start: Item | undefined;
  do {
    const limit = max && max - counted;
    const reply = await table.query({ index, partition, after, limit, select: 'COUNT', start });
    counted += reply.count;
    start = reply.lastKey;
  } while (start && counted !== max);
  return counted;
}

/** How many items several partitions hold, no more than `most`. */
export async function countAcross(
  table: Table,
  partitions: readonly string[],
  part: { index: IndexName; after?: string; most: number },
): Promise<number> {
  const counts = await Promise.all(partitions.map((partition) => countItems(table, partition, part)));
  return Math.min(
    part.most,
    counts.reduce((sum, count) => sum + count),
  );
}
