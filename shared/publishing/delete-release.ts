import { auditActorOf, type Caller } from '../audit/caller.ts';
import type { Needs } from '../context.ts';
import { retryOptimisticLock } from '../db/optimistic-lock.ts';
import type { ProductId, ReleaseId } from '../ids.ts';
import { requireUnsuspended } from '../products/product-states.ts';
import { deleteDraft, getRelease } from '../releases/release-repository.ts';
import { requireDraft } from '../releases/release-states.ts';
import { getProductToChange } from './change-release.ts';
import { recordReleaseAudit } from './release-audit.ts';
import { freeFiles } from './release-files.ts';

/**
 * Deletes a draft, which frees its version and files.
 *
 * @throws AppError product_not_found, forbidden, release_not_found, seller_not_eligible, product_suspended, release_state_conflict
 */
export async function deleteRelease(
  c: Needs<'table' | 'now'>,
  caller: Caller,
  productId: ProductId,
  releaseId: ReleaseId,
): Promise<Record<string, never>> {
  requireUnsuspended(await getProductToChange(c.table, caller, productId, releaseId));
  return retryOptimisticLock(async () => {
    const read = await getRelease(c.table, productId, releaseId);
    requireDraft(read);
    await c.table.transactOnce([
      ...deleteDraft(read),
      ...(await freeFiles(c, read)),
      ...recordReleaseAudit(c, { actor: auditActorOf(caller), action: 'release.delete', before: read }),
    ]);
    return {};
  });
}
