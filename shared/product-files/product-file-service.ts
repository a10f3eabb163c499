import * as z from 'zod/mini';
import { createAuditRepository } from '../audit/audit-repository.ts';
import { actorOf, type Caller, requireScope } from '../audit/caller.ts';
import { reviewDueAt } from '../console/review-due.ts';
import { retryOptimisticLock } from '../db/optimistic-lock.ts';
import type { Page, PageRequest } from '../db/sharded-list.ts';
import type { Table } from '../db/table.ts';
import { AppError } from '../errors.ts';
import { type FileId, idOf, newId, type ProductId } from '../ids.ts';
import type { JobTask } from '../jobs/job.ts';
import { createJobRepository } from '../jobs/job-repository.ts';
import { isPictureType, maxPictureBytes, pictureTypes } from '../pictures/picture.ts';
import { createGetOwnProduct } from '../products/own-product.ts';
import type { ProductRecord } from '../products/product.ts';
import { requireUnsuspended } from '../products/product-states.ts';
import { betweenFields, dateTime, filledText } from '../schemas.ts';
import { requireEligible } from '../sellers/seller.ts';
import { recordFileAudit } from './file-audit.ts';
import { createFileDiscards } from './file-discards.ts';
import { sanitizeFileName } from './file-name.ts';
import { finalized, unusedSeconds, waitingSince, withdrawn } from './file-states.ts';
import { countLive, type LiveFiles } from './live-file-repository.ts';
import type { ObjectStore, StoredObject } from './object-store.ts';
import {
  fileFields,
  idsOfFile,
  isLive,
  ProductFilePurpose,
  type ProductFileRecord,
  storageKeyOf,
  storageProviders,
} from './product-file.ts';
import { createProductFileRepository } from './product-file-repository.ts';
import { createSellerStorageRepository } from './seller-storage-repository.ts';

/** How long an upload URL lives. */
export const uploadSeconds = 15 * 60;
/** How many live files a product may have. See "Limits and lifetimes" in README.md. */
export const maxLiveFiles = 20;
/** Uploads begun at once for one product go one after the other. */
const intentAttempts = 15;

const token = "[\\w!#$%&'*+.^`|~-]+";
const quoted = '"(?:[ !#-\\[\\]-~]|\\\\[ -~])*"';
/** A media type that a header can hold: `type/subtype`, perhaps with parameters (RFC 9110 §8.3.1). */
const mediaType = new RegExp(`^${token}/${token}(?: *;(?: *${token}=(?:${token}|${quoted}))?)*$`);
const contentType = filledText(255).check(z.regex(mediaType, 'must be a media type'));
const sha256Hex = z.string().check(z.regex(/^[a-fA-F0-9]{64}$/, 'must be 64 hexadecimal digits'));
const sizeBytes = z.int().check(z.minimum(1));
/** It stands in the address of its download as it is. */
const releaseFileName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

/** What a seller declares of a file before the upload. */
export const ProductFileUploadIntentRequest = z
  .object({ filename: filledText(500), contentType, sizeBytes, sha256Hex, purpose: z._default(ProductFilePurpose, 'download') })
  .check(
    betweenFields(['purpose', 'filename'], ({ purpose, filename }) =>
      purpose === 'release' && !releaseFileName.test(filename)
        ? 'must be 1 to 128 of A-Z, a-z, 0-9, ., _ and -, the first a letter or digit, for purpose release'
        : undefined,
    ),
    betweenFields(['purpose', 'contentType'], ({ purpose, contentType: type }) =>
      purpose === 'image' && !isPictureType(type) ? `must be one of ${pictureTypes.join(', ')} for purpose image` : undefined,
    ),
  );
export type ProductFileUploadIntentRequest = z.infer<typeof ProductFileUploadIntentRequest>;

/** What a seller declares to have uploaded. */
export const ProductFileFinalizeRequest = z.object({ sizeBytes, sha256Hex, contentType: z.optional(contentType) });
export type ProductFileFinalizeRequest = z.infer<typeof ProductFileFinalizeRequest>;

/** A file as its seller sees it. Where it is stored is not shown. */
export const ProductFile = z.object({
  id: idOf('file'),
  ...fileFields.owner,
  fileName: z.string(),
  ...fileFields.facts,
  scanTrustedClean: z.optional(z.boolean()),
  storageProvider: z.optional(z.enum(storageProviders)),
  createdAt: z.optional(dateTime),
  ...fileFields.times,
  /** Until when it is to be decided on, while it waits. */
  reviewDueAt: z.optional(dateTime),
});
export type ProductFile = z.infer<typeof ProductFile>;

