import type { Table } from '../db/table.ts';
import { backfillPart, findProgress, partitions, saveProgress } from './queue-backfill-repository.ts';

/** The second round meets what functions of the version before wrote while the first went on. */
const rounds = 2;

/** Longer than a function of the previous version may still run. */
const betweenMs = 1_200_000;

/**
 * Puts what waited for an admin before there was a queue into it: goes through everything that may wait, twice, and
 * goes on where it was when it was interrupted. Once complete, it costs one read per instance. See "Filling" in
 * filling.md
 */
export function createQueueWalk({ table, now }: { table: Table; now: () => Date }) {
  let isOver = false;

  /** Continues while `hasTimeLeft` returns true. @throws OptimisticLockError when another one walks too */
  return async (hasTimeLeft: () => boolean): Promise<void> => {
    if (isOver) return;
    const read = await findProgress(table);
    isOver = read !== undefined && read.round > rounds;
    if (isOver || (read?.notBefore ?? '') > now().toISOString()) return;
    const { round = 1 } = read ?? {};
    let { partition = 0, after } = read ?? {};
    while (partition < partitions && hasTimeLeft()) {
      after = await backfillPart(table, partition, after);
      if (after === undefined) partition += 1;
    }
    const isComplete = partition === partitions;
    await saveProgress(
      table,
      read,
      isComplete
        ? { round: round + 1, partition: 0, notBefore: new Date(now().getTime() + betweenMs).toISOString() }
        : { round, partition, ...(after !== undefined && { after }) },
    );
  };
}
