import type { ProductFileRecord } from '../product-file.ts';
import type { PartStore } from './part-store.ts';
import {
  type MultipartFile,
  partUploadSeconds,
  requireAllParts,
  type SignFilePartsRequest,
  type StoredPart,
  sizeOfPart,
} from './upload-parts.ts';

/** A URL that stores one part. */
export interface SignedPart {
  partNumber: number;
  uploadUrl: string;
  requiredHeaders: Record<string, string>;
  expiresAt: string;
}

const uploadOf = ({ storageKey, parts }: MultipartFile) => ({ key: storageKey, uploadId: parts.uploadId });

/** Begins an upload in parts for a new file. No part can be stored before the file's record exists, so none is orphaned. */
export async function beginPartUpload(
  partStore: PartStore,
  file: ProductFileRecord,
  partSizeBytes: number,
): Promise<ProductFileRecord['parts']> {
  if (file.storageKey === undefined) return undefined;
  const uploadId = await partStore.beginUpload(file.storageKey, file.contentType);
  return { uploadId, partSizeBytes, expiresAt: new Date(Date.parse(file.createdAt) + partUploadSeconds * 1000).toISOString() };
}

export const endPartUpload = (partStore: PartStore, file: MultipartFile): Promise<void> => partStore.abortUpload(uploadOf(file));

/** Asks the store nothing. No URL outlives the upload. @throws AppError invalid_request for a number that the file has not */
export function signPartUrls(
  partStore: PartStore,
  now: Date,
  file: MultipartFile,
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
export const listStoredParts = (partStore: PartStore, file: MultipartFile): Promise<StoredPart[] | undefined> =>
  partStore.listParts(uploadOf(file));

/**
 * Has the store make one object of the parts. Returns false when the upload is no more; otherwise there is an
 * object now, or another request came before this one.
 *
 * @throws AppError upload_not_found, file_mismatch
 */
export async function assembleFile(partStore: PartStore, file: MultipartFile): Promise<boolean> {
  const stored = await partStore.listParts(uploadOf(file));
  if (!stored) return false;
  requireAllParts(file, stored);
  return partStore.completeUpload(uploadOf(file), stored);
}
