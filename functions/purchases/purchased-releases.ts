/** The releases of a product, for who bought it. */

import type { Needs } from '../../shared/context.ts';
import { AppError } from '../../shared/errors.ts';
import { coversRelease } from '../../shared/licenses/coverage.ts';
import { type License, statusOf } from '../../shared/licenses/license.ts';
import type { ProductFileRecord } from '../../shared/product-files/product-file.ts';
import { listPublished } from '../../shared/releases/published-release-repository.ts';
import { artifactsWithFiles, coveredAtOf, type ReleaseRecord } from '../../shared/releases/release.ts';
import { findVersion } from '../../shared/releases/release-repository.ts';
import { channels } from '../../shared/releases/versions/version.ts';

/** So many a page. */
const limit = 50;

function covers(c: Needs<'now'>, license: License, release: ReleaseRecord): boolean {
  const { requiresFeatures } = release;
  const coveredAt = coveredAtOf(release);
  return coveredAt !== undefined && coversRelease({ ...license, status: statusOf(license, c.now()) }, { coveredAt, requiresFeatures });
}

/** All that is published, the highest version first; with files where the license covers it. */
export async function listPurchasedReleases(c: Needs<'table' | 'now'>, license: License, cursor: string | undefined) {
  const { items, nextCursor } = await listPublished(c.table, license.productId, { channels, limit, cursor });
  const listed = items.map((release) => {
    const covered = covers(c, license, release);
    return { ...release, covered, artifacts: covered ? artifactsWithFiles(release) : undefined };
  });
  return { updatesUntil: license.updatesUntil, items: listed, nextCursor };
}

/** What a file of a release needs before it is looked at. @throws AppError file_not_available, update_not_covered */
export async function requireCovered(
  c: Needs<'table' | 'now'>,
  { productId, releaseVersion }: ProductFileRecord,
  license: License,
): Promise<void> {
  const release = releaseVersion === undefined ? undefined : await findVersion(c.table, productId, releaseVersion);
  if (release?.publishedAt === undefined) throw new AppError('file_not_available');
  if (!covers(c, license, release)) throw new AppError('update_not_covered');
}
