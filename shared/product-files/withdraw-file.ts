import { auditActorOf, type Caller } from '../audit/caller.ts';
import type { Needs } from '../context.ts';
import { retryOptimisticLock } from '../db/optimistic-lock.ts';
import type { FileId, ProductId } from '../ids.ts';
import { recordFileAudit } from './file-audit.ts';
import { discardDead } from './file-discards.ts';
import { fileAfterWithdrawal } from './file-states.ts';
import { getProductToChange, type ProductFile, showFile } from './own-file.ts';
import { isMultipartFile } from './parts/upload-parts.ts';
import { fileIds } from './product-file.ts';
import { getFile, replaceFileOfSeller } from './product-file-repository.ts';

/**
 * Withdraws a file for good; again it changes nothing.
 *
 * @throws AppError product_not_found, forbidden, file_not_found, seller_not_eligible, file_state_conflict, file_in_use
 */
export async function withdrawFile(
  c: Needs<'table' | 'now' | 'sendJob' | 'DISCARD_AFTER_HOURS' | 'REVIEW_DUE_HOURS'>,
  caller: Caller,
  productId: ProductId,
  fileId: FileId,
): Promise<ProductFile> {
  await getProductToChange(c.table, caller, productId, fileId);
  const { file, areAborted } = await retryOptimisticLock(async () => {
    const read = await getFile(c.table, productId, fileId);
    const next = fileAfterWithdrawal(read, c.now().toISOString());
    if (next === read) return { file: read, areAborted: false };
    await c.table.transactOnce([
      ...(await replaceFileOfSeller(c.table, read, next)),
      ...discardDead(c, read, next),
      recordFileAudit(c, { actor: auditActorOf(caller), action: 'product_file.withdraw', before: read, after: next }),
    ]);
    return { file: next, areAborted: read.status === 'upload_pending' && isMultipartFile(read) };
  });
  if (areAborted) await c.sendJob({ kind: 'abort-parts', ...fileIds(file) });
  return showFile(c, file);
}