export interface UploadIntent {
  productFileId: FileId;
  uploadUrl: string;
  method: 'PUT';
  expiresAt: string;
  maxSizeBytes: number;
  storageProvider: ProductFileRecord['storageProvider'];
  requiredHeaders: Record<string, string>;
}

export type ProductFileService = ReturnType<typeof createProductFileService>;

/** What sellers do with the files of their products. */
export function createProductFileService(options: {
  table: Table;
  /** Tells the workers of a committed job. */
  sendJob: (task: JobTask) => Promise<void>;
  /** Absent where no bucket is configured: files are then described and never stored. */
  store: Pick<ObjectStore, 'bucketName' | 'presignUpload' | 'findObject'> | undefined;
  discardAfterHours: number;
  reviewDueHours: number;
  maxFileBytes: number;
  /** What all files of a seller may take. */
  maxSellerBytes: number;
  now?: (() => Date) | undefined;
}) {
  const { table, sendJob, store, discardAfterHours, reviewDueHours, maxFileBytes, maxSellerBytes, now = () => new Date() } = options;
  const show = (file: ProductFileRecord) => ProductFile.parse({ ...file, reviewDueAt: reviewDueAt(waitingSince(file), reviewDueHours) });
  const files = createProductFileRepository({ table });
  const getOwnProduct = createGetOwnProduct({ table });
  const storage = createSellerStorageRepository({ table, now });
  const discards = createFileDiscards({ table, discardAfterHours, now });
  const jobs = createJobRepository({ table, now });
  const audit = createAuditRepository({ table, now });

  /** @throws AppError product_not_found, forbidden, file_not_found, seller_not_eligible */
  async function getToChange(caller: Caller, productId: ProductId, fileId: FileId) {
    const { product, seller } = await getOwnFile(caller, productId, fileId);
    requireEligible(seller);
    return product;
  }

  /** @throws AppError product_not_found, forbidden, file_not_found */
  async function getOwnFile(caller: Caller, productId: ProductId, fileId: FileId) {
    const own = await getOwnProduct(caller, productId);
    const file = await files.getFile(productId, fileId);
    requireScope(caller, tokenScopeOf(file));
    return own;
  }

  function newFile(product: ProductRecord, request: ProductFileUploadIntentRequest): ProductFileRecord {
    const at = now();
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
      ...(store
        ? { storageProvider: 'objstore', storageBucket: store.bucketName, storageKey: storageKeyOf({ productId: product.id, fileId: id }) }
        : { storageProvider: 'metadata_only' }),
      createdAt: at.toISOString(),
      uploadExpiresAt: new Date(at.getTime() + uploadSeconds * 1000).toISOString(),
      waitingScans: [],
      scanWaits: 0,
      revision: 1,
    };
  }

  async function storeNewFile(file: ProductFileRecord): Promise<void> {
    const live = file.purpose === 'release' ? undefined : await files.getLiveFiles(file.productId);
    if (live && countLive(live, now()) >= maxLiveFiles) throw new AppError('too_many_files');
    await storage.ensureCounted(file.sellerId);
    await table.transactOnce([
      ...files.createFile(file, live, now()),
      storage.holdBytes(file, maxSellerBytes),
      discards.discardUnfinished(file),
    ]);
  }

  /** The product's live files when the URL of the upload ended, since others may have taken its place. @throws AppError too_many_files */
  async function checkPlace(file: ProductFileRecord): Promise<LiveFiles | undefined> {
    if (file.purpose === 'release' || isLive({ until: file.uploadExpiresAt }, now())) return undefined;
    const live = await files.getLiveFiles(file.productId);
    if (countLive(live, now(), file.id) >= maxLiveFiles) throw new AppError('too_many_files');
    return live;
  }

  /** The upload as the store has it. @throws AppError storage_not_configured, upload_not_found, file_mismatch */
  async function findUpload(file: ProductFileRecord): Promise<StoredObject> {
    if (!store || file.storageKey === undefined) throw new AppError('storage_not_configured');
    const object = await store.findObject(file.storageKey);
    if (!object) throw new AppError('upload_not_found');
    const same =
      object.sizeBytes === file.sizeBytes &&
      object.sha256Hex === file.sha256Hex &&
      object.contentType === file.contentType &&
      object.contentEncoding === undefined;
    if (!same) throw new AppError('file_mismatch', 'The uploaded object differs from what was declared.');
    return object;
  }

  return {
    /**
     * Records a declared file and signs the one PUT that uploads it.
     *
     * @throws AppError file_too_large, product_not_found, forbidden, seller_not_eligible, product_suspended, too_many_files, storage_quota_exceeded
     */
    async createUpload(caller: Caller, productId: ProductId, request: ProductFileUploadIntentRequest): Promise<UploadIntent> {
      const maxSizeBytes = request.purpose === 'image' ? Math.min(maxPictureBytes, maxFileBytes) : maxFileBytes;
      if (request.sizeBytes > maxSizeBytes) throw new AppError('file_too_large', `size_bytes: at most ${maxSizeBytes}`);
      const { product, seller } = await getOwnProduct(caller, productId);
      requireScope(caller, tokenScopeOf(request));
      requireEligible(seller);
      requireUnsuspended(product);
      const file = newFile(product, request);
      await retryOptimisticLock(() => storeNewFile(file), { attempts: intentAttempts });
      const { storageKey: key, sizeBytes, sha256Hex, contentType } = file;
      const signed = key === undefined ? undefined : await store?.presignUpload({ key, sizeBytes, sha256Hex, contentType }, uploadSeconds);
      return {
        productFileId: file.id,
        uploadUrl: signed?.url ?? 'about:blank',
        method: 'PUT',
        expiresAt: file.uploadExpiresAt,
        maxSizeBytes,
        storageProvider: file.storageProvider,
        requiredHeaders: signed?.headers ?? {},
      };
    },

    /**
     * Binds the file to the object that was uploaded and has it hashed; again with the same values it changes nothing.
     * The request is compared with the declaration before the store is called.
     *
     * @throws AppError product_not_found, forbidden, file_not_found, seller_not_eligible, product_suspended,
     * file_mismatch, file_state_conflict, storage_not_configured, upload_not_found, too_many_files
     */
    async finalizeFile(caller: Caller, productId: ProductId, fileId: FileId, request: ProductFileFinalizeRequest): Promise<ProductFile> {
      requireUnsuspended(await getToChange(caller, productId, fileId));
      const { file, moved } = await retryOptimisticLock(async () => {
        const read = await files.getFile(productId, fileId);
        requireDeclared(read, request);
        if (read.status === 'pending_review') return { file: read, moved: false };
        if (read.status !== 'upload_pending') throw new AppError('file_state_conflict');
        const next = finalized(read, await findUpload(read));
        const live = await checkPlace(read);
        await table.transactOnce([
          ...(await files.replaceFile(read, next, live)),
          jobs.addJob({ kind: 'hash-file', ...idsOfFile(read) }),
          ...(read.purpose === 'release' ? [jobs.addJob({ kind: 'withdraw-unused-file', ...idsOfFile(read) }, unusedSeconds)] : []),
          recordFileAudit(audit, { actor: actorOf(caller), action: 'product_file.finalize', before: read, after: next }),
        ]);
        return { file: next, moved: true };
      });
      if (moved) await sendJob({ kind: 'hash-file', ...idsOfFile(file) });
      return show(file);
    },

    /**
     * Withdraws a file for good; again it changes nothing.
     *
     * @throws AppError product_not_found, forbidden, file_not_found, seller_not_eligible, file_state_conflict, file_in_use
     */
    async withdrawFile(caller: Caller, productId: ProductId, fileId: FileId): Promise<ProductFile> {
      await getToChange(caller, productId, fileId);
      return retryOptimisticLock(async () => {
        const read = await files.getFile(productId, fileId);
        const next = withdrawn(read, now().toISOString());
        if (next === read) return show(read);
        await table.transactOnce([
          ...(await files.replaceByOwner(read, next)),
          ...discards.discardDead(read, next),
          recordFileAudit(audit, { actor: actorOf(caller), action: 'product_file.withdraw', before: read, after: next }),
        ]);
        return show(next);
      });
    },

    /** Newest first. @throws AppError product_not_found, forbidden */
    async listFiles(caller: Caller, productId: ProductId, request: PageRequest): Promise<Page<ProductFile>> {
      await getOwnProduct(caller, productId);
      const { items, nextCursor } = await files.listFilesOfProduct(productId, { ...request, newestFirst: true });
      return { items: items.map(show), nextCursor };
    },
  };
}

/** The scope with which a token brings a file: only those of releases. */
const tokenScopeOf = ({ purpose }: { purpose: string }) => (purpose === 'release' ? 'releases:write' : undefined);

/** @throws AppError file_mismatch */
function requireDeclared(file: ProductFileRecord, { sizeBytes, sha256Hex, contentType }: ProductFileFinalizeRequest): void {
  const same =
    sizeBytes === file.sizeBytes &&
    sha256Hex.toLowerCase() === file.sha256Hex &&
    (contentType === undefined || contentType === file.contentType);
  if (!same) throw new AppError('file_mismatch', 'size_bytes, sha256_hex or content_type differ from what was declared.');
}
