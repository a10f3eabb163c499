import { GuardDutyClient, SendObjectMalwareScanCommand } from '@aws-sdk/client-guardduty';
import * as z from 'zod/mini';
import type { Needs } from '../../shared/context.ts';
import { fileOfStorageKey, type ScanResult } from '../../shared/product-files/product-file.ts';
import { guardDutyName, type RequestScan } from './await-scan.ts';
import { recordScan } from './record-scan.ts';

/** GuardDuty's report on an object, as far as it is used. */
export const ScanResultEvent = z.object({
  source: z.literal('aws.guardduty'),
  'detail-type': z.literal('GuardDuty Malware Protection Object Scan Result'),
  id: z.string(),
  account: z.string(),
  time: z.string(),
  resources: z.array(z.string()),
  detail: z.object({
    schemaVersion: z.string(),
    scanStatus: z.string(),
    s3ObjectDetails: z.object({ bucketName: z.string(), objectKey: z.string(), versionId: z.optional(z.nullable(z.string())) }),
    scanResultDetails: z.object({
      scanResultStatus: z.string(),
      threats: z.optional(z.nullable(z.array(z.object({ name: z.string() })))),
    }),
  }),
});
export type ScanResultEvent = z.infer<typeof ScanResultEvent>;

/** The bucket that GuardDuty watches. */
export interface WatchedBucket {
  /** The ARN of the bucket's malware protection plan; it names the service's account. */
  planArn: string;
  bucketName: string;
}

/**
 * Records GuardDuty's report on one object version. Only reports of the service's plan, in its account, on its bucket
 * count; anything but "no threats" of a completed scan is not clean. See "GuardDuty" in README.md.
 */
export async function receiveScanResult(
  c: Needs<'table' | 'now' | 'logger' | 'TRUSTED_SCANNERS'>,
  { planArn, bucketName }: WatchedBucket,
  event: ScanResultEvent,
): Promise<void> {
  const [, , , , ourAccount] = planArn.split(':');
  const { bucketName: bucket, objectKey, versionId } = event.detail.s3ObjectDetails;
  const ours = event.account === ourAccount && event.resources.includes(planArn) && bucket === bucketName;
  const file = fileOfStorageKey(objectKey);
  if (!ours || !file || !versionId) {
    c.logger.warn('scan_result_ignored', { eventId: event.id, ours, known: file !== undefined, versioned: Boolean(versionId) });
    return;
  }
  const trusted = c.settings.TRUSTED_SCANNERS.includes(guardDutyName);
  await recordScan(c, file, { ...resultOf(event, trusted), versionId });
}

function resultOf(event: ScanResultEvent, trusted: boolean): Omit<ScanResult, 'versionId'> {
  const { schemaVersion, scanStatus, scanResultDetails } = event.detail;
  const { scanResultStatus, threats } = scanResultDetails;
  const common = {
    engine: guardDutyName,
    trusted,
    // The report has no version of its signatures; these two identify it.
    signatureVersion: `schema ${schemaVersion}, event ${event.id}`,
    at: new Date(event.time).toISOString(),
  };
  if (scanResultStatus === 'THREATS_FOUND' || (threats?.length ?? 0) > 0) {
    const names = (threats ?? []).map(({ name }) => name).join(', ');
    return { ...common, verdict: 'infected', summary: names.slice(0, 500) || scanResultStatus };
  }
  if (scanResultStatus === 'NO_THREATS_FOUND' && scanStatus === 'COMPLETED') {
    return { ...common, verdict: 'clean', summary: scanResultStatus };
  }
  return { ...common, verdict: 'error', error: scanResultStatus.toLowerCase().slice(0, 100) };
}

/** Has GuardDuty scan an object version on demand, under the bucket's plan. */
export function createRequestScan(): RequestScan {
  const client = new GuardDutyClient({
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 1000, requestTimeout: 5000, throwOnRequestTimeout: true },
  });
  return async ({ storageBucket, storageKey, versionId }) => {
    await client.send(new SendObjectMalwareScanCommand({ S3Object: { Bucket: storageBucket, Key: storageKey, VersionId: versionId } }));
  };
}
