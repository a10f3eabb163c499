import { createCodeBatchRepository } from '../../shared/code-batches/code-batch-repository.ts';
import { createCodeHashRepository } from '../../shared/code-batches/code-hash-repository.ts';
import { createCodeStockRepository } from '../../shared/code-batches/code-stock-repository.ts';
import { createCodeUploadRepository } from '../../shared/code-batches/code-upload-repository.ts';
import type { SettingsOf } from '../../shared/config.ts';
import type { Table } from '../../shared/db/table.ts';
import { createJobRepository } from '../../shared/jobs/job-repository.ts';
import { createFindIssuedKeys } from '../../shared/licenses/issued-keys.ts';
import { normalizeLicenseKey } from '../../shared/licenses/license-key.ts';
import { createLicenseRepository } from '../../shared/licenses/license-repository.ts';
import type { Logger } from '../../shared/logger.ts';
import { createWorker } from '../../shared/queue/create-worker.ts';
import type { JobSender } from '../../shared/queue/job-sender.ts';
import type { settingNames } from './declaration.ts';
import { createImportCodes } from './import-codes.ts';

/** As long as the function may run. */
export const leaseSeconds = 900;

/** The worker that imports the codes of accepted batches. */
export function compose({
  settings,
  logger,
  table,
  sender,
  now,
}: {
  settings: SettingsOf<typeof settingNames>;
  logger: Logger;
  table: Table;
  sender: JobSender;
  now?: () => Date;
}) {
  const encryptionKeys = settings.ENCRYPTION_KEYS;
  const jobs = createJobRepository({ table, now });
  const importCodes = createImportCodes({
    table,
    batches: createCodeBatchRepository({ table, now }),
    uploads: createCodeUploadRepository({ table, encryptionKeys, now }),
    hashes: createCodeHashRepository({ table, encryptionKeys }),
    stock: createCodeStockRepository({ table, encryptionKeys }),
    jobs,
    sendJob: sender.sendJob,
    findIssuedKeys: createFindIssuedKeys({ licenses: createLicenseRepository({ table }), peppers: settings.LICENSE_PEPPERS }),
    normalize: normalizeLicenseKey,
  });
  return createWorker({ run: { 'import-codes': importCodes }, jobs, sender, logger, leaseSeconds, now });
}
