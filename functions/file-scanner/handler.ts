import { createAuditRepository } from '../../shared/audit/audit-repository.ts';
import { createTable } from '../../shared/db/table.ts';
import { createJobRepository } from '../../shared/jobs/job-repository.ts';
import { createObjectStore } from '../../shared/product-files/object-store.ts';
import { createProductFileRepository } from '../../shared/product-files/product-file-repository.ts';
import { createWorker } from '../../shared/queue/create-worker.ts';
import { createJobSender } from '../../shared/queue/job-sender.ts';
import { startFunction } from '../../shared/start-function.ts';
import { createAwaitScan } from './await-scan.ts';
import { createClamdEngine } from './clamd-engine.ts';
import { createEicarEngine } from './eicar-engine.ts';
import { settingNames } from './env.ts';
import { createReceiveScanResult, createRequestScan, guardDutyName } from './guardduty.ts';
import { createReceive } from './receive.ts';
import { createRecordScan } from './record-scan.ts';
import { createScanFile } from './scan-file.ts';

/** As long as the function may run. */
const leaseSeconds = 900;

/** clamd where CLAMD_URL names one; else GuardDuty where there is a plan of it; else the built-in engine. */
export const handler = startFunction('file-scanner', settingNames, (settings, logger) => {
  const { TABLE_NAME: tableName, BUCKET_NAME: bucketName, TRUSTED_SCANNERS: trustedScanners } = settings;
  const { CLAMD_URL: clamdUrl, MALWARE_PLAN_ARN: planArn } = settings;
  const table = createTable({ tableName });
  const files = createProductFileRepository({ table });
  const jobs = createJobRepository({ table });
  const sender = createJobSender({ queues: settings, logger });
  const recordScan = createRecordScan({ files, audit: createAuditRepository({ table }), logger });
  const common = { files, jobs, recordScan, logger, now: () => new Date() };

  const reportsByItself = planArn !== undefined && bucketName !== undefined;
  const scanFile =
    reportsByItself && clamdUrl === undefined
      ? createAwaitScan({ ...common, engineName: guardDutyName, requestScan: createRequestScan() })
      : createScanFile({
          ...common,
          store: bucketName === undefined ? undefined : createObjectStore({ bucketName }),
          engine: clamdUrl === undefined ? createEicarEngine() : createClamdEngine({ url: clamdUrl }),
          trustedScanners,
        });
  return createReceive({
    work: createWorker({ run: { 'scan-file': scanFile }, jobs, sender, logger, leaseSeconds }),
    receiveScanResult: reportsByItself
      ? createReceiveScanResult({ planArn, bucketName, trusted: trustedScanners.includes(guardDutyName), recordScan, logger })
      : undefined,
    logger,
  });
});
