import type { Composition } from '../../shared/function-parts.ts';
import { createWorker } from '../../shared/queue/create-worker.ts';
import { createAbortParts } from './abort-parts.ts';
import type { settingNames } from './declaration.ts';
import { createDiscardUpload } from './discard-upload.ts';
import { createEncodePicture, type EncodePicture } from './encode-picture.ts';
import { createHashFile } from './hash-file.ts';
import { createWithdrawUnusedFile } from './withdraw-unused-file.ts';

/** As long as the function may run: 5 GiB take minutes. */
export const leaseSeconds = 900;

/** The worker that verifies the bytes of finalized files, withdraws those that no release came to use, and deletes those of files that are of no more use. */
export function compose({
  settings,
  logger,
  table,
  store,
  partStore,
  sender,
  encodePicture = createEncodePicture(),
  now,
}: Composition<typeof settingNames, 'table' | 'store' | 'partStore' | 'sender'> & {
  /** Another way to encode pictures. */
  encodePicture?: EncodePicture | undefined;
}) {
  const { DISCARD_AFTER_HOURS: discardAfterHours } = settings;
  const run = {
    'hash-file': createHashFile({ table, sendJob: sender.sendJob, discardAfterHours, store, encodePicture, logger, now }),
    'discard-upload': createDiscardUpload({ table, store, partStore, now }),
    'abort-parts': createAbortParts({ table, partStore, now }),
    'withdraw-unused-file': createWithdrawUnusedFile({ table, discardAfterHours, now }),
  };
  return createWorker({ run, table, sender, logger, leaseSeconds, now });
}
