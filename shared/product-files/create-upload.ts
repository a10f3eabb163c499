import * as z from 'zod/mini';
import { type Caller, requireScope } from '../audit/caller.ts';
import type { Needs } from '../context.ts';
import { retryOptimisticLock } from '../db/optimistic-lock.ts';
import { AppError } from '../errors.ts';
import { fault } from '../faults/fault.ts';
import * as rules from '../faults/rules.ts';
import { type FileId, newId, type ProductId } from '../ids.ts';
import { isPictureType, maxPictureBytes, pictureTypes } from '../pictures/picture.ts';
import { getOwnProduct } from '../products/own-product.ts';
import type { ProductRecord } from '../products/product.ts';
import { requireUnsuspended } from '../products/product-states.ts';
import { crossFieldRule, nonBlankText } from '../schemas.ts';
import { requireEligible } from '../sellers/seller.ts';
import { discardUnfinished } from './file-discards.ts';
import { countLiveFiles, getLiveFiles } from './live-file-repository.ts';
import { contentType, maxLiveFiles, sizeBytes, uploadScopesOf, uploadSeconds } from './own-file.ts';
import { beginPartUpload, endPartUpload } from './parts/part-uploads.ts';
import { isMultipartFile, partCountOf, partSizeBytes, sha256Hex } from './parts/upload-parts.ts';
import { ProductFilePurpose, type ProductFileRecord, storageKeyOf } from './product-file.ts';
import { createFile } from './product-file-repository.ts';
import { ensureStorageCounter, reserveBytes } from './seller-storage-repository.ts';
import { sanitizeFileName } from './storage/file-name.ts';

type StoreNeeds = Needs<'table' | 'now' | 'DISCARD_AFTER_HOURS' | 'partStore' | 'SELLER_STORAGE_BYTES'>;

/** Uploads begun at once for one product go one after the other. */
const intentAttempts = 15;

/** It stands in the address of its download as it is. */
const releaseFileName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

/** What a seller declares of a file before the upload. */
export const ProductFileUploadIntentRequest = z
  .object({
    filename: nonBlankText(500),
    contentType,
    sizeBytes,
    sha256Hex,
    purpose: z._default(ProductFilePurpose, 'download'),
    partSizeBytes: z.optional(partSizeBytes),
  })
  .check(
    crossFieldRule(['purpose', 'filename'], ({ purpose, filename }) =>
      purpose === 'release' && !releaseFileName.test(filename) ? fault(rules.notReleaseFileName) : undefined,
    ),
    crossFieldRule(['purpose', 'contentType'], ({ purpose, contentType: type }) =>
      purpose === 'image' && !isPictureType(type) ? fault(rules.notPicture, { types: pictureTypes.join(', ') }) : undefined,
    ),
  );

export type ProductFileUploadIntentRequest = z.infer<typeof ProductFileUploadIntentRequest>;

export interface UploadIntent {
  productFileId: FileId;
  uploadUrl: string;
  method: 'PUT';
  expiresAt: string;
  maxSizeBytes: number;
  storageProvider: ProductFileRecord['storageProvider'];
  requiredHeaders: Record<string, string>;
  parts?: { partSizeBytes: number; partCount: number; expiresAt: string };
}

function newFile(c: Needs<'now' | 'store'>, product: ProductRecord, request: ProductFileUploadIntentRequest): ProductFileRecord {
  const at = c.now();
  const id = newId('file', at);
  return {
    id,
    productId: product.id,
    sellerId: product.sellerId,
    purpose: request.purpose,
    fileName: request.purpose === 'release' ? request.filename : sanitizeFileName(request.filename),
    contentType: request.contentType,
    sizeBytes: request.sizeBytes,
    sha256Hex: request.sha256Hex.toLowerCase(),
    status: 'upload_pending',
    visibility: 'private',
    hashStatus: 'unverified',
    scanStatus: 'not_scanned',
    scanTrustedClean: false,
    scanTrustSource: 'none',
    ...(c.store
      ? { storageProvider: 'objstore', storageBucket: c.store.bucketName, storageKey: storageKeyOf({ productId: product.id, fileId: id }) }
      : { storageProvider: 'metadata_only' }),
    createdAt: at.toISOString(),
    uploadExpiresAt: new Date(at.getTime() + uploadSeconds * 1000).toISOString(),
    waitingScans: [],
    scanWaits: 0,
    revision: 1,
  };
}

