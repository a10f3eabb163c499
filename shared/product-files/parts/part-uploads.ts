import type { ProductFileRecord } from '../product-file.ts';
import type { PartStore } from './part-store.ts';
import { type FileInParts, partsSeconds, requireAllParts, type SignFilePartsRequest, type StoredPart, sizeOfPart } from './upload-parts.ts';

/** A URL that stores one part. */
export interface SignedPart {
  partNumber: number;
  uploadUrl: string;
  requiredHeaders: Record<string, string>;
  expiresAt: string;
}

const uploadOf = ({ storageKey, parts }: FileInParts) => ({ key: storageKey, uploadId: parts.uploadId });

/** Begins an upload in parts for a new file. No part can be stored before the file's record exists, so none is orphaned. */
export async function beginParts(
  partStore: PartStore,
  file: ProductFileRecord,
  partSizeBytes: number,
): Promise<ProductFileRecord['parts']> {
  if (file.storageKey === undefined) return undefined;
  const uploadId = await partStore.beginUpload(file.storageKey, file.contentType);
  return { uploadId, partSizeBytes, expiresAt: new Date(Date.parse(file.createdAt) + partsSeconds * 1000).toISOString() };
}

export const endParts = (partStore: PartStore, file: FileInParts): Promise<void> => partStore.abortUpload(uploadOf(file));

/** Asks the store nothing. No URL outlives the upload. @throws AppError invalid_request for a number that the file has not */
export function signPartUrls(
  partStore: PartStore,
  now: Date,
  file: FileInParts,
  { parts }: SignFilePartsRequest,
  seconds: number,
): Promise<SignedPart[]> {
  const at = now.getTime();
  const lives = Math.max(1, Math.min(seconds, Math.floor((Date.parse(file.parts.expiresAt) - at) / 1000)));
  const sized = parts.map((part) => ({ ...part, sizeBytes: sizeOfPart(file, part.partNumber) }));
  return Promise.all(
    sized.map(async (part) => {
      const { url, headers } = await partStore.presignPart(uploadOf(file), part, lives);
      const expiresAt = new Date(at + lives * 1000).toISOString();
      return { partNumber: part.partNumber, uploadUrl: url, requiredHeaders: headers, expiresAt };
    }),
  );
}

/** Undefined when the upload is no more. */
export const listStoredParts = (partStore: PartStore, file: FileInParts): Promise<StoredPart[] | undefined> =>
  partStore.listParts(uploadOf(file));

/**
 * Has the store make one object of the parts. Returns false when the upload is no more; otherwise there is an
 * object now, or another request came before this one.
 *
 * @throws AppError upload_not_found, file_mismatch
 */
export async function joinParts(partStore: PartStore, file: FileInParts): Promise<boolean> {
  const stored = await partStore.listParts(uploadOf(file));
  if (!stored) return false;
  requireAllParts(file, stored);
  return partStore.completeUpload(uploadOf(file), stored);
}
