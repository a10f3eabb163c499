import { UploadFault } from './upload-failure.ts';
import { partsOf } from './upload-plan.ts';

/** SHA-256 in lower-case hexadecimal: of the whole file, and of each of its parts. */
export interface FileHashes {
  whole: string;
  parts: string[];
}

/** Hashes what it is given bit by bit. */
export interface RunningHash {
  update(bytes: Uint8Array): unknown;
  digest(): string;
}

const hexOf = (bytes: ArrayBuffer) => Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');

/**
 * Reads a file once, a part at a time, so that no more than a few parts are ever in memory.
 *
 * @throws UploadFault file_changed when it cannot be read as it was chosen
 */
export async function hashFile(
  file: Blob,
  { whole, onBytes, mayGoOn }: { whole: RunningHash; onBytes: (hashedBytes: number) => void; mayGoOn: () => Promise<void> },
): Promise<FileHashes> {
  const parts: string[] = [];
  for (const { start, sizeBytes } of partsOf(file.size)) {
    await mayGoOn();
    const bytes = await readBytes(file, start, sizeBytes);
    // The browser's own hash runs beside this thread, but takes no file bit by bit.
    const part = crypto.subtle.digest('SHA-256', bytes);
    whole.update(bytes);
    parts.push(hexOf(await part));
    onBytes(start + sizeBytes);
  }
  return { whole: whole.digest(), parts };
}

/** @throws UploadFault file_changed */
async function readBytes(file: Blob, start: number, sizeBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const read = await file
    .slice(start, start + sizeBytes)
    .arrayBuffer()
    .catch(() => undefined);
  if (read?.byteLength !== sizeBytes) throw new UploadFault('file_changed');
  return new Uint8Array(read);
}
