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
import type { PartStore } from './parts/part-store.ts';
import { createPartUploads, type SignedPart } from './parts/part-uploads.ts';
import {
  isInParts,
  partCountOf,
  partSizeBytes,
  requirePartsOpen,
  type SignFilePartsRequest,
  type StoredPart,
  sha256Hex,
} from './parts/upload-parts.ts';
import {
  fileFields,
  idsOfFile,
  isLive,
  ProductFilePurpose,
  type ProductFileRecord,
  storageKeyOf,
  storageProviders,
  uploadEndOf,
} from './product-file.ts';
import { createProductFileRepository } from './product-file-repository.ts';
import { createSellerStorageRepository } from './seller-storage-repository.ts';

/** How long an upload URL lives, of a part too. */
export const uploadSeconds = 15 * 60;
/** How many live files a product may have. See "Limits and lifetimes" in README.md. */
export const maxLiveFiles = 20;
/** As often an upload that another request was putting together is looked for. */
const uploadLooks = 4;
/** Uploads begun at once for one product go one after the other. */
const intentAttempts = 15;

const token = "[\\w!#$%&'*+.^`|~-]+";
const quoted = '"(?:[ !#-\\[\\]-~]|\\\\[ -~])*"';
/** A media type that a header can hold: `type/subtype`, perhaps with parameters (RFC 9110 §8.3.1). */
const mediaType = new RegExp(`^${token}/${token}(?: *;(?: *${token}=(?:${token}|${quoted}))?)*$`);
const contentType = filledText(255).check(z.regex(mediaType, 'must be a media type'));
const sizeBytes = z.int().check(z.minimum(1));
/** It stands in the address of its download as it is. */
const releaseFileName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

/** What a seller declares of a file before the upload. */
export const ProductFileUploadIntentRequest = z
  .object({
    filename: filledText(500),
    contentType,
    sizeBytes,
    sha256Hex,
    purpose: z._default(ProductFilePurpose, 'download'),
    partSizeBytes: z.optional(partSizeBytes),
  })
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
  parts?: { partSizeBytes: number; partCount: number; expiresAt: string };
}

export type ProductFileService = ReturnType<typeof createProductFileService>;

