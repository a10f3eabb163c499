import type { Table, Write } from '../db/table.ts';
import { createJobRepository } from '../jobs/job-repository.ts';
import { idsOfFile, isDead, type ProductFileRecord } from './product-file.ts';

export type FileDiscards = ReturnType<typeof createFileDiscards>;

/** When the bytes of files that are of no more use are deleted. See "Discarded bytes" in README.md. */
export function createFileDiscards(options: { table: Table; discardAfterHours: number; now?: (() => Date) | undefined }) {
  const { table, discardAfterHours, now = () => new Date() } = options;
  const jobs = createJobRepository({ table, now });
  const discardAfterSeconds = discardAfterHours * 3600;

  const discard = (file: ProductFileRecord, delaySeconds: number) =>
    jobs.addJob({ kind: 'discard-upload', ...idsOfFile(file) }, delaySeconds);
  const secondsUntilUploadEnds = ({ uploadExpiresAt }: ProductFileRecord) =>
    Math.max(0, Math.ceil((Date.parse(uploadExpiresAt) - now().getTime()) / 1000));

  return {
    /** Discards a new file unless it is finalized in time. */
    discardUnfinished: (file: ProductFileRecord): Write => discard(file, secondsUntilUploadEnds(file) + discardAfterSeconds),

    /** Deletes the bytes of a file that `next` makes useless; not while its upload URL could bring them back. */
    discardDead(read: ProductFileRecord, next: ProductFileRecord): Write[] {
      if (isDead(read) || !isDead(next)) return [];
      return [discard(next, Math.max(secondsUntilUploadEnds(next), discardAfterSeconds))];
    },
  };
}
