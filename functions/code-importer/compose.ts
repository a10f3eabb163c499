import type { Composition } from '../../shared/function-parts.ts';
import { createWorker } from '../../shared/queue/create-worker.ts';
import type { settingNames } from './declaration.ts';
import { createImportCodes } from './import-codes.ts';

/** As long as the function may run. */
export const leaseSeconds = 900;

/** The worker that imports the codes of accepted batches. */
export function compose({ settings, logger, table, sender, now }: Composition<typeof settingNames, 'table' | 'sender'>) {
  const { ENCRYPTION_KEYS: encryptionKeys, LICENSE_PEPPERS: peppers } = settings;
  const importCodes = createImportCodes({ table, sendJob: sender.sendJob, peppers, encryptionKeys, now });
  return createWorker({ run: { 'import-codes': importCodes }, table, sender, logger, leaseSeconds, now });
}
