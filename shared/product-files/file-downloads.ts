/** Downloads of a file's bytes, by buyers of the product and by reviewing admins. See "Downloads" in README.md. */

import * as z from 'zod/mini';
import { recordAudit } from '../audit/audit-repository.ts';
import type { Needs } from '../context.ts';
import { retryOptimisticLock } from '../db/optimistic-lock.ts';
import { AppError } from '../errors.ts';
import type { FileId, LicenseId, OrderId, ProductId } from '../ids.ts';
import { type FoundProduct, findProductAndSeller, getProduct } from '../products/product-repository.ts';
import { dateTime, storedUri } from '../schemas.ts';
import { isDownloadable, isDownloadableRelease, isStored, type ProductFileRecord, type StoredFile } from './product-file.ts';
import { checkFileDownloadable, checkFileUnchanged, findLiveFiles, getFile } from './product-file-repository.ts';
import type { ObjectStore } from './storage/object-store.ts';

/** How long a download URL lives. */
export const downloadSeconds = 5 * 60;

/** Where one version of a file can be downloaded, for so long. */
export const FileDownloadIntentResponse = z.object({
  downloadUrl: storedUri,
  expiresAt: dateTime,
});
export type FileDownloadIntentResponse = z.infer<typeof FileDownloadIntentResponse>;

/** What a buyer is told of a file. */
export interface DownloadableFile {
  fileId: FileId;
  fileName: string;
  contentType: string;
  sizeBytes: number;
  sha256Hex: string;
}

async function sign(c: Needs<'now'>, signer: Pick<ObjectStore, 'presignDownload'>, file: StoredFile): Promise<FileDownloadIntentResponse> {
  const { storageKey: key, versionId, fileName, contentType } = file;
  const expiresAt = new Date(c.now().getTime() + downloadSeconds * 1000).toISOString();
  return { downloadUrl: await signer.presignDownload({ key, versionId, fileName, contentType }, downloadSeconds), expiresAt };
}

/** The files of a product that can be downloaded now, oldest first; none of one that is not there. */
export async function listDownloadable(c: Needs<'table' | 'store'>, found: FoundProduct | undefined): Promise<DownloadableFile[]> {
  if (!c.store || !isOpen(found)) return [];
  const live = await findLiveFiles(c.table, found.product.id, found.fileIndex);
  return live
    .filter((file) => isDownloadable(file))
    .map(({ id, fileName, contentType, sizeBytes, sha256Hex }) => ({ fileId: id, fileName, contentType, sizeBytes, sha256Hex }));
}

/**
 * A URL for exactly the bytes that were verified, scanned and approved; audited. The caller has checked
 * that the buyer holds a license of the product. The audit record is written only while the file may be
 * downloaded, so no URL is given for a file that was taken down before.
 *
 * @throws AppError file_not_available
 */
export async function createFileDownload(
  c: Needs<'table' | 'now' | 'store'>,
  file: ProductFileRecord,
  entitlement: { orderId: OrderId; licenseId: LicenseId },
): Promise<FileDownloadIntentResponse> {
  if (!c.store || !(isDownloadable(file) || isDownloadableRelease(file)) || !isOpen(await findProductAndSeller(c.table, file)))
    throw new AppError('file_not_available');
  const { id, versionId } = file;
  await c.table.transact([
    checkFileDownloadable(file),
    recordAudit(c, { actor: 'buyer', action: 'product_file.download', targetId: id, after: { ...entitlement, versionId } }),
  ]);
  return sign(c, c.store, file);
}

/**
 * A URL for the bytes that were uploaded, whatever was decided about the file, so that an admin sees what is
 * approved; audited.
 *
 * @throws AppError product_not_found, file_not_found, storage_not_configured, file_state_conflict of a file that is
 * not finalized, infected, or deleted from the store
 */
export async function createReviewDownload(c: Needs<'table' | 'now' | 'store'>, adminId: string, productId: ProductId, fileId: FileId) {
  await getProduct(c.table, productId);
  return retryOptimisticLock(async () => {
    const file = await getFile(c.table, productId, fileId);
    if (!c.store || file.storageKey === undefined) throw new AppError('storage_not_configured');
    if (!isStored(file) || file.scanStatus === 'infected' || file.bytesDeletedAt !== undefined) {
      throw new AppError('file_state_conflict', 'The file is not finalized, is infected, or its bytes are deleted.');
    }
    const { id, versionId } = file;
    await c.table.transactOnce([
      checkFileUnchanged(file),
      recordAudit(c, { actor: adminId, action: 'product_file.download', targetId: id, after: { versionId } }),
    ]);
    return sign(c, c.store, file);
  });
}

/** Whether product and seller let anything be downloaded. */
const isOpen = (found: FoundProduct | undefined): found is FoundProduct =>
  found !== undefined && found.product.status !== 'suspended' && found.seller.internalReviewStatus !== 'suspended';
