/** What is published of a product now, from the highest version. */

import { decodeCursor, encodeCursor, invalidCursor } from '../db/cursor.ts';
import { releaseIndexKey, releaseKey } from '../db/keys.ts';
import { limitToReplySize, type Page, type PageRequest } from '../db/sharded-list.ts';
import type { Table } from '../db/table.ts';
import type { ProductId } from '../ids.ts';
import { ReleaseRecord } from './release.ts';
import { ReleaseIndex } from './release-listing.ts';
import { type Channel, compareVersions } from './versions/version.ts';
import { isVersion } from './versions/version-form.ts';

/** So many releases of the largest size fit a reply. */
const atATime = 10;

/** Those of the channels, and whether there are any of others; the index takes one request, and each ten releases one more. */
export async function listPublished(
  table: Table,
  productId: ProductId,
  { channels, limit, cursor }: PageRequest & { channels: readonly Channel[] },
): Promise<Page<ReleaseRecord> & { hasOthers: boolean }> {
  const list = `published-${productId}`;
  const after = cursor === undefined ? undefined : decodeCursor(list, cursor);
  if (after !== undefined && !isVersion(after)) throw invalidCursor();
  const item = await table.get(releaseIndexKey(productId));
  const listed = Object.entries(item ? ReleaseIndex.parse(item).published : {}).filter(([, { yanked }]) => !yanked);
  const matching = listed.filter(([, { channel }]) => channels.includes(channel));
  const published = matching
    .map(([version]) => version)
    .filter((version) => after === undefined || compareVersions(version, after) < 0)
    .toSorted((a, b) => compareVersions(b, a));
  const found: ReleaseRecord[] = [];
  let read = 0;
  while (read < published.length && found.length < limit) {
    const versions = published.slice(read, read + Math.min(atATime, limit - found.length));
    const items = await table.batchGet(versions.map((version) => releaseKey(productId, version)));
    // What was yanked since the index was read is not there to see.
    const releases = items.map((each) => ReleaseRecord.parse(each)).filter(({ status }) => status === 'published');
    found.push(...releases.toSorted((a, b) => compareVersions(b.version, a.version)));
    read += versions.length;
    if (limitToReplySize(found).length < found.length) break;
  }
  const items = limitToReplySize(found);
  const last = items.length < found.length ? items.at(-1)?.version : published[read - 1];
  const isMore = items.length < found.length || read < published.length;
  const nextCursor = isMore && last !== undefined ? encodeCursor(list, last) : undefined;
  return { items, nextCursor, hasOthers: matching.length < listed.length };
}
