/** The rules for a release among the product's published ones. See "Builds" in shared/releases/submission.md */

import type { Table, Write } from '../db/table.ts';
import { AppError } from '../errors.ts';
import { type BuildPlatform, type BuildSpan, buildPlatforms, buildsOn, staysAscending } from '../releases/builds.ts';
import { artifactsWithFiles, type ReleaseRecord } from '../releases/release.ts';
import { addBuilds, addToIndex, readIndex } from '../releases/release-index-repository.ts';

const spansOf = (release: ReleaseRecord) =>
  buildPlatforms.flatMap((platform) => {
    const span = buildsOn(platform, release, artifactsWithFiles(release));
    return span ? [{ platform, span }] : [];
  });

/** @throws AppError build_out_of_order */
function checkBuilds(release: ReleaseRecord, builds: Record<BuildPlatform, readonly BuildSpan[]>): void {
  for (const { platform, span } of spansOf(release)) {
    if (!staysAscending(span, builds[platform]))
      throw new AppError('build_out_of_order', `The builds for ${platform} must rise with the versions.`);
  }
}

/** @throws AppError build_out_of_order */
export async function checkBuildOrder(table: Table, release: ReleaseRecord): Promise<void> {
  if (spansOf(release).length > 0) checkBuilds(release, (await readIndex(table, release.productId)).builds);
}

/**
 * Lists the release among those that are published, for the first time. Another was published meanwhile → OptimisticLockError.
 *
 * @throws AppError build_out_of_order
 */
export async function addPublished(table: Table, release: ReleaseRecord): Promise<Write[]> {
  const { index, builds } = await readIndex(table, release.productId);
  checkBuilds(release, builds);
  return [...addToIndex(index, release), ...spansOf(release).map(({ platform, span }) => addBuilds(release.productId, platform, span))];
}
