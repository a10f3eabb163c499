import * as z from 'zod/mini';
import { auditActorOf, type Caller } from '../audit/caller.ts';
import type { Needs } from '../context.ts';
import { retryOptimisticLock } from '../db/optimistic-lock.ts';
import { AppError } from '../errors.ts';
import type { FileId, ProductId } from '../ids.ts';
import { addJob } from '../jobs/job-repository.ts';
import { requireUnsuspended } from '../products/product-states.ts';
import { recordFileAudit } from './file-audit.ts';
import { discardParts } from './file-discards.ts';
import { fileAfterUpload, maxUnusedSeconds } from './file-states.ts';
import { countLiveFiles, getLiveFiles, type LiveFiles } from './live-file-repository.ts';
import { contentType, getProductToChange, maxLiveFiles, type ProductFile, showFile, sizeBytes } from './own-file.ts';
import { assembleFile } from './parts/part-uploads.ts';
import { isMultipartFile, sha256Hex } from './parts/upload-parts.ts';
import { fileIds, isLiveEntry, type ProductFileRecord, uploadEndsAt } from './product-file.ts';
import { getFile, replaceFile } from './product-file-repository.ts';
import type { ObjectStore, StoredObject } from './storage/object-store.ts';

/** How often to look for an upload that another request is assembling. */
const uploadLooks = 4;

/** What a seller declares to have uploaded. */
export const ProductFileFinalizeRequest = z.object({ sizeBytes, sha256Hex, contentType: z.optional(contentType) });

export type ProductFileFinalizeRequest = z.infer<typeof ProductFileFinalizeRequest>;

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
async function getObject(c: Needs<'partStore'>, looks: ObjectStore, file: ProductFileRecord, key: string): Promise<StoredObject> {
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
  requireUnsuspended(await getProductToChange(c.table, caller, productId, fileId));
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
  return showFile(c, file);
}

/** @throws AppError file_mismatch */
function requireDeclared(file: ProductFileRecord, { sizeBytes, sha256Hex, contentType }: ProductFileFinalizeRequest): void {
  const same =
    sizeBytes === file.sizeBytes &&
    sha256Hex.toLowerCase() === file.sha256Hex &&
    (contentType === undefined || contentType === file.contentType);
  if (!same) throw new AppError('file_mismatch', 'size_bytes, sha256_hex or content_type differ from what was declared.');
}
