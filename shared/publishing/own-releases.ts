import type { Caller } from '../audit/caller.ts';
import type { Needs } from '../context.ts';
import { mapPage, type Page, type PageRequest } from '../db/sharded-list.ts';
import type { ProductId, ReleaseId } from '../ids.ts';
import { getOwnProduct } from '../products/own-product.ts';
import type { ReleaseStatus } from '../releases/release.ts';
import { getRelease, listReleases } from '../releases/release-repository.ts';
import { type Release, toRelease } from '../releases/release-view.ts';
import type { Channel } from '../releases/versions/version.ts';

/** @throws AppError product_not_found, forbidden, release_not_found */
export async function getOwnRelease(
  c: Needs<'table' | 'REVIEW_DUE_HOURS'>,
  caller: Caller,
  productId: ProductId,
  releaseId: ReleaseId,
): Promise<Release> {
  await getOwnProduct(c.table, caller, productId);
  return toRelease(c, await getRelease(c.table, productId, releaseId));
}

/** Newest first. @throws AppError product_not_found, forbidden */
export async function listOwnReleases(
  c: Needs<'table' | 'REVIEW_DUE_HOURS'>,
  caller: Caller,
  productId: ProductId,
  request: PageRequest & { status?: ReleaseStatus | undefined; channel?: Channel | undefined },
): Promise<Page<Release>> {
  await getOwnProduct(c.table, caller, productId);
  return mapPage(await listReleases(c.table, productId, request), (release) => toRelease(c, release));
}
