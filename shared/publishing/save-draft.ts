import { isDeepStrictEqual } from 'node:util';
import { auditActorOf, type Caller, requireScope } from '../audit/caller.ts';
import type { Needs } from '../context.ts';
import { retryOptimisticLock } from '../db/optimistic-lock.ts';
import type { Write } from '../db/table.ts';
import { AppError } from '../errors.ts';
import { fault } from '../faults/fault.ts';
import * as rules from '../faults/rules.ts';
import { newId, type ProductId } from '../ids.ts';
import { getOwnProduct } from '../products/own-product.ts';
import { requireUnsuspended } from '../products/product-states.ts';
import type { ReleaseRecord } from '../releases/release.ts';
import { createDraft, findVersion, replaceRelease } from '../releases/release-repository.ts';
import { draftAfterEdit, newDraft, ReleaseRequest } from '../releases/release-request.ts';
import { type Release, toRelease } from '../releases/release-view.ts';
import { crossFieldRule } from '../schemas.ts';
import { requireEligible } from '../sellers/seller.ts';
import { changeAttempts, checkRevision, permitDraft } from './change-release.ts';
import { recordReleaseAudit } from './release-audit.ts';
import { bindFiles } from './release-files.ts';

/** What a seller may send of a draft now. */
export const draftRequest = (c: Needs<'now'>) =>
  ReleaseRequest.check(
    crossFieldRule(['coveredAt'], ({ coveredAt }) =>
      coveredAt !== undefined && coveredAt > c.now().toISOString() ? fault(rules.notPast) : undefined,
    ),
  );

/**
 * Creates a draft of a new version, or edits the existing draft.
 *
 * @throws AppError invalid_request, product_not_found, forbidden, token_scope_insufficient, seller_not_eligible,
 * product_suspended, stale_revision, version_taken, file_not_found, file_in_use, too_many_releases
 */
export async function saveDraft(
  c: Needs<'table' | 'now' | 'REVIEW_DUE_HOURS'>,
  caller: Caller,
  productId: ProductId,
  request: ReleaseRequest,
): Promise<{ release: Release; isNew: boolean }> {
  const { product, seller } = await getOwnProduct(c.table, caller, productId);
  if (request.publishOnApproval) requireScope(caller, ['releases:publish']);
  requireEligible(seller);
  requireUnsuspended(product);
  return retryOptimisticLock(async () => {
    const read = await findVersion(c.table, productId, request.version);
    if (read) permitDraft(caller, read);
    checkRevision(read, request);
    if (read && read.status !== 'draft') throw new AppError('version_taken');
    const { sellerId } = product;
    const at = c.now().toISOString();
    const draft = read ? draftAfterEdit(read, request) : newDraft(request, { id: newId('release', c.now()), productId, sellerId }, at);
    const { release: next, writes } = await bindFiles(c, draft, read);
    if (read && isDeepStrictEqual(read, next)) return { release: toRelease(c, read), isNew: false };
    const saved = save(read, next);
    await c.table.transactOnce([
      ...saved.writes,
      ...writes,
      ...recordReleaseAudit(c, {
        actor: auditActorOf(caller),
        action: read ? 'release.update' : 'release.create',
        before: read,
        after: saved.release,
      }),
    ]);
    return { release: toRelease(c, saved.release), isNew: !read };
  }, changeAttempts);
}

function save(read: ReleaseRecord | undefined, next: ReleaseRecord): { release: ReleaseRecord; writes: Write[] } {
  if (!read) {
    const release = { ...next, revision: 1 };
    return { release, writes: createDraft(release) };
  }
  const { release, write } = replaceRelease(read, next);
  return { release, writes: [write] };
}
