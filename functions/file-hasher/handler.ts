import { createAuditRepository } from '../../shared/audit/audit-repository.ts';
import { createTable } from '../../shared/db/table.ts';
import { createJobRepository } from '../../shared/jobs/job-repository.ts';
import { createObjectStore } from '../../shared/product-files/object-store.ts';
import { createProductFileRepository } from '../../shared/product-files/product-file-repository.ts';
import { createWorker } from '../../shared/queue/create-worker.ts';
import { createJobSender } from '../../shared/queue/job-sender.ts';
import { startFunction } from '../../shared/start-function.ts';
import { createDiscardUpload } from './discard-upload.ts';
import { settingNames } from './env.ts';
import { createHashFile } from './hash-file.ts';

/** As long as the function may run: 5 GiB take minutes. */
const leaseSeconds = 900;

export const handler = startFunction('file-hasher', settingNames, (settings, logger) => {
  const { TABLE_NAME: tableName, BUCKET_NAME: bucketName } = settings;
  const table = createTable({ tableName });
  const jobs = createJobRepository({ table });
  const sender = createJobSender({ queues: settings, logger });
  const dependencies = {
    files: createProductFileRepository({ table }),
    audit: createAuditRepository({ table }),
    jobs,
    store: bucketName === undefined ? undefined : createObjectStore({ bucketName }),
    logger,
    now: () => new Date(),
  };
  const run = {
    'hash-file': createHashFile({ ...dependencies, sendJob: sender.sendJob }),
    'discard-upload': createDiscardUpload(dependencies),
  };
  return createWorker({ run, jobs, sender, logger, leaseSeconds });
});
