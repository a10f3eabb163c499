import { createAuditRepository } from '../../shared/audit/audit-repository.ts';
import type { SettingsOf } from '../../shared/config.ts';
import type { Table } from '../../shared/db/table.ts';
import { createJobRepository } from '../../shared/jobs/job-repository.ts';
import type { Logger } from '../../shared/logger.ts';
import { createFileDiscards } from '../../shared/product-files/file-discards.ts';
import type { ObjectStore } from '../../shared/product-files/object-store.ts';
import { createProductFileRepository } from '../../shared/product-files/product-file-repository.ts';
import { createSellerStorageRepository } from '../../shared/product-files/seller-storage-repository.ts';
import { createProductRepository } from '../../shared/products/product-repository.ts';
import { createWorker } from '../../shared/queue/create-worker.ts';
import type { JobSender } from '../../shared/queue/job-sender.ts';
import type { settingNames } from './declaration.ts';
import { createDiscardUpload } from './discard-upload.ts';
import { createEncodePicture, type EncodePicture } from './encode-picture.ts';
import { createHashFile } from './hash-file.ts';

/** As long as the function may run: 5 GiB take minutes. */
export const leaseSeconds = 900;

/** The worker that verifies the bytes of finalized files, and deletes those of files that are of no more use. */
export function compose({
  settings,
  logger,
  table,
  store,
  sender,
  encodePicture = createEncodePicture(),
  now,
}: {
  settings: SettingsOf<typeof settingNames>;
  logger: Logger;
  table: Table;
  /** Absent where no bucket is configured. */
  store: ObjectStore | undefined;
  sender: JobSender;
  /** Another way to encode pictures. */
  encodePicture?: EncodePicture | undefined;
  now?: () => Date;
}) {
  const jobs = createJobRepository({ table, now });
  const files = createProductFileRepository({ table });
  const dependencies = {
    table,
    files,
    audit: createAuditRepository({ table, now }),
    jobs,
    discards: createFileDiscards({ jobs, discardAfterHours: settings.DISCARD_AFTER_HOURS, now }),
    store,
    encodePicture,
    logger,
    now,
  };
  const run = {
    'hash-file': createHashFile({ ...dependencies, sendJob: sender.sendJob }),
    'discard-upload': createDiscardUpload({
      ...dependencies,
      storage: createSellerStorageRepository({ table, files, products: createProductRepository({ table }), jobs }),
    }),
  };
  return createWorker({ run, jobs, sender, logger, leaseSeconds, now });
}
