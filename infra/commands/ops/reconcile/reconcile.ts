import { parseArgs } from 'node:util';
import { readSettings } from '../../../../shared/config.ts';
import type { Table } from '../../../../shared/db/table.ts';
import type { ProductFileRecord } from '../../../../shared/product-files/product-file.ts';
import { reviewFile } from '../../../../shared/product-files/product-file-reviews.ts';
import { createObjectStore } from '../../../../shared/product-files/storage/object-store.ts';
import { UsageError } from '../../command-line.ts';
import type { Command } from '../command.ts';
import { createProgress } from '../progress.ts';
import { findBucket, findTable } from '../targets.ts';
import { type Counts, reconcileFiles } from './reconcile-files.ts';

/** An upload takes no longer, nor does a picture that is being made. */
const settledMs = 3600_000;

/** What the seller is told of a file that is taken down. */
const rejectedReason = 'The file was lost. Please upload it again.';

/** See "Reconcile" in README.md */
export const reconcile: Command = {
  name: 'reconcile',
  takes: '[--repair] [--hide-before <time>]',
  does: 'compares the files of the bucket with the table',
  async run(args) {
    const { repair, hideBefore } = readOptions(args);
    const table = await findTable();
    const bucket = await findBucket();
    const progress = createProgress();
    const counts = await reconcileFiles({
      table,
      bucket,
      store: createObjectStore(bucket),
      takeDown: repair ? createTakeDown(table) : undefined,
      hideBefore,
      tell: (line) => console.log(line),
      onProgress: (soFar) => progress(() => describe(soFar)),
    });
    console.log(describe(counts));
    if (counts.faults > counts.mended) process.exitCode = 1;
  },
};

const describe = ({ objects, files, faults, mended }: Counts) => `${objects} objects, ${files} files, ${faults} faults, ${mended} mended`;

/** As an admin rejects a file: audited, its seller is told, and a job frees the storage that it took. */
function createTakeDown(table: Table): (file: ProductFileRecord) => Promise<void> {
  const { DISCARD_AFTER_HOURS: discardAfterHours, REVIEW_DUE_HOURS: reviewDueHours } = readSettings(
    ['DISCARD_AFTER_HOURS', 'REVIEW_DUE_HOURS'],
    process.env,
  );
  // No command sends to queues: the sweeper sends the mail's job.
  const reviewsContext = {
    table,
    now: () => new Date(),
    sendJob: async () => {},
    settings: { DISCARD_AFTER_HOURS: discardAfterHours, REVIEW_DUE_HOURS: reviewDueHours },
  };
  return async ({ productId, id }) => {
    await reviewFile(reviewsContext, { userId: 'operator' }, productId, id, { decision: 'reject', rejectedReason });
  };
}

function readOptions(args: readonly string[]): { repair: boolean; hideBefore: string | undefined } {
  const { repair, 'hide-before': before } = parseOptions(args);
  if (before === undefined) return { repair, hideBefore: undefined };
  const time = new Date(before).getTime();
  if (!(time <= Date.now() - settledMs))
    throw new UsageError('--hide-before is a time at least an hour ago, such as 2026-01-31T09:00:00Z.');
  return { repair, hideBefore: new Date(time).toISOString() };
}

function parseOptions(args: readonly string[]) {
  try {
    const options = { repair: { type: 'boolean', default: false }, 'hide-before': { type: 'string' } } as const;
    return parseArgs({ args: [...args], options }).values;
  } catch {
    throw new UsageError(`reconcile takes --repair and --hide-before, and got ${args.join(' ')}.`);
  }
}
