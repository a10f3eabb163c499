import { ApiFailure } from '../api/failure.ts';
import { partsOf } from './upload-plan.ts';

/** SHA-256 in lower-case hexadecimal: of the whole file, and of each of its parts. */
export interface FileHashes {
  whole: string;
  parts: string[];
}

/** What the worker is told: which file to hash, once; then to stop and go on. */
export type ToHashWorker = { file: Blob } | 'pause' | 'resume';

/** What it tells: how far it is, then the hashes or why there are none. */
export type FromHashWorker = { hashedBytes: number } | { hashes: FileHashes } | { code: string };

/** Hashes what it is given bit by bit, since it was begun last. */
export interface RunningHash {
  init(): unknown;
  update(bytes: Uint8Array): unknown;
  digest(): string;
}

/** So much is read at a time: what was read is garbage, and waits in memory for its collection. */
const pieceBytes = 1024 ** 2;

/**
 * Reads a file once, a piece at a time, so that little of it is ever in memory. The browser's own hash would be
 * faster, but takes whole parts alone, each on a copy.
 *
 * @throws ApiFailure file_changed when it cannot be read as it was chosen
 */
export async function hashFile(
  file: Blob,
  options: { whole: RunningHash; part: RunningHash; onBytes: (hashedBytes: number) => void; mayGoOn: () => Promise<void> },
): Promise<FileHashes> {
  const { whole, part, onBytes, mayGoOn } = options;
  const parts: string[] = [];
  whole.init();
  for (const { start, sizeBytes } of partsOf(file.size)) {
    part.init();
    for (let at = start; at < start + sizeBytes; at += pieceBytes) {
      await mayGoOn();
      const piece = await readBytes(file, at, Math.min(pieceBytes, start + sizeBytes - at));
      part.update(piece);
      whole.update(piece);
      onBytes(at + piece.length);
    }
    parts.push(part.digest());
  }
  return { whole: whole.digest(), parts };
}

/** @throws ApiFailure file_changed */
async function readBytes(file: Blob, start: number, sizeBytes: number): Promise<Uint8Array> {
  const read = await file
    .slice(start, start + sizeBytes)
    .arrayBuffer()
    .catch(() => undefined);
  if (read?.byteLength !== sizeBytes) throw new ApiFailure({ code: 'file_changed' });
  return new Uint8Array(read);
}
