import { createAuditRepository } from '../../shared/audit/audit-repository.ts';
import type { SettingsOf } from '../../shared/config.ts';
import type { Table } from '../../shared/db/table.ts';
import { createJobRepository } from '../../shared/jobs/job-repository.ts';
import type { Logger } from '../../shared/logger.ts';
import type { ObjectStore } from '../../shared/product-files/object-store.ts';
import { createProductFileRepository } from '../../shared/product-files/product-file-repository.ts';
import { createWorker } from '../../shared/queue/create-worker.ts';
import type { JobSender } from '../../shared/queue/job-sender.ts';
import { createAwaitScan, type RequestScan } from './await-scan.ts';
import { createClamdEngine } from './clamd-engine.ts';
import type { settingNames } from './declaration.ts';
import { createEicarEngine } from './eicar-engine.ts';
import type { Engine } from './engine.ts';
import { createReceiveScanResult, guardDutyName } from './guardduty.ts';
import { createReceive } from './receive.ts';
import { createRecordScan } from './record-scan.ts';
import { createScanFile } from './scan-file.ts';

/** As long as the function may run. */
export const leaseSeconds = 900;

/** The worker that has verified files scanned, and takes the reports of a scanner that works by itself. */
export function compose({
  settings,
  logger,
  table,
  store,
  requestScan,
  sender,
  engine = engineFor(settings.CLAMD_URL),
  now,
}: {
  settings: SettingsOf<typeof settingNames>;
  logger: Logger;
  table: Table;
  /** Absent where no bucket is configured. */
  store: ObjectStore | undefined;
  requestScan: RequestScan;
  sender: JobSender;
  /** Another engine in the place of the one that CLAMD_URL chooses. */
  engine?: Engine | undefined;
  now?: () => Date;
}) {
  const { BUCKET_NAME: bucketName, TRUSTED_SCANNERS: trustedScanners, CLAMD_URL: clamdUrl, MALWARE_PLAN_ARN: planArn } = settings;
  const files = createProductFileRepository({ table });
  const jobs = createJobRepository({ table, now });
  const recordScan = createRecordScan({ table, files, audit: createAuditRepository({ table, now }), logger });
  const common = { table, files, jobs, recordScan, logger, now };

  const reportsByItself = planArn !== undefined && bucketName !== undefined;
  const scanFile =
    reportsByItself && clamdUrl === undefined
      ? createAwaitScan({ ...common, engineName: guardDutyName, requestScan })
      : createScanFile({ ...common, store, engine, trustedScanners });
  return createReceive({
    work: createWorker({ run: { 'scan-file': scanFile }, jobs, sender, logger, leaseSeconds, now }),
    receiveScanResult: reportsByItself
      ? createReceiveScanResult({ planArn, bucketName, trusted: trustedScanners.includes(guardDutyName), recordScan, logger })
      : undefined,
    logger,
  });
}

const engineFor = (clamdUrl: string | undefined): Engine =>
  clamdUrl === undefined ? createEicarEngine() : createClamdEngine({ url: clamdUrl });
