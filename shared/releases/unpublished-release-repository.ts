/** What of products was never published. See "Access patterns" in README.md */

import * as z from 'zod/mini';
import { releaseIndexKey, releaseKey, releasesOfProduct } from '../db/keys.ts';
import { mapInBatches } from '../db/map-in-batches.ts';
import type { Table } from '../db/table.ts';
import type { ProductId } from '../ids.ts';
import { ReleaseRecord } from './release.ts';
import { ReleaseIndex } from './release-listing.ts';

const IndexEntry = z.extend(z.pick(ReleaseIndex, { unpublished: true, published: true }), { pk: z.string() });
const Pointer = z.object({ version: z.string() });

const UnpublishedRelease = z.pick(ReleaseRecord, {
  id: true,
  productId: true,
  version: true,
  status: true,
  createdAt: true,
  submittedAt: true,
  rejectionReason: true,
  rejectedAt: true,
});
/** What is read of a release that was never published: not what it is made of. */
export type UnpublishedRelease = z.infer<typeof UnpublishedRelease>;

/** So many products are looked into at once. */
const atATime = 10;

/** The versions of every release of the product: as many pointers as there may be are less than a request reads. */
async function versionsOf(table: Table, productId: ProductId): Promise<string[]> {
  const { pk: partition, prefix } = releasesOfProduct(productId);
  const { items } = await table.query({ partition, prefix });
  return items.map((item) => Pointer.parse(item).version);
}

/**
 * At most 20 of a product. The indexes of 100 products take one request, each product that has any one more, and 100
 * releases another.
 */
export async function findUnpublished(table: Table, productIds: readonly ProductId[]): Promise<UnpublishedRelease[]> {
  const items = await table.batchGet(productIds.map(releaseIndexKey), ['pk', 'unpublished', 'published']);
  const indexes = new Map(items.map((item) => IndexEntry.parse(item)).map((index) => [index.pk, index]));
  const keys = await mapInBatches(productIds, atATime, async (productId) => {
    const { unpublished = 0, published = {} } = indexes.get(releaseIndexKey(productId).pk) ?? {};
    if (unpublished === 0) return [];
    const versions = await versionsOf(table, productId);
    return versions.filter((version) => !Object.hasOwn(published, version)).map((version) => releaseKey(productId, version));
  });
  const found = await table.batchGet(keys.flat(), z.keyof(UnpublishedRelease).options);
  return found.map((item) => UnpublishedRelease.parse(item));
}
