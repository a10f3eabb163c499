/** What sellers do with the files of their products. */

import * as z from 'zod/mini';
import { auditActorOf, type Caller, requireScope } from '../audit/caller.ts';
import type { Needs } from '../context.ts';
import { retryOptimisticLock } from '../db/optimistic-lock.ts';
import type { Page, PageRequest } from '../db/sharded-list.ts';
import type { Table } from '../db/table.ts';
import { AppError } from '../errors.ts';
import { fault } from '../faults/fault.ts';
import * as rules from '../faults/rules.ts';
import { type FileId, idOf, newId, type ProductId } from '../ids.ts';
import { addJob } from '../jobs/job-repository.ts';
import { isPictureType, maxPictureBytes, pictureTypes } from '../pictures/picture.ts';
import { getOwnProduct } from '../products/own-product.ts';
import type { ProductRecord } from '../products/product.ts';
import { requireUnsuspended } from '../products/product-states.ts';
import { reviewDueAt } from '../review-due.ts';
import { crossFieldRule, dateTime, nonBlankText } from '../schemas.ts';
import { requireEligible } from '../sellers/seller.ts';
import { recordFileAudit } from './file-audit.ts';
import { discardDead, discardParts, discardUnfinished } from './file-discards.ts';
import { fileAfterUpload, fileAfterWithdrawal, fileWaitingSince, maxUnusedSeconds } from './file-states.ts';
import { countLiveFiles, getLiveFiles, type LiveFiles, listFilesOfProduct } from './live-file-repository.ts';
import { assembleFile, beginPartUpload, endPartUpload, listStoredParts, type SignedPart, signPartUrls } from './parts/part-uploads.ts';
import {
  isMultipartFile,
  partCountOf,
  partSizeBytes,
  requirePartsOpen,
  type SignFilePartsRequest,
  type StoredPart,
  sha256Hex,
} from './parts/upload-parts.ts';
import {
  fileFields,
  fileIds,
  isLiveEntry,
  ProductFilePurpose,
  type ProductFileRecord,
  storageKeyOf,
  storageProviders,
  uploadEndsAt,
} from './product-file.ts';
import { createFile, getFile, replaceFile, replaceFileOfSeller } from './product-file-repository.ts';
import { ensureStorageCounter, reserveBytes } from './seller-storage-repository.ts';
import { sanitizeFileName } from './storage/file-name.ts';
import type { ObjectStore, StoredObject } from './storage/object-store.ts';

/** How long an upload URL lives, of a part too. */
export const uploadSeconds = 15 * 60;

/** How many live files a product may have. See "Limits and lifetimes" in README.md. */
export const maxLiveFiles = 20;

/** How often to look for an upload that another request is assembling. */
const uploadLooks = 4;

/** Uploads begun at once for one product go one after the other. */
const intentAttempts = 15;

const token = "[\\w!#$%&'*+.^`|~-]+";
const quoted = '"(?:[ !#-\\[\\]-~]|\\\\[ -~])*"';

/** A media type that a header can hold: `type/subtype`, perhaps with parameters (RFC 9110 §8.3.1). */
const mediaType = new RegExp(`^${token}/${token}(?: *;(?: *${token}=(?:${token}|${quoted}))?)*$`);
const contentType = nonBlankText(255).check(z.regex(mediaType, fault(rules.notMediaType)));
const sizeBytes = z.int().check(z.minimum(1));

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

const show = (c: Needs<'REVIEW_DUE_HOURS'>, file: ProductFileRecord) =>
  ProductFile.parse({ ...file, reviewDueAt: reviewDueAt(fileWaitingSince(file), c.settings.REVIEW_DUE_HOURS) });

/** @throws AppError product_not_found, forbidden, file_not_found, seller_not_eligible */
async function getToChange(table: Table, caller: Caller, productId: ProductId, fileId: FileId) {
  const { product, seller } = await getOwnFile(table, caller, productId, fileId);
  requireEligible(seller);
  return product;
}

