import type { Caller } from '../audit/caller.ts';
import type { Needs } from '../context.ts';
import type { ProductId, ReleaseId } from '../ids.ts';
import { requireUnsuspended } from '../products/product-states.ts';
import type { PublishReleaseRequest } from '../releases/release-request.ts';
import { releaseAfterTransition } from '../releases/release-states.ts';
import type { Release } from '../releases/release-view.ts';
import { changeRelease, getProductToChange } from './change-release.ts';
import { addPublished } from './publication.ts';
import { checkFiles } from './release-files.ts';

/**
 * Publishes what was approved, or sets how many get what is published.
 *
 * @throws AppError product_not_found, forbidden, release_not_found, seller_not_eligible, product_suspended, stale_revision,
 * release_state_conflict, build_out_of_order, file_state_conflict, file_not_verified, file_not_trusted_clean
 */
export async function publishRelease(
  c: Needs<'table' | 'now' | 'REVIEW_DUE_HOURS'>,
  caller: Caller,
  productId: ProductId,
  releaseId: ReleaseId,
  request: PublishReleaseRequest,
): Promise<Release> {
  requireUnsuspended(await getProductToChange(c.table, caller, productId, releaseId));
  return changeRelease(c, caller, productId, releaseId, request, async (read) => {
    const next = releaseAfterTransition(read, 'publish', { at: c.now().toISOString(), rolloutPercent: request.rolloutPercent });
    if (next === read) return undefined;
    if (read.publishedAt !== undefined) return { action: 'release.publish', next, writes: [] };
    await checkFiles(c, next);
    const listed = await addPublished(c.table, { ...next, revision: read.revision + 1 });
    return { action: 'release.publish', next, writes: listed, events: ['release.published'] };
  });
}
