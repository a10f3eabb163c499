import type { CodeBatch } from '../../../../../build/client.ts';

type Counts = Pick<CodeBatch, 'status' | 'total_rows' | 'imported_count' | 'duplicate_count' | 'rejected_count'>;

/** Whether an import goes on by itself. */
export const isRunning = ({ status }: Pick<CodeBatch, 'status'>): boolean => status === 'accepted' || status === 'processing';

/** How soon to look again at imports, in milliseconds; false where none runs. */
export const pollEvery = (batches: readonly Pick<CodeBatch, 'status'>[]): number | false => batches.some(isRunning) && 2_000;

/** How many of the codes of an import are dealt with, and how many there are; rows without one aside. */
export const progressOf = ({ total_rows, imported_count, duplicate_count, rejected_count }: Counts) => ({
  done: imported_count + duplicate_count,
  all: total_rows - rejected_count,
});