/** @throws AppError product_not_found, forbidden, file_not_found */
async function getOwnFile(table: Table, caller: Caller, productId: ProductId, fileId: FileId) {
  const own = await getOwnProduct(table, caller, productId);
  const file = await getFile(table, productId, fileId);
  requireScope(caller, tokenScopeOf(file));
  return { ...own, file };
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
function storeNewFile(
  c: Needs<'table' | 'now' | 'DISCARD_AFTER_HOURS' | 'partStore' | 'SELLER_STORAGE_BYTES'>,
  declared: ProductFileRecord,
  partSize: number | undefined,
): Promise<ProductFileRecord> {
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

/** The product's live files when the upload ended, since others may have taken its place. @throws AppError too_many_files */
async function checkPlace(c: Needs<'table' | 'now'>, file: ProductFileRecord): Promise<LiveFiles | undefined> {
  if (file.purpose === 'release' || isLiveEntry({ until: uploadEndsAt(file) }, c.now())) return undefined;
  const live = await getLiveFiles(c.table, file.productId);
  if (countLiveFiles(live, c.now(), file.id) >= maxLiveFiles) throw new AppError('too_many_files');
  return live;
}

/** The upload as the store has it. @throws AppError storage_not_configured, upload_not_found, file_mismatch */
async function findUpload(c: Needs<'store' | 'partStore'>, file: ProductFileRecord): Promise<StoredObject> {
  if (!c.store || file.storageKey === undefined) throw new AppError('storage_not_configured');
  const object = await getObject(c, c.store, file, file.storageKey);
  // Of parts the store checked each, and what they are as a whole is for the hash worker to find.
  const isAsHashed = object.isMultipart ? file.parts !== undefined : object.sha256Hex === file.sha256Hex;
  const same =
    object.sizeBytes === file.sizeBytes && isAsHashed && object.contentType === file.contentType && object.contentEncoding === undefined;
  if (!same) throw new AppError('file_mismatch', 'The uploaded object differs from what was declared.');
  return object;
}

/** The object, put together from its parts where it is not there yet. @throws AppError upload_not_found, file_mismatch */
async function getObject(
  c: Needs<'partStore'>,
  looks: Pick<ObjectStore, 'findObject'>,
  file: ProductFileRecord,
  key: string,
): Promise<StoredObject> {
  let isGone = false;
  for (let look = 1; look <= uploadLooks; look += 1) {
    const object = await looks.findObject(key);
    if (object) return object;
    if (isGone || !c.partStore || !isMultipartFile(file)) throw new AppError('upload_not_found');
    isGone = !(await assembleFile(c.partStore, file));
  }
  throw new AppError('dependency_unavailable', undefined, { retryAfterSeconds: 1 });
}

/**
 * Records a declared file and signs the one PUT that uploads it; with a size of parts, these can be signed for a day.
 *
 * @throws AppError file_too_large, product_not_found, forbidden, seller_not_eligible, product_suspended, too_many_files, storage_quota_exceeded
 */
export async function createUpload(
  c: Needs<'table' | 'now' | 'store' | 'DISCARD_AFTER_HOURS' | 'MAX_FILE_BYTES' | 'partStore' | 'SELLER_STORAGE_BYTES'>,
  caller: Caller,
  productId: ProductId,
  request: ProductFileUploadIntentRequest,
): Promise<UploadIntent> {
  const maxSizeBytes = request.purpose === 'image' ? Math.min(maxPictureBytes, c.settings.MAX_FILE_BYTES) : c.settings.MAX_FILE_BYTES;
  if (request.sizeBytes > maxSizeBytes) throw new AppError('file_too_large', `size_bytes: at most ${maxSizeBytes}`);
  const { product, seller } = await getOwnProduct(c.table, caller, productId);
  requireScope(caller, tokenScopeOf(request));
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
      parts: {
        partSizeBytes: parts.partSizeBytes,
        partCount: partCountOf(sizeBytes, parts.partSizeBytes),
        expiresAt: parts.expiresAt,
      },
    }),
  };
}

