import type { UploadPurpose } from './upload-plan.ts';

/** A file as the API shows it to its seller, as far as uploads look at it. */
export interface ListedFile {
  id: string;
  file_name: string;
  content_type: string;
  size_bytes: number;
  purpose: UploadPurpose;
  status: string;
  hash_status: string;
  sha256_hex?: string;
}

export interface SignedPart {
  part_number: number;
  upload_url: string;
  required_headers: Readonly<Record<string, string>>;
}

export interface StoredPart {
  part_number: number;
  size_bytes: number;
  sha256_hex: string;
}

export interface Declaration {
  filename: string;
  content_type: string;
  size_bytes: number;
  sha256_hex: string;
  purpose: UploadPurpose;
  part_size_bytes: number;
}

/** What uploads ask of the API about the files of one product. Each rejects with an `ApiFailure`. */
export interface UploadApi {
  list(
    cursor: string | undefined,
    signal?: AbortSignal,
  ): Promise<{ items: readonly ListedFile[]; next_cursor?: string | null | undefined }>;
  declare(declaration: Declaration): Promise<{ product_file_id: string; parts?: object | undefined }>;
  stored(fileId: string, signal: AbortSignal): Promise<{ items: readonly StoredPart[] }>;
  sign(
    fileId: string,
    parts: { part_number: number; sha256_hex: string }[],
    signal: AbortSignal,
  ): Promise<{ items: readonly SignedPart[] }>;
  finalize(fileId: string, body: { size_bytes: number; sha256_hex: string }, signal: AbortSignal): Promise<unknown>;
  withdraw(fileId: string): Promise<unknown>;
}
