import { readSettings } from '../../../../shared/config.ts';
import type { Table } from '../../../../shared/db/table.ts';
import type { ProductFileRecord } from '../../../../shared/product-files/product-file.ts';
import { reviewFile } from '../../../../shared/product-files/product-file-reviews.ts';
import { createObjectStore } from '../../../../shared/product-files/storage/object-store.ts';
import { readOptions, UsageError } from '../../command-line.ts';
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
    const options = { repair: { type: 'boolean', default: false }, 'hide-before': { type: 'string' } } as const;
    const { repair, 'hide-before': before } = readOptions('reconcile', args, options);
    const hideBefore = before === undefined ? undefined : settledTime(before);
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
  // No command sends to queues: the sweeper sends the mail's job.
  const reviewsContext = {
    table,
    now: () => new Date(),
    sendJob: async () => {},
    settings: readSettings(['DISCARD_AFTER_HOURS', 'REVIEW_DUE_HOURS'], process.env),
  };
  return async ({ productId, id }) => {
    await reviewFile(reviewsContext, { userId: 'operator' }, productId, id, { decision: 'reject', rejectedReason });
  };
}

function settledTime(before: string): string {
  const time = new Date(before).getTime();
  if (!(time <= Date.now() - settledMs))
    throw new UsageError('--hide-before is a time at least an hour ago, such as 2026-01-31T09:00:00Z.');
  return new Date(time).toISOString();
}