/** What sellers do with the files of their products. */
export function createProductFileService(options: {
  table: Table;
  /** Tells the workers of a committed job. */
  sendJob: (task: JobTask) => Promise<void>;
  /** Absent where no bucket is configured: files are then described and never stored. */
  store: Pick<ObjectStore, 'bucketName' | 'presignUpload' | 'findObject'> | undefined;
  partStore: PartStore | undefined;
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
  const partUploads = options.partStore && createPartUploads({ partStore: options.partStore, now });
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
    return { ...own, file };
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

  /** Stores it as it was declared, to be uploaded in parts of this size too where one is given. */
  function storeNewFile(declared: ProductFileRecord, partSize: number | undefined): Promise<ProductFileRecord> {
    let file = declared;
    const tryToStore = async () => {
      const live = file.purpose === 'release' ? undefined : await files.getLiveFiles(file.productId);
      if (live && countLive(live, now()) >= maxLiveFiles) throw new AppError('too_many_files');
      await storage.ensureCounted(file.sellerId);
      // Once, however often it is tried to store the file.
      if (partSize !== undefined && !file.parts && partUploads) file = { ...file, parts: await partUploads.begin(file, partSize) };
      await table.transactOnce([
        ...files.createFile(file, live, now()),
        storage.holdBytes(file, maxSellerBytes),
        ...discards.discardUnfinished(file),
      ]);
      return file;
    };
    return retryOptimisticLock(tryToStore, { attempts: intentAttempts }).catch(async (error: unknown) => {
      await endRefused(file, error);
      throw error;
    });
  }

  /** Ends at the store what was begun for a file that was refused. Where nobody knows whether it was stored, its record may need it. */
  async function endRefused(file: ProductFileRecord, error: unknown): Promise<void> {
    const isRefused = error instanceof AppError && error.code !== 'dependency_unavailable';
    // The bucket's lifecycle does it, if this fails.
    if (isRefused && isInParts(file)) await partUploads?.end(file).catch(() => undefined);
  }

  /** The product's live files when the upload ended, since others may have taken its place. @throws AppError too_many_files */
  async function checkPlace(file: ProductFileRecord): Promise<LiveFiles | undefined> {
    if (file.purpose === 'release' || isLive({ until: uploadEndOf(file) }, now())) return undefined;
    const live = await files.getLiveFiles(file.productId);
    if (countLive(live, now(), file.id) >= maxLiveFiles) throw new AppError('too_many_files');
    return live;
  }

  /** The upload as the store has it. @throws AppError storage_not_configured, upload_not_found, file_mismatch */
  async function findUpload(file: ProductFileRecord): Promise<StoredObject> {
    if (!store || file.storageKey === undefined) throw new AppError('storage_not_configured');
    const object = await getObject(store, file, file.storageKey);
    // Of parts the store checked each, and what they are as a whole is for the hash worker to find.
    const isAsHashed = object.isOfParts ? file.parts !== undefined : object.sha256Hex === file.sha256Hex;
    const same =
      object.sizeBytes === file.sizeBytes && isAsHashed && object.contentType === file.contentType && object.contentEncoding === undefined;
    if (!same) throw new AppError('file_mismatch', 'The uploaded object differs from what was declared.');
    return object;
  }

  /** The object, put together from its parts where it is not there yet. @throws AppError upload_not_found, file_mismatch */
  async function getObject(looks: Pick<ObjectStore, 'findObject'>, file: ProductFileRecord, key: string): Promise<StoredObject> {
    let isGone = false;
    for (let look = 1; look <= uploadLooks; look += 1) {
      const object = await looks.findObject(key);
      if (object) return object;
      if (isGone || !partUploads || !isInParts(file)) throw new AppError('upload_not_found');
      isGone = !(await partUploads.putTogether(file));
    }
    throw new AppError('dependency_unavailable', undefined, { retryAfterSeconds: 1 });
  }

  return {
    /**
     * Records a declared file and signs the one PUT that uploads it; with a size of parts, these can be signed for a day.
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
      const file = await storeNewFile(newFile(product, request), request.partSizeBytes);
      const { storageKey: key, sizeBytes, sha256Hex, contentType, parts } = file;
      const signed = key === undefined ? undefined : await store?.presignUpload({ key, sizeBytes, sha256Hex, contentType }, uploadSeconds);
      return {
        productFileId: file.id,
        uploadUrl: signed?.url ?? 'about:blank',
        method: 'PUT',
        expiresAt: file.uploadExpiresAt,
        maxSizeBytes,
        storageProvider: file.storageProvider,
        requiredHeaders: signed?.headers ?? {},
        ...(parts && {
          parts: {
            partSizeBytes: parts.partSizeBytes,
            partCount: partCountOf(sizeBytes, parts.partSizeBytes),
            expiresAt: parts.expiresAt,
          },
        }),
      };
    },

    /**
     * Signs URLs for parts of a file; those that are stored can be signed again, and what is stored last counts.
     *
     * @throws AppError product_not_found, forbidden, file_not_found, seller_not_eligible, product_suspended,
     * file_state_conflict, storage_not_configured, invalid_request
     */
    async signParts(caller: Caller, productId: ProductId, fileId: FileId, request: SignFilePartsRequest): Promise<SignedPart[]> {
      const { product, seller, file } = await getOwnFile(caller, productId, fileId);
      requireEligible(seller);
      requireUnsuspended(product);
      requirePartsOpen(file, now());
      return requireStore(partUploads).sign(file, request, uploadSeconds);
    },

    /**
     * Every part that is stored, by number.
     *
     * @throws AppError product_not_found, forbidden, file_not_found, file_state_conflict, storage_not_configured
     */
    async listParts(caller: Caller, productId: ProductId, fileId: FileId): Promise<StoredPart[]> {
      const { file } = await getOwnFile(caller, productId, fileId);
      requirePartsOpen(file, now());
      const stored = await requireStore(partUploads).list(file);
      if (!stored) throw new AppError('file_state_conflict', 'The parts were put together, or ended; finalize tells which.');
      return stored;
    },

    /**
     * Binds the file to the object that was uploaded, put together from parts where they were, and has it hashed; again with the same values it changes nothing.
     * The request is compared with the declaration before the store is called.
     *
     * @throws AppError product_not_found, forbidden, file_not_found, seller_not_eligible, product_suspended,
     * file_mismatch, file_state_conflict, storage_not_configured, upload_not_found, too_many_files
     */
    async finalizeFile(caller: Caller, productId: ProductId, fileId: FileId, request: ProductFileFinalizeRequest): Promise<ProductFile> {
      requireUnsuspended(await getToChange(caller, productId, fileId));
      const {
        file,
        moved,
        isAbandoned = false,
      } = await retryOptimisticLock(async () => {
        const read = await files.getFile(productId, fileId);
        requireDeclared(read, request);
        if (read.status === 'pending_review') return { file: read, moved: false };
        if (read.status !== 'upload_pending') throw new AppError('file_state_conflict');
        const object = await findUpload(read);
        const next = finalized(read, object);
        const abandoned = object.isOfParts ? [] : discards.discardParts(read);
        const live = await checkPlace(read);
        await table.transactOnce([
          ...(await files.replaceFile(read, next, live)),
          jobs.addJob({ kind: 'hash-file', ...idsOfFile(read) }),
          ...abandoned,
          ...(read.purpose === 'release' ? [jobs.addJob({ kind: 'withdraw-unused-file', ...idsOfFile(read) }, unusedSeconds)] : []),
          recordFileAudit(audit, { actor: actorOf(caller), action: 'product_file.finalize', before: read, after: next }),
        ]);
        return { file: next, moved: true, isAbandoned: abandoned.length > 0 };
      });
      if (moved) await sendJob({ kind: 'hash-file', ...idsOfFile(file) });
      if (isAbandoned) await sendJob({ kind: 'abort-parts', ...idsOfFile(file) });
      return show(file);
    },

    /**
     * Withdraws a file for good; again it changes nothing.
     *
     * @throws AppError product_not_found, forbidden, file_not_found, seller_not_eligible, file_state_conflict, file_in_use
     */
    async withdrawFile(caller: Caller, productId: ProductId, fileId: FileId): Promise<ProductFile> {
      await getToChange(caller, productId, fileId);
      const { file, areAborted } = await retryOptimisticLock(async () => {
        const read = await files.getFile(productId, fileId);
        const next = withdrawn(read, now().toISOString());
        if (next === read) return { file: read, areAborted: false };
        await table.transactOnce([
          ...(await files.replaceByOwner(read, next)),
          ...discards.discardDead(read, next),
          recordFileAudit(audit, { actor: actorOf(caller), action: 'product_file.withdraw', before: read, after: next }),
        ]);
        return { file: next, areAborted: read.status === 'upload_pending' && isInParts(read) };
      });
      if (areAborted) await sendJob({ kind: 'abort-parts', ...idsOfFile(file) });
      return show(file);
    },

    /** Newest first. @throws AppError product_not_found, forbidden */
    async listFiles(caller: Caller, productId: ProductId, request: PageRequest): Promise<Page<ProductFile>> {
      await getOwnProduct(caller, productId);
      const { items, nextCursor } = await files.listFilesOfProduct(productId, { ...request, newestFirst: true });
      return { items: items.map(show), nextCursor };
    },
  };
}

/** @throws AppError storage_not_configured */
function requireStore<Store>(store: Store | undefined): Store {
  if (!store) throw new AppError('storage_not_configured');
  return store;
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