/**
 * Signs URLs for parts of a file; those that are stored can be signed again, and what is stored last counts.
 *
 * @throws AppError product_not_found, forbidden, file_not_found, seller_not_eligible, product_suspended,
 * file_state_conflict, storage_not_configured, invalid_request
 */
export async function signParts(
  c: Needs<'table' | 'now' | 'partStore'>,
  caller: Caller,
  productId: ProductId,
  fileId: FileId,
  request: SignFilePartsRequest,
): Promise<SignedPart[]> {
  const { product, seller, file } = await getOwnFile(c.table, caller, productId, fileId);
  requireEligible(seller);
  requireUnsuspended(product);
  requirePartsOpen(file, c.now());
  return signPartUrls(requireStore(c.partStore), c.now(), file, request, uploadSeconds);
}

/**
 * Every part that is stored, by number.
 *
 * @throws AppError product_not_found, forbidden, file_not_found, file_state_conflict, storage_not_configured
 */
export async function listOwnParts(
  c: Needs<'table' | 'now' | 'partStore'>,
  caller: Caller,
  productId: ProductId,
  fileId: FileId,
): Promise<StoredPart[]> {
  const { file } = await getOwnFile(c.table, caller, productId, fileId);
  requirePartsOpen(file, c.now());
  const stored = await listStoredParts(requireStore(c.partStore), file);
  if (!stored) throw new AppError('file_state_conflict', 'The parts were put together, or ended; finalize tells which.');
  return stored;
}

/**
 * Binds the file to the object that was uploaded, put together from parts where they were, and has it hashed; again with the same values it changes nothing.
 * The request is compared with the declaration before the store is called.
 *
 * @throws AppError product_not_found, forbidden, file_not_found, seller_not_eligible, product_suspended,
 * file_mismatch, file_state_conflict, storage_not_configured, upload_not_found, too_many_files
 */
export async function finalizeFile(
  c: Needs<'table' | 'now' | 'sendJob' | 'store' | 'partStore' | 'REVIEW_DUE_HOURS'>,
  caller: Caller,
  productId: ProductId,
  fileId: FileId,
  request: ProductFileFinalizeRequest,
): Promise<ProductFile> {
  requireUnsuspended(await getToChange(c.table, caller, productId, fileId));
  const {
    file,
    moved,
    isAbandoned = false,
  } = await retryOptimisticLock(async () => {
    const read = await getFile(c.table, productId, fileId);
    requireDeclared(read, request);
    if (read.status === 'pending_review') return { file: read, moved: false };
    if (read.status !== 'upload_pending') throw new AppError('file_state_conflict');
    const object = await findUpload(c, read);
    const next = fileAfterUpload(read, object);
    const abandoned = object.isMultipart ? [] : discardParts(c, read);
    const live = await checkPlace(c, read);
    await c.table.transactOnce([
      ...(await replaceFile(c.table, read, next, live)),
      addJob(c, { kind: 'hash-file', ...fileIds(read) }),
      ...abandoned,
      ...(read.purpose === 'release' ? [addJob(c, { kind: 'withdraw-unused-file', ...fileIds(read) }, maxUnusedSeconds)] : []),
      recordFileAudit(c, { actor: auditActorOf(caller), action: 'product_file.finalize', before: read, after: next }),
    ]);
    return { file: next, moved: true, isAbandoned: abandoned.length > 0 };
  });
  if (moved) await c.sendJob({ kind: 'hash-file', ...fileIds(file) });
  if (isAbandoned) await c.sendJob({ kind: 'abort-parts', ...fileIds(file) });
  return show(c, file);
}

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
  await getToChange(c.table, caller, productId, fileId);
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
  return show(c, file);
}

/** Newest first. @throws AppError product_not_found, forbidden */
export async function listOwnFiles(
  c: Needs<'table' | 'REVIEW_DUE_HOURS'>,
  caller: Caller,
  productId: ProductId,
  request: PageRequest,
): Promise<Page<ProductFile>> {
  await getOwnProduct(c.table, caller, productId);
  const { items, nextCursor } = await listFilesOfProduct(c.table, productId, { ...request, newestFirst: true });
  return { items: items.map((file) => show(c, file)), nextCursor };
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
