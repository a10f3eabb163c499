import * as z from 'zod/mini';
import { AppError } from '../../errors.ts';
import { fault } from '../../faults/fault.ts';
import { invalidField } from '../../faults/invalid-request.ts';
import * as rules from '../../faults/rules.ts';
import type { ProductFileRecord } from '../product-file.ts';

const mib = 1024 ** 2;
/** How long a file can be uploaded in parts. */
export const partUploadSeconds = 24 * 3600;
/** How many parts one request has signed at most. */
export const maxSignedParts = 16;

/** How large all parts but the last are. */
export const partSizeBytes = z.int().check(z.minimum(8 * mib), z.maximum(64 * mib));

export const sha256Hex = z.string().check(z.regex(/^[a-fA-F0-9]{64}$/, fault(rules.notSha256)));

const eachOnce = z.check<{ partNumber: number }[]>(({ value, issues }) => {
  if (new Set(value.map(({ partNumber }) => partNumber)).size === value.length) return;
  issues.push({ code: 'custom', input: value, message: fault(rules.repeatedPart) });
});

/** Which parts a seller is about to store. */
export const SignFilePartsRequest = z.object({
  parts: z
    .array(z.object({ partNumber: z.int().check(z.minimum(1)), sha256Hex }))
    .check(z.minLength(1), z.maxLength(maxSignedParts), eachOnce),
});
export type SignFilePartsRequest = z.infer<typeof SignFilePartsRequest>;

/** A part as the store has it. */
export interface StoredPart {
  partNumber: number;
  sizeBytes: number;
  etag: string;
  sha256Hex: string;
}

export type MultipartFile = ProductFileRecord & { storageKey: string; parts: NonNullable<ProductFileRecord['parts']> };

export const isMultipartFile = (file: ProductFileRecord): file is MultipartFile =>
  file.parts !== undefined && file.storageKey !== undefined;

/** Of a file of this size in parts of that. */
export const partCountOf = (sizeBytes: number, partSize: number): number => Math.ceil(sizeBytes / partSize);

const countIn = ({ sizeBytes, parts }: MultipartFile) => partCountOf(sizeBytes, parts.partSizeBytes);

/** All parts are of one size, but the last, which is the rest. @throws AppError invalid_request for a number that the file has not */
export function sizeOfPart(file: MultipartFile, partNumber: number): number {
  const count = countIn(file);
  if (partNumber > count) throw invalidField('parts', rules.partBeyondFile, { max: count });
  return Math.min(file.parts.partSizeBytes, file.sizeBytes - (partNumber - 1) * file.parts.partSizeBytes);
}

/** Whether parts can be stored now. @throws AppError file_state_conflict */
export function requirePartsOpen(file: ProductFileRecord, now: Date): asserts file is MultipartFile {
  const isOpen = isMultipartFile(file) && file.status === 'upload_pending' && file.parts.expiresAt > now.toISOString();
  if (!isOpen) throw new AppError('file_state_conflict', 'No parts can be stored for this file, or no more.');
}

/** Whether the parts that are stored are the whole file. @throws AppError upload_not_found, file_mismatch */
export function requireAllParts(file: MultipartFile, stored: readonly StoredPart[]): void {
  const isThere = stored.length === countIn(file) && stored.every(({ partNumber }, index) => partNumber === index + 1);
  if (!isThere) throw new AppError('upload_not_found', 'Not every part of the file is stored.');
  if (stored.every(({ partNumber, sizeBytes }) => sizeBytes === sizeOfPart(file, partNumber))) return;
  throw new AppError('file_mismatch', 'The stored parts differ from what was declared.');
}
