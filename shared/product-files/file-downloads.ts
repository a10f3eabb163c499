import * as z from 'zod/mini';
import { createAuditRepository } from '../audit/audit-repository.ts';
import { retryOptimisticLock } from '../db/optimistic-lock.ts';
import type { Table } from '../db/table.ts';
import { AppError } from '../errors.ts';
import type { FileId, LicenseId, OrderId, ProductId } from '../ids.ts';
import { createProductRepository, type FoundProduct } from '../products/product-repository.ts';
import { dateTime, shownUri } from '../schemas.ts';
import type { ObjectStore } from './object-store.ts';
import { isDownloadable, isReleased, isStored, type ProductFileRecord, type StoredFile } from './product-file.ts';
import { createProductFileRepository } from './product-file-repository.ts';

/** How long a download URL lives. */
export const downloadSeconds = 5 * 60;

/** Where one version of a file can be downloaded, for so long. */
export const FileDownloadIntentResponse = z.object({
  downloadUrl: shownUri,
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

export type FileDownloads = ReturnType<typeof createFileDownloads>;

/** Who may have the bytes of a file: buyers of the product, and admins who review it. See "Downloads" in README.md. */
export function createFileDownloads(options: {
  table: Table;
  store: Pick<ObjectStore, 'presignDownload'> | undefined;
  now?: (() => Date) | undefined;
}) {
  const { table, store, now = () => new Date() } = options;
  const files = createProductFileRepository({ table });
  const products = createProductRepository({ table });
  const audit = createAuditRepository({ table, now });

  async function sign(signer: Pick<ObjectStore, 'presignDownload'>, file: StoredFile): Promise<FileDownloadIntentResponse> {
    const { storageKey: key, versionId, fileName, contentType } = file;
    const expiresAt = new Date(now().getTime() + downloadSeconds * 1000).toISOString();
    return { downloadUrl: await signer.presignDownload({ key, versionId, fileName, contentType }, downloadSeconds), expiresAt };
  }

  return {
    /** The files of a product that can be downloaded now, oldest first; none of one that is not there. */
    async listDownloadable(found: FoundProduct | undefined): Promise<DownloadableFile[]> {
      if (!store || !isOpen(found)) return [];
      const live = await files.findLiveFiles(found.product.id, found.fileIndex);
      return live
        .filter((file) => isDownloadable(file))
        .map(({ id, fileName, contentType, sizeBytes, sha256Hex }) => ({ fileId: id, fileName, contentType, sizeBytes, sha256Hex }));
    },

    /** @throws AppError file_not_found */
    getFile: (productId: ProductId, fileId: FileId) => files.getFile(productId, fileId),

    /**
     * A URL for exactly the bytes that were verified, scanned and approved; audited. The caller has checked
     * that the buyer holds a license of the product. The audit record is written only while the file may be
     * downloaded, so no URL is given for a file that was taken down before.
     *
     * @throws AppError file_not_available
     */
    async createDownload(
      file: ProductFileRecord,
      entitlement: { orderId: OrderId; licenseId: LicenseId },
    ): Promise<FileDownloadIntentResponse> {
      if (!store || !(isDownloadable(file) || isReleased(file)) || !isOpen(await products.findProductAndSeller(file)))
        throw new AppError('file_not_available');
      const { id, versionId } = file;
      await table.transact([
        files.fileDownloadable(file),
        audit.recordAudit({ actor: 'buyer', action: 'product_file.download', targetId: id, after: { ...entitlement, versionId } }),
      ]);
      return sign(store, file);
    },

    /**
     * A URL for the bytes that were uploaded, whatever was decided about the file, so that an admin sees what is
     * approved; audited.
     *
     * @throws AppError product_not_found, file_not_found, storage_not_configured, file_state_conflict of a file that is
     * not finalized, infected, or deleted from the store
     */
    async createReviewDownload(adminId: string, productId: ProductId, fileId: FileId): Promise<FileDownloadIntentResponse> {
      await products.getProduct(productId);
      return retryOptimisticLock(async () => {
        const file = await files.getFile(productId, fileId);
        if (!store || file.storageKey === undefined) throw new AppError('storage_not_configured');
        if (!isStored(file) || file.scanStatus === 'infected' || file.bytesDeletedAt !== undefined) {
          throw new AppError('file_state_conflict', 'The file is not finalized, is infected, or its bytes are deleted.');
        }
        const { id, versionId } = file;
        await table.transactOnce([
          files.fileUnchanged(file),
          audit.recordAudit({ actor: adminId, action: 'product_file.download', targetId: id, after: { versionId } }),
        ]);
        return sign(store, file);
      });
    },
  };
}

/** Whether product and seller let anything be downloaded. */
const isOpen = (found: FoundProduct | undefined): found is FoundProduct =>
  found !== undefined && found.product.status !== 'suspended' && found.seller.internalReviewStatus !== 'suspended';
