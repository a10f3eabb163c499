import { isDeepStrictEqual } from 'node:util';
import type { Caller } from '../audit/caller.ts';
import type { Needs } from '../context.ts';
import { AppError } from '../errors.ts';
import type { FileId, ProductId, ReleaseId } from '../ids.ts';
import { findFiles } from '../product-files/product-file-repository.ts';
import { requireUnsuspended } from '../products/product-states.ts';
import { fileIdsOf } from '../releases/artifacts/artifact.ts';
import { type AddArtifactsRequest, draftWithArtifacts } from '../releases/release-request.ts';
import { requireDraft } from '../releases/release-states.ts';
import type { Release } from '../releases/release-view.ts';
import { changeRelease, getProductToChange, permitDraft } from './change-release.ts';
import { bindFiles } from './release-files.ts';

/**
 * Adds artifacts to a draft, or puts them in the place of what it has there. Of calls at the same moment none is lost.
 * Idempotent.
 *
 * @throws AppError invalid_request, product_not_found, forbidden, release_not_found, seller_not_eligible,
 * product_suspended, token_scope_insufficient, stale_revision, release_state_conflict, file_not_found, file_in_use
 */
export async function addArtifacts(
  c: Needs<'table' | 'now' | 'REVIEW_DUE_HOURS'>,
  caller: Caller,
  productId: ProductId,
  releaseId: ReleaseId,
  { artifacts, ...expected }: AddArtifactsRequest,
): Promise<Release> {
  requireUnsuspended(await getProductToChange(c.table, caller, productId, releaseId));
  // The name of a file never changes.
  const names = new Map((await findFiles(c.table, productId, fileIdsOf(artifacts))).map(({ id, fileName }) => [id, fileName]));
  const fileNameOf = (fileId: FileId) => {
    const name = names.get(fileId);
    if (name === undefined) throw new AppError('file_not_found');
    return name;
  };
  return changeRelease(
    c,
    caller,
    productId,
    releaseId,
    expected,
    async (read) => {
      requireDraft(read);
      const { release: next, writes } = await bindFiles(c, draftWithArtifacts(read, artifacts, fileNameOf), read);
      return isDeepStrictEqual(read, next) ? undefined : { action: 'release.update', next, writes };
    },
    (read) => permitDraft(caller, read),
  );
}
