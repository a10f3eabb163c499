import { createCodeBatchRepository } from '../../shared/code-batches/code-batch-repository.ts';
import { createCodeHashRepository } from '../../shared/code-batches/code-hash-repository.ts';
import { createCodeStockRepository } from '../../shared/code-batches/code-stock-repository.ts';
import { createCodeUploadRepository } from '../../shared/code-batches/code-upload-repository.ts';
import { createTable } from '../../shared/db/table.ts';
import { createJobRepository } from '../../shared/jobs/job-repository.ts';
import { normalizeLicenseKey } from '../../shared/licenses/license-key.ts';
import { createWorker } from '../../shared/queue/create-worker.ts';
import { createJobSender } from '../../shared/queue/job-sender.ts';
import { startFunction } from '../../shared/start-function.ts';
import { settingNames } from './env.ts';
import { createImportCodes } from './import-codes.ts';

export const handler = startFunction('code-importer', settingNames, (settings, logger) => {
  const table = createTable({ tableName: settings.TABLE_NAME });
  const stores = { table, encryptionKeys: settings.ENCRYPTION_KEYS };
  const jobs = createJobRepository({ table });
  const sender = createJobSender({ queues: settings, logger });
  const importCodes = createImportCodes({
    table,
    batches: createCodeBatchRepository({ table }),
    uploads: createCodeUploadRepository(stores),
    hashes: createCodeHashRepository(stores),
    stock: createCodeStockRepository(stores),
    jobs,
    sendJob: sender.sendJob,
    normalize: normalizeLicenseKey,
  });
  return createWorker({ run: { 'import-codes': importCodes }, jobs, sender, logger, leaseSeconds: 900 });
});
