import { createWorker } from '../../shared/queue/create-worker.ts';
import { jobContextOf, type Start } from '../../shared/start.ts';
import { awaitScan, type RequestScan } from './await-scan.ts';
import { createClamdEngine } from './clamd-engine.ts';
import type * as declaration from './declaration.ts';
import { createEicarEngine } from './eicar-engine.ts';
import type { Engine } from './engine.ts';
import { receiveScanResult } from './guardduty.ts';
import { receive } from './receive.ts';
import { scanFile } from './scan-file.ts';

/** As long as the function may run. */
export const leaseSeconds = 900;

/** The worker that has verified files scanned, and takes the reports of a scanner that works by itself. */
export function compose(
  start: Start<typeof declaration> & {
    requestScan: RequestScan;
    /** Another engine in the place of the one that CLAMD_URL chooses. */
    engine?: Engine | undefined;
  },
) {
  const { BUCKET_NAME: bucketName, CLAMD_URL: clamdUrl, MALWARE_PLAN_ARN: planArn } = start.settings;
  const { engine = engineFor(clamdUrl), ...given } = start;
  const c = { ...jobContextOf(given), engine };
  const watched = planArn !== undefined && bucketName !== undefined ? { planArn, bucketName } : undefined;
  const run = { 'scan-file': watched && clamdUrl === undefined ? awaitScan : scanFile };
  return receive(c, createWorker(c, { run, leaseSeconds }), watched && ((event) => receiveScanResult(c, watched, event)));
}

const engineFor = (clamdUrl: string | undefined): Engine =>
  clamdUrl === undefined ? createEicarEngine() : createClamdEngine({ url: clamdUrl });
