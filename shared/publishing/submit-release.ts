import type { Caller } from '../audit/caller.ts';
import type { Needs } from '../context.ts';
import { AppError } from '../errors.ts';
import { faultOf, messageOf } from '../faults/fault.ts';
import * as rules from '../faults/rules.ts';
import type { ProductId, ReleaseId } from '../ids.ts';
import { requireUnsuspended } from '../products/product-states.ts';
import { submissionFaults } from '../releases/artifacts/submission.ts';
import { artifactsWithFiles, type ReleaseRecord } from '../releases/release.ts';
import { keptNotes } from '../releases/release-notes.ts';
import { releaseAfterTransition } from '../releases/release-states.ts';
import type { Release } from '../releases/release-view.ts';
import { maxHtmlKilobytes } from '../text/markdown.ts';
import { changeRelease, type ExpectedRevision, getProductToChange, permitDraft, type ReleaseChange } from './change-release.ts';
import { checkBuildOrder } from './publication.ts';
import { checkFilesUnchanged, getFiles } from './release-files.ts';
import { takeVelopackNames } from './velopack-names.ts';

/**
 * Submits a draft for review. Idempotent.
 *
 * @throws AppError product_not_found, forbidden, release_not_found, seller_not_eligible, product_suspended, stale_revision,
 * release_state_conflict, token_scope_insufficient, release_incomplete, build_out_of_order, file_name_taken
 */
export async function submitRelease(
  c: Needs<'table' | 'now' | 'REVIEW_DUE_HOURS'>,
  caller: Caller,
  productId: ProductId,
  releaseId: ReleaseId,
  expected: ExpectedRevision,
): Promise<Release> {
  requireUnsuspended(await getProductToChange(c.table, caller, productId, releaseId));
  const submit = async (read: ReleaseRecord): Promise<ReleaseChange | undefined> => {
    const next = releaseAfterTransition(read, 'submit', { at: c.now().toISOString() });
    if (next === read) return undefined;
    const found = await getFiles(c.table, read);
    const finalized = new Set(found.filter(({ status }) => status === 'pending_review' || status === 'approved').map(({ id }) => id));
    const renderedNotes = keptNotes(read.notes);
    const faults = submissionFaults(artifactsWithFiles(read), ({ fileId }) => finalized.has(fileId));
    if (!renderedNotes) faults.unshift(faultOf('notes', rules.tooMuchHtml, { max: maxHtmlKilobytes }));
    if (faults.length > 0) throw new AppError('release_incomplete', messageOf(faults));
    await checkBuildOrder(c.table, read);
    return {
      action: 'release.submit',
      next: { ...next, renderedNotes },
      writes: [...takeVelopackNames(read), ...checkFilesUnchanged(found)],
    };
  };
  return changeRelease(c, caller, productId, releaseId, expected, submit, (read) => permitDraft(caller, read));
}
