import type { Composition } from '../../shared/function-parts.ts';
import { createWorker } from '../../shared/queue/create-worker.ts';
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
}: Composition<typeof settingNames, 'table' | 'store' | 'sender'> & {
  requestScan: RequestScan;
  /** Another engine in the place of the one that CLAMD_URL chooses. */
  engine?: Engine | undefined;
}) {
  const { BUCKET_NAME: bucketName, TRUSTED_SCANNERS: trustedScanners, CLAMD_URL: clamdUrl, MALWARE_PLAN_ARN: planArn } = settings;
  const recordScan = createRecordScan({ table, logger, now });

  const reportsByItself = planArn !== undefined && bucketName !== undefined;
  const scanFile =
    reportsByItself && clamdUrl === undefined
      ? createAwaitScan({ table, engineName: guardDutyName, requestScan, recordScan, now })
      : createScanFile({ table, store, engine, trustedScanners, recordScan, logger, now });
  return createReceive({
    work: createWorker({ run: { 'scan-file': scanFile }, table, sender, logger, leaseSeconds, now }),
    receiveScanResult: reportsByItself
      ? createReceiveScanResult({ planArn, bucketName, trusted: trustedScanners.includes(guardDutyName), recordScan, logger })
      : undefined,
    logger,
  });
}

const engineFor = (clamdUrl: string | undefined): Engine =>
  clamdUrl === undefined ? createEicarEngine() : createClamdEngine({ url: clamdUrl });
