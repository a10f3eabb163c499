import type { Table, Write } from '../db/table.ts';
import { createJobRepository } from '../jobs/job-repository.ts';
import { idsOfFile, isDead, type ProductFileRecord, uploadEndOf } from './product-file.ts';

export type FileDiscards = ReturnType<typeof createFileDiscards>;

/** When the bytes of files that are of no more use are deleted. See "Discarded bytes" in README.md. */
export function createFileDiscards(options: { table: Table; discardAfterHours: number; now?: (() => Date) | undefined }) {
  const { table, discardAfterHours, now = () => new Date() } = options;
  const jobs = createJobRepository({ table, now });
  const discardAfterSeconds = discardAfterHours * 3600;

  const discard = (file: ProductFileRecord, delaySeconds: number) =>
    jobs.addJob({ kind: 'discard-upload', ...idsOfFile(file) }, delaySeconds);
  const abortParts = ({ parts, ...file }: ProductFileRecord, delaySeconds = 0) =>
    parts ? [jobs.addJob({ kind: 'abort-parts', ...idsOfFile(file) }, delaySeconds)] : [];
  const secondsUntil = (time: string) => Math.max(0, Math.ceil((Date.parse(time) - now().getTime()) / 1000));

  return {
    /** Discards a new file unless it is finalized in time, and its parts when they can be stored no more. */
    discardUnfinished(file: ProductFileRecord): Write[] {
      const seconds = secondsUntil(uploadEndOf(file));
      return [discard(file, seconds + discardAfterSeconds), ...abortParts(file, seconds)];
    },

    /** Ends the parts of a file whose upload was found to be there as a whole. */
    discardParts: (file: ProductFileRecord): Write[] => abortParts(file),

    /**
     * Deletes the bytes of a file that `next` makes useless; not while the URL of its one PUT could bring them back.
     * Parts that were not put together go at once, after which none can be stored.
     */
    discardDead(read: ProductFileRecord, next: ProductFileRecord): Write[] {
      if (isDead(read) || !isDead(next)) return [];
      const parts = read.status === 'upload_pending' ? abortParts(read) : [];
      return [discard(next, Math.max(secondsUntil(next.uploadExpiresAt), discardAfterSeconds)), ...parts];
    },
  };
}
