/** The one item that counts a product's releases and lists those that were published. See "The index" in README.md */

import * as z from 'zod/mini';
import { findItem, itemsByKey } from '../db/find-items.ts';
import { releaseBuildsKey, releaseIndexKey, releaseRevisionKey } from '../db/keys.ts';
import { lockConflict } from '../db/optimistic-lock.ts';
import type { Table, Write } from '../db/table.ts';
import { AppError } from '../errors.ts';
import type { ProductId } from '../ids.ts';
import { type BuildPlatform, BuildSpan, buildPlatforms } from './builds.ts';
import { maxReleases, maxUnpublished, type ReleaseRecord } from './release.ts';
import { type IndexEntry, ReleaseIndex } from './release-listing.ts';

const Builds = z.object({ spans: z.array(BuildSpan) });

const entryOf = ({ channel, revision, status }: ReleaseRecord): IndexEntry => ({
  channel,
  revision,
  ...(status === 'yanked' && { yanked: true }),
});

/** Counts one more or one fewer draft. */
const count = (productId: ProductId, by: 1 | -1): Write => ({
  update: {
    Key: releaseIndexKey(productId),
    UpdateExpression:
      'SET published = if_not_exists(published, :none), revision = if_not_exists(revision, :zero), ' +
      'unpublished = if_not_exists(unpublished, :zero) + :by, #total = if_not_exists(#total, :zero) + :by',
    ExpressionAttributeNames: { '#total': 'total' },
    ExpressionAttributeValues: {
      ':none': {},
      ':zero': 0,
      ':by': by,
      ...(by > 0 && { ':mostUnpublished': maxUnpublished, ':most': maxReleases }),
    },
    ...(by > 0 && {
      ConditionExpression: 'attribute_not_exists(pk) OR (unpublished < :mostUnpublished AND #total < :most)',
    }),
  },
  onConditionFailed: () => new AppError('too_many_releases'),
});

/** Beside the index, whose revision it is. */
const countChange = (productId: ProductId): Write => ({
  update: { Key: releaseRevisionKey(productId), UpdateExpression: 'ADD revision :one', ExpressionAttributeValues: { ':one': 1 } },
});

/** @throws AppError too_many_releases */
export const countDraft = (productId: ProductId): Write => count(productId, 1);

export const uncountDraft = (productId: ProductId): Write => count(productId, -1);

/** The index, and after it the builds of what is published by platform: whoever commits while the index is the one that was read knows all of them. */
export async function readIndex(table: Table, productId: ProductId) {
  const keyOf = (platform: BuildPlatform) => releaseBuildsKey(productId, platform);
  const index = await findItem(table, releaseIndexKey(productId), ReleaseIndex);
  const itemAt = itemsByKey(await table.batchGet(buildPlatforms.map(keyOf)));
  const spansOn = (platform: BuildPlatform) => Builds.parse(itemAt(keyOf(platform)) ?? { spans: [] }).spans;
  return {
    index: index ?? { revision: 0, total: 0, unpublished: 0, published: {} },
    builds: { windows: spansOn('windows'), macos: spansOn('macos'), linux: spansOn('linux') },
  };
}

/** Lists a release for the first time, while the index is the one that was read. Changed since → OptimisticLockError. */
export function addToIndex(read: ReleaseIndex, release: ReleaseRecord): Write[] {
  const list: Write = {
    update: {
      Key: releaseIndexKey(release.productId),
      UpdateExpression: 'SET published.#version = :entry, revision = revision + :one, unpublished = unpublished - :one',
      ConditionExpression: 'revision = :read',
      ExpressionAttributeNames: { '#version': release.version },
      ExpressionAttributeValues: { ':entry': entryOf(release), ':one': 1, ':read': read.revision },
    },
    onConditionFailed: lockConflict,
  };
  return [list, countChange(release.productId)];
}

/** Records that a published release changed, so that feeds read it again; does nothing for one that was never published. */
export function recordReleaseChange(release: ReleaseRecord): Write[] {
  if (release.publishedAt === undefined) return [];
  return [
    {
      update: {
        Key: releaseIndexKey(release.productId),
        UpdateExpression: 'SET published.#version = :entry, revision = revision + :one',
        ExpressionAttributeNames: { '#version': release.version },
        ExpressionAttributeValues: { ':entry': entryOf(release), ':one': 1 },
      },
    },
    countChange(release.productId),
  ];
}

/** Keeps the builds of a release that is published; to be committed with `listPublished`, which guards them. */
export function addBuilds(productId: ProductId, platform: BuildPlatform, span: BuildSpan): Write {
  return {
    update: {
      Key: releaseBuildsKey(productId, platform),
      UpdateExpression: 'SET spans = list_append(if_not_exists(spans, :none), :span)',
      ExpressionAttributeValues: { ':none': [], ':span': [span] },
    },
  };
}
