import type { Needs } from '../context.ts';
import { retryOptimisticLock } from '../db/optimistic-lock.ts';
import type { FileId, ProductId } from '../ids.ts';
import { addJob } from '../jobs/job-repository.ts';
import type { Person } from '../sellers/seller.ts';
import { recordFileAudit } from './file-audit.ts';
import { fileAfterRescanRequest } from './file-states.ts';
import { fileIds } from './product-file.ts';
import { getFile, replaceFile } from './product-file-repository.ts';
import { getProductToReview, type ProductFileAdmin, toAdminFile } from './product-file-reviews.ts';

/**
 * Has a file scanned anew whose scan failed or found something; audited. See "Another scan" in states.md
 *
 * @throws AppError product_not_found, file_not_found, self_review_forbidden, file_state_conflict
 */
export async function rescanFile(
  c: Needs<'table' | 'now' | 'sendJob' | 'REVIEW_DUE_HOURS'>,
  admin: Person,
  productId: ProductId,
  fileId: FileId,
): Promise<ProductFileAdmin> {
  await getProductToReview(c.table, admin, productId, fileId);
  const file = await retryOptimisticLock(async () => {
    const read = await getFile(c.table, productId, fileId);
    const next = fileAfterRescanRequest(read, c.now().toISOString());
    await c.table.transactOnce([
      ...(await replaceFile(c.table, read, next)),
      addJob(c, { kind: 'scan-file', ...fileIds(read) }),
      recordFileAudit(c, { actor: admin.userId, action: 'product_file.rescan', before: read, after: next }),
    ]);
    return next;
  });
  await c.sendJob({ kind: 'scan-file', ...fileIds(file) });
  return toAdminFile(c, file);
}
