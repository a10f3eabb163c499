import type { Caller } from '../audit/caller.ts';
import type { Needs } from '../context.ts';
import type { ProductId, ReleaseId } from '../ids.ts';
import { releaseAfterTransition } from '../releases/release-states.ts';
import type { Release } from '../releases/release-view.ts';
import { changeRelease, type ExpectedRevision, getProductToChange } from './change-release.ts';
import { freeVelopackNames } from './velopack-names.ts';

/**
 * Turns an unpublished release back into a draft. Idempotent.
 *
 * @throws AppError product_not_found, forbidden, release_not_found, seller_not_eligible, stale_revision, release_state_conflict
 */
export async function withdrawRelease(
  c: Needs<'table' | 'now' | 'REVIEW_DUE_HOURS'>,
  caller: Caller,
  productId: ProductId,
  releaseId: ReleaseId,
  expected: ExpectedRevision,
): Promise<Release> {
  await getProductToChange(c.table, caller, productId, releaseId);
  return changeRelease(c, caller, productId, releaseId, expected, async (read) => {
    const next = releaseAfterTransition(read, 'withdraw', { at: c.now().toISOString() });
    return next === read ? undefined : { action: 'release.withdraw', next, writes: freeVelopackNames(read) };
  });
}
