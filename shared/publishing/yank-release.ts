import type { Caller } from '../audit/caller.ts';
import type { Needs } from '../context.ts';
import type { ProductId, ReleaseId } from '../ids.ts';
import { releaseAfterTransition } from '../releases/release-states.ts';
import type { Release } from '../releases/release-view.ts';
import { changeRelease, getProductToChange } from './change-release.ts';
import { withdrawFiles } from './release-files.ts';

/**
 * Yanks a published release and withdraws its files, permanently. Idempotent.
 *
 * @throws AppError product_not_found, forbidden, release_not_found, seller_not_eligible, release_state_conflict
 */
export async function yankRelease(
  c: Needs<'table' | 'now' | 'DISCARD_AFTER_HOURS' | 'REVIEW_DUE_HOURS'>,
  caller: Caller,
  productId: ProductId,
  releaseId: ReleaseId,
  reason: string,
): Promise<Release> {
  await getProductToChange(c.table, caller, productId, releaseId);
  return changeRelease(c, caller, productId, releaseId, {}, async (read) => {
    const next = releaseAfterTransition(read, 'yank', { at: c.now().toISOString(), reason });
    if (next === read) return undefined;
    const withdrawn = await withdrawFiles(c, next);
    return { action: 'release.yank', next: withdrawn.release, writes: withdrawn.writes, events: ['release.yanked'], reason };
  });
}
