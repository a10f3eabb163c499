import * as z from 'zod/mini';
import { fileKey, fileSlotsKey, filesOfProduct, listKey } from '../db/keys.ts';
import { checkUnchanged, lockConflict, replaceUnchanged } from '../db/optimistic-lock.ts';
import { emptyPage, filteredPage, listAcrossShards, listOfPartition, type Page, type PageRequest } from '../db/sharded-list.ts';
import { type Item, ifAbsent, type Table, type Write } from '../db/table.ts';
import { AppError } from '../errors.ts';
import { type FileId, isId, type ProductId, type SellerId } from '../ids.ts';
import { ProductFileRecord, type ProductFileStatus, type StoredFile } from './product-file.ts';

export interface FileFilter {
  status: ProductFileStatus;
  productId?: ProductId | undefined;
  sellerId?: SellerId | undefined;
  hashStatus?: ProductFileRecord['hashStatus'] | undefined;
  scanStatus?: ProductFileRecord['scanStatus'] | undefined;
}

const matching = (filter: FileFilter) => (file: ProductFileRecord) =>
  file.status === filter.status &&
  (filter.productId === undefined || file.productId === filter.productId) &&
  (filter.sellerId === undefined || file.sellerId === filter.sellerId) &&
  (filter.hashStatus === undefined || file.hashStatus === filter.hashStatus) &&
  (filter.scanStatus === undefined || file.scanStatus === filter.scanStatus);

const FileSlots = z.object({ uploads: z.int() });

export type ProductFileRepository = ReturnType<typeof createProductFileRepository>;

export function createProductFileRepository({ table }: { table: Table }) {
  const itemOf = (file: ProductFileRecord): Item => ({
    ...fileKey(file.productId, file.id),
    ...listKey(`files#${file.status}`, file.createdAt, file.id),
    ...file,
  });

  async function findFile(productId: ProductId, fileId: FileId): Promise<ProductFileRecord | undefined> {
    if (!isId('product', productId) || !isId('file', fileId)) return undefined;
    const item = await table.get(fileKey(productId, fileId));
    return item && ProductFileRecord.parse(item);
  }

  async function listFilesOfProduct(
    productId: ProductId,
    request: PageRequest & { newestFirst: boolean },
  ): Promise<Page<ProductFileRecord>> {
    if (!isId('product', productId)) return emptyPage(request);
    const page = await listOfPartition(table, `files-of-${productId}`, filesOfProduct(productId), request);
    return { ...page, items: page.items.map((item) => ProductFileRecord.parse(item)) };
  }

  return {
    findFile,

    /** @throws AppError file_not_found */
    async getFile(productId: ProductId, fileId: FileId): Promise<ProductFileRecord> {
      const file = await findFile(productId, fileId);
      if (!file) throw new AppError('file_not_found');
      return file;
    },

    /** Every file of the product, oldest first. */
    async findFilesOfProduct(productId: ProductId): Promise<ProductFileRecord[]> {
      const files: ProductFileRecord[] = [];
      let cursor: string | undefined;
      do {
        const page = await listFilesOfProduct(productId, { limit: 100, cursor, newestFirst: false });
        files.push(...page.items);
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      return files;
    },

    /** How many uploads were begun for the product so far; read it before the files, or `createFile` may miss one. */
    async countUploads(productId: ProductId): Promise<number> {
      const item = await table.get(fileSlotsKey(productId));
      return item === undefined ? 0 : FileSlots.parse(item).uploads;
    },

    /** A new file of a product for which `uploads` were begun before. Another since → OptimisticLockError. */
    createFile(file: ProductFileRecord, uploads: number): Write[] {
      return [
        {
          update: {
            Key: fileSlotsKey(file.productId),
            UpdateExpression: 'SET uploads = :next',
            ConditionExpression: uploads === 0 ? 'attribute_not_exists(pk)' : 'uploads = :uploads',
            ExpressionAttributeValues: { ':next': uploads + 1, ...(uploads > 0 && { ':uploads': uploads }) },
          },
          onConditionFailed: lockConflict,
        },
        { put: { Item: itemOf(file), ...ifAbsent } },
      ];
    },

    /** `next` in the place of exactly the file that was read. Changed since → OptimisticLockError. */
    replaceFile(read: ProductFileRecord, next: ProductFileRecord): Write {
      return replaceUnchanged(read, itemOf({ ...next, revision: read.revision + 1 }));
    },

    /** Holds while the file is the one that was read. Changed since → OptimisticLockError. */
    fileUnchanged(read: ProductFileRecord): Write {
      return checkUnchanged(fileKey(read.productId, read.id), read);
    },

    /** Holds while a buyer may download this version of the file, by the rule of `isDownloadable`. @throws AppError file_not_available */
    fileDownloadable(file: StoredFile): Write {
      return {
        check: {
          Key: fileKey(file.productId, file.id),
          ConditionExpression:
            '#status = :approved AND visibility = :visible AND hashStatus = :verified AND scanTrustedClean = :true AND versionId = :version',
          ExpressionAttributeNames: { '#status': 'status' },
          ExpressionAttributeValues: {
            ':approved': 'approved',
            ':visible': 'buyer_visible',
            ':verified': 'verified',
            ':true': true,
            ':version': file.versionId,
          },
        },
        onConditionFailed: () => new AppError('file_not_available'),
      };
    },

    listFilesOfProduct,

    /** Files in one state, oldest first. */
    async listFiles({ limit, cursor, ...filter }: PageRequest & FileFilter): Promise<Page<ProductFileRecord>> {
      const { productId, status } = filter;
      return filteredPage({ limit, cursor }, matching(filter), async (page) => {
        if (productId !== undefined) return listFilesOfProduct(productId, { ...page, newestFirst: false });
        const { items, nextCursor } = await listAcrossShards(table, `files#${status}`, { ...page, newestFirst: false });
        return { items: items.map((item) => ProductFileRecord.parse(item)), nextCursor };
      });
    },
  };
}
