/** What admins do with product files. */

import * as z from 'zod/mini';
import type { Needs } from '../context.ts';
import { retryOptimisticLock } from '../db/optimistic-lock.ts';
import { mapPage, type Page, type PageRequest } from '../db/sharded-list.ts';
import type { Table } from '../db/table.ts';
import { AppError } from '../errors.ts';
import { type FileId, idOf, type ProductId } from '../ids.ts';
import type { ReviewOutcome } from '../mail/seller-mails/review-notice.ts';
import { reviewNotice } from '../mail/seller-mails/review-notice-repository.ts';
import type { ProductRecord } from '../products/product.ts';
import { getProduct } from '../products/product-repository.ts';
import { reviewDueAt } from '../review-due.ts';
import { dateTime, lines, requiredFor } from '../schemas.ts';
import { recordEvent } from '../seller-events/event-record-repository.ts';
import type { NewEvent } from '../seller-events/seller-event.ts';
import { type Person, refuseSelfReview } from '../sellers/seller.ts';
import { findSeller } from '../sellers/seller-repository.ts';
import { recordFileAudit } from './file-audit.ts';
import { discardDead } from './file-discards.ts';
import { type FileReviewDecision, fileAfterReview, fileReviewDecisions, fileWaitingSince } from './file-states.ts';
import { fileFields, type ProductFileRecord, ProductFileVisibility } from './product-file.ts';
import { checkFileUnchanged, type FileFilter, getFile, listFilesByStatus, replaceFile } from './product-file-repository.ts';
import { looksSensitive } from './sensitive-reason.ts';

/** An admin's decision on a file. */
export const ProductFileReviewRequest = z
  .object({
    decision: z.enum(fileReviewDecisions),
    visibility: z.optional(ProductFileVisibility),
    rejectedReason: z.optional(lines(500)),
    manualScanCleanReason: z.optional(lines(500)),
  })
  .check(requiredFor('rejectedReason', 'reject'), requiredFor('manualScanCleanReason', 'manual_clean', 'mark_manual_clean'));
export type ProductFileReviewRequest = z.infer<typeof ProductFileReviewRequest>;

/** A file as admins see it. */
export const ProductFileAdmin = z.object({
  fileId: idOf('file'),
  ...fileFields.owner,
  filename: z.string(),
  ...fileFields.facts,
  scanTrustedClean: z.boolean(),
  wasInfected: z.optional(z.boolean()),
  createdAt: dateTime,
  ...fileFields.times,
  /** Until when it is to be decided on, while it waits. */
  reviewDueAt: z.optional(dateTime),
});
export type ProductFileAdmin = z.infer<typeof ProductFileAdmin>;

export function toAdminFile(c: Needs<'REVIEW_DUE_HOURS'>, file: ProductFileRecord): ProductFileAdmin {
  const { id: fileId, fileName: filename, ...rest } = file;
  const dueAt = reviewDueAt(fileWaitingSince(file), c.settings.REVIEW_DUE_HOURS);
  return ProductFileAdmin.parse({ ...rest, fileId, filename, reviewDueAt: dueAt });
}

/** What the seller is mailed of a decision that moved a file. */
const outcomes: Record<FileReviewDecision, ReviewOutcome | undefined> = {
  approve: 'file.approved',
  reject: 'file.rejected',
  disable: 'file.disabled',
  manual_clean: undefined,
  mark_manual_clean: undefined,
};

/** The product of a file that is not the admin's own. @throws AppError product_not_found, file_not_found, self_review_forbidden */
export async function getProductToReview(table: Table, admin: Person, productId: ProductId, fileId: FileId): Promise<ProductRecord> {
  const product = await getProduct(table, productId);
  await getFile(table, productId, fileId);
  refuseSelfReview(admin, await findSeller(table, product.sellerId));
  return product;
}

/**
 * Decides on a file; audited, also when the decision changes nothing. A file that changes at the same
 * moment is read and judged again. See "Review decisions" in states.md.
 *
 * @throws AppError reason_contains_sensitive_data, product_not_found, file_not_found, self_review_forbidden,
 * file_state_conflict, file_not_verified, file_not_trusted_clean
 */
export async function reviewFile(
  c: Needs<'table' | 'now' | 'sendJob' | 'DISCARD_AFTER_HOURS' | 'REVIEW_DUE_HOURS'>,
  admin: Person,
  productId: ProductId,
  fileId: FileId,
  request: ProductFileReviewRequest,
): Promise<ProductFileAdmin> {
  const { decision, visibility, rejectedReason, manualScanCleanReason } = request;
  if (manualScanCleanReason !== undefined && looksSensitive(manualScanCleanReason)) {
    throw new AppError('reason_contains_sensitive_data');
  }
  const product = await getProductToReview(c.table, admin, productId, fileId);

  return retryOptimisticLock(async () => {
    const read = await getFile(c.table, productId, fileId);
    const next = fileAfterReview(read, { decision, visibility, rejectedReason, at: c.now().toISOString() });
    const isManual = decision === 'manual_clean' || decision === 'mark_manual_clean';
    const note = isManual ? manualScanCleanReason : rejectedReason;
    const happening: NewEvent = { type: 'product_file.reviewed', data: { productId, fileId, decision, status: next.status } };
    const outcome = read.status === next.status ? undefined : outcomes[decision];
    const reason = decision === 'reject' ? rejectedReason : undefined;
    const notice = reviewNotice(
      c,
      product.sellerId,
      outcome && { outcome, productId, productName: product.name, fileName: read.fileName, reason },
    );
    await c.table.transactOnce([
      ...(next === read
        ? [checkFileUnchanged(read)]
        : [...(await replaceFile(c.table, read, next)), recordEvent(c, product.sellerId, happening)]),
      ...discardDead(c, read, next),
      recordFileAudit(c, { actor: admin.userId, action: `product_file.${decision}`, before: read, after: next, note }),
      ...notice.writes,
    ]);
    await notice.send();
    return toAdminFile(c, next);
  });
}

/** Oldest first; files that wait for review, unless another status is requested. */
export async function listFilesForReview(
  c: Needs<'table' | 'REVIEW_DUE_HOURS'>,
  { status = 'pending_review', ...request }: PageRequest & Omit<FileFilter, 'status'> & { status?: FileFilter['status'] | undefined },
): Promise<Page<ProductFileAdmin>> {
  return mapPage(await listFilesByStatus(c.table, { ...request, status }), (file) => toAdminFile(c, file));
}
