import { sanitizeFileName } from '../../../../shared/product-files/storage/file-name.ts';
import type { Declaration, ListedFile, UploadApi } from './upload-api.ts';

/** A file of the product that is the one to upload: being there, or with room for what is missing. */
export interface FoundUpload {
  fileId: string;
  isDone: boolean;
}

/** More dead files than on so many pages no product has of the last day. */
const maxPages = 3;

const isThere = ({ status, hash_status }: ListedFile) =>
  (status === 'pending_review' || status === 'approved') && hash_status !== 'mismatch' && hash_status !== 'error';

/**
 * Looks for the file among those of its product: the newest that is there, else the newest whose upload was not
 * finished. `reuse` says whether one that was there before counts; ids in `ended` never do.
 */
export async function findUpload(
  api: Pick<UploadApi, 'list'>,
  declaration: Declaration,
  { ended, reuse, signal }: { ended: ReadonlySet<string>; reuse: boolean; signal?: AbortSignal },
): Promise<FoundUpload | undefined> {
  const { filename, content_type, size_bytes, sha256_hex, purpose } = declaration;
  const names = [filename, sanitizeFileName(filename)];
  const isSame = (file: ListedFile) =>
    file.sha256_hex === sha256_hex &&
    file.size_bytes === size_bytes &&
    file.purpose === purpose &&
    file.content_type === content_type &&
    names.includes(file.file_name) &&
    !ended.has(file.id);
  let open: FoundUpload | undefined;
  let cursor: string | undefined;
  for (let page = 0; page < maxPages; page += 1) {
    const { items, next_cursor } = await api.list(cursor, signal);
    const same = items.filter(isSame);
    const there = reuse ? same.find(isThere) : undefined;
    if (there) return { fileId: there.id, isDone: true };
    const pending = same.find(({ status }) => status === 'upload_pending');
    if (pending && !open) open = { fileId: pending.id, isDone: false };
    if (!next_cursor) break;
    cursor = next_cursor;
  }
  return open;
}
