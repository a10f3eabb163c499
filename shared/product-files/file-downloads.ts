import type { AuditRepository } from '../audit/audit-repository.ts';
import type { Table } from '../db/table.ts';
import { AppError } from '../errors.ts';
import type { FileId, LicenseId, OrderId, ProductId } from '../ids.ts';
import type { ProductRepository } from '../products/product-repository.ts';
import type { SellerRepository } from '../sellers/seller-repository.ts';
import type { ObjectStore } from './object-store.ts';
import { isDownloadable, type ProductFileRecord } from './product-file.ts';
import type { ProductFileRepository } from './product-file-repository.ts';

/** How long a download URL lives. */
export const downloadSeconds = 5 * 60;

/** What a buyer is told of a file. */
export interface DownloadableFile {
  fileId: FileId;
  fileName: string;
  contentType: string;
  sizeBytes: number;
  sha256Hex: string;
}

export type FileDownloads = ReturnType<typeof createFileDownloads>;

/** What buyers may do with the files of a product they bought. See "Downloads" in README.md. */
export function createFileDownloads(options: {
  table: Table;
  files: ProductFileRepository;
  products: Pick<ProductRepository, 'findProduct'>;
  sellers: Pick<SellerRepository, 'findSeller'>;
  audit: AuditRepository;
  store: Pick<ObjectStore, 'presignDownload'> | undefined;
  now?: () => Date;
}) {
  const { table, files, products, sellers, audit, store, now = () => new Date() } = options;

  /** Whether product and seller let anything be downloaded. */
  async function isOpen(productId: ProductId): Promise<boolean> {
    const product = await products.findProduct(productId);
    if (!product || product.status === 'suspended') return false;
    const seller = await sellers.findSeller(product.sellerId);
    return seller !== undefined && seller.internalReviewStatus !== 'suspended';
  }

  return {
    /** The files of a product that can be downloaded now, oldest first. */
    async listDownloadable(productId: ProductId): Promise<DownloadableFile[]> {
      if (!store || !(await isOpen(productId))) return [];
      const live = await files.findLiveFiles(productId);
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
    ): Promise<{ downloadUrl: string; expiresAt: string }> {
      if (!store || !isDownloadable(file) || !(await isOpen(file.productId))) throw new AppError('file_not_available');
      const { id, versionId, storageKey: key, fileName, contentType } = file;
      await table.transact([
        files.fileDownloadable(file),
        audit.recordAudit({ actor: 'buyer', action: 'product_file.download', targetId: id, after: { ...entitlement, versionId } }),
      ]);
      const expiresAt = new Date(now().getTime() + downloadSeconds * 1000).toISOString();
      const downloadUrl = await store.presignDownload({ key, versionId, fileName, contentType }, downloadSeconds);
      return { downloadUrl, expiresAt };
    },
  };
}