/** Stores it as it was declared, to be uploaded in parts of this size too where one is given. */
function storeNewFile(c: StoreNeeds, declared: ProductFileRecord, partSize: number | undefined): Promise<ProductFileRecord> {
  let file = declared;
  const tryToStore = async () => {
    const live = file.purpose === 'release' ? undefined : await getLiveFiles(c.table, file.productId);
    if (live && countLiveFiles(live, c.now()) >= maxLiveFiles) throw new AppError('too_many_files');
    await ensureStorageCounter(c, file.sellerId);
    // Once, however often it is tried to store the file.
    if (partSize !== undefined && !file.parts && c.partStore) file = { ...file, parts: await beginPartUpload(c.partStore, file, partSize) };
    await c.table.transactOnce([
      ...createFile(file, live, c.now()),
      reserveBytes(file, c.settings.SELLER_STORAGE_BYTES),
      ...discardUnfinished(c, file),
    ]);
    return file;
  };
  return retryOptimisticLock(tryToStore, { attempts: intentAttempts }).catch(async (error: unknown) => {
    await endRefused(c, file, error);
    throw error;
  });
}

/** Aborts the store's upload for a file that was refused. If it is unknown whether the record was written, the upload is kept. */
async function endRefused(c: Needs<'partStore'>, file: ProductFileRecord, error: unknown): Promise<void> {
  const isRefused = error instanceof AppError && error.code !== 'dependency_unavailable';
  // The bucket's lifecycle does it, if this fails.
  if (isRefused && isMultipartFile(file) && c.partStore) await endPartUpload(c.partStore, file).catch(() => undefined);
}

/**
 * Records a declared file and signs the one PUT that uploads it; with a size of parts, these can be signed for a day.
 *
 * @throws AppError file_too_large, product_not_found, forbidden, seller_not_eligible, product_suspended, too_many_files, storage_quota_exceeded
 */
export async function createUpload(
  c: StoreNeeds & Needs<'store' | 'MAX_FILE_BYTES'>,
  caller: Caller,
  productId: ProductId,
  request: ProductFileUploadIntentRequest,
): Promise<UploadIntent> {
  const maxSizeBytes = request.purpose === 'image' ? Math.min(maxPictureBytes, c.settings.MAX_FILE_BYTES) : c.settings.MAX_FILE_BYTES;
  if (request.sizeBytes > maxSizeBytes) throw new AppError('file_too_large', `size_bytes: at most ${maxSizeBytes}`);
  const { product, seller } = await getOwnProduct(c.table, caller, productId);
  requireScope(caller, uploadScopesOf(request));
  requireEligible(seller);
  requireUnsuspended(product);
  const file = await storeNewFile(c, newFile(c, product, request), request.partSizeBytes);
  const { storageKey: key, sizeBytes, sha256Hex, contentType, parts } = file;
  const signed = key === undefined ? undefined : await c.store?.presignUpload({ key, sizeBytes, sha256Hex, contentType }, uploadSeconds);
  return {
    productFileId: file.id,
    uploadUrl: signed?.url ?? 'about:blank',
    method: 'PUT',
    expiresAt: file.uploadExpiresAt,
    maxSizeBytes,
    storageProvider: file.storageProvider,
    requiredHeaders: signed?.headers ?? {},
    ...(parts && {
      parts: { partSizeBytes: parts.partSizeBytes, partCount: partCountOf(sizeBytes, parts.partSizeBytes), expiresAt: parts.expiresAt },
    }),
  };
}
