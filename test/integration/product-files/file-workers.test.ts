import { readFileSync } from 'node:fs';
import { DeleteObjectCommand, HeadObjectCommand } from '@aws-sdk/client-s3';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { SQSRecord } from 'aws-lambda';
import type { Engine, EngineReport } from '../../../functions/file-scanner/engine.ts';
import type { ScanResultEvent } from '../../../functions/file-scanner/guardduty.ts';
import { recordScan } from '../../../functions/file-scanner/record-scan.ts';
import { listAudit } from '../../../shared/audit/audit-repository.ts';
import { AppError } from '../../../shared/errors.ts';
import type { FileId } from '../../../shared/ids.ts';
import { takeDueJobs } from '../../../shared/jobs/due-job-repository.ts';
import { leaseJob } from '../../../shared/jobs/job-lease-repository.ts';
import { jobId } from '../../../shared/jobs/new-job.ts';
import { fileIds, type ScanResult } from '../../../shared/product-files/product-file.ts';
import { replaceFile } from '../../../shared/product-files/product-file-repository.ts';
import { testBucket } from '../../support/engines/test-object-store.ts';
import { type FileHarness, sha256Hex, startFileHarness } from '../../support/scenes/file-harness.ts';
import { toSqsEvent } from '../../support/scenes/projection-harness.ts';

const bytes = Buffer.from('the bytes of an installer');
const eicar = Buffer.from(['X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR-STANDARD', '-ANTIVIRUS-TEST-FILE!$H+H*'].join(''));
const reason = { manual_scan_clean_reason: 'Checked by hand.' };

let harness: FileHarness;
beforeEach(async () => {
  harness = await startFileHarness();
});
afterEach(() => harness.stop());

/** Changes the declaration on the table, as if other bytes had been let through. */
async function redeclare(fileId: FileId, change: object): Promise<void> {
  const read = await harness.file(fileId);
  await harness.table.transact(await replaceFile(harness.table, read, { ...read, ...change }));
}

describe('the file hasher', () => {
  test('verifies what was declared, and has it scanned', async () => {
    const fileId = await harness.handIn(bytes);
    await harness.deliver(harness.queue.take());
    expect(await harness.file(fileId)).toMatchObject({
      hashStatus: 'verified',
      verifiedSha256Hex: sha256Hex(bytes),
      verifiedSizeBytes: bytes.length,
      verifiedContentType: 'application/zip',
    });
    expect(harness.queue.sent).toEqual([`scan-file:${harness.product.id}/${fileId}`]);
    const waiting = await takeDueJobs(harness, { evenIfLeased: true });
    expect(waiting.map(({ task }) => task.kind)).toEqual(['scan-file']);
  });

  test.each([
    [{ sha256Hex: sha256Hex(Buffer.from('other')) }, 'sha256_mismatch'],
    [{ sizeBytes: 3 }, 'size_mismatch'],
    [{ sizeBytes: 3000 }, 'size_mismatch'],
    [{ contentType: 'text/html' }, 'content_type_mismatch'],
  ])('records a mismatch of %j', async (change, hashError) => {
    const fileId = await harness.handIn(bytes);
    await redeclare(fileId, change);
    await harness.drain();
    const file = await harness.file(fileId);
    expect(file).toMatchObject({ hashStatus: 'mismatch', hashError, scanStatus: 'not_scanned' });
    expect(file.verifiedSha256Hex).toBeUndefined();
    expect(await harness.review(fileId, { decision: 'manual_clean', ...reason })).toMatchObject({ status: 409 });
    expect(await harness.review(fileId, { decision: 'approve' })).toMatchObject({ status: 409, json: { code: 'file_not_verified' } });
  });

  test('hashes the version that was finalized, whatever is put over it', async () => {
    const fileId = await harness.handIn(bytes);
    const { storageKey } = await harness.file(fileId);
    await harness.client.send(new DeleteObjectCommand({ Bucket: testBucket, Key: storageKey }));
    await harness.drain();
    expect(await harness.file(fileId)).toMatchObject({ hashStatus: 'verified' });
  });

  test('reports a version that is gone', async () => {
    const fileId = await harness.handIn(bytes);
    const { storageKey, versionId } = await harness.file(fileId);
    await harness.client.send(new DeleteObjectCommand({ Bucket: testBucket, Key: storageKey, VersionId: versionId }));
    await harness.drain();
    expect(await harness.file(fileId)).toMatchObject({ hashStatus: 'error', hashError: 'object_missing' });
  });

  test('tries an hour long to reach the store, then reports an error', async () => {
    let down = true;
    const flaky = await startFileHarness({
      faults: {
        async call(name, make) {
          if (down && name === 'GetObject') throw Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
          return make();
        },
      },
    });
    const unlucky = await flaky.handIn(bytes);
    await flaky.drain();
    const retry = async (seconds: number) => {
      flaky.pass(seconds + 16);
      await flaky.sweep();
    };
    for (const seconds of [5, 15, 60, 300, 900, 900]) await retry(seconds);
    expect(await flaky.file(unlucky)).toMatchObject({ hashStatus: 'unverified' });
    await retry(900);
    expect(await flaky.file(unlucky)).toMatchObject({ hashStatus: 'error', hashError: 'object_unreadable' });
    down = false;
    const late = await flaky.handIn(bytes);
    await flaky.drain();
    expect(await flaky.file(late)).toMatchObject({ hashStatus: 'verified', scanStatus: 'clean' });
    expect(flaky.logged.join()).not.toContain('X-Amz');
    await flaky.stop();
  });

  test('does the work of one job once, however often it is delivered', async () => {
    const fileId = await harness.handIn(bytes);
    const event = harness.queue.take();
    await Promise.all([harness.deliver(event), harness.deliver(event), harness.deliver(event)]);
    await harness.deliver(event);
    const { items } = await listAudit(harness.table, { targetId: fileId, limit: 100 });
    expect(items.filter(({ action }) => action === 'product_file.hash')).toHaveLength(1);
  });

  test('discards an upload that nobody finalized in a day, and no other', async () => {
    const kept = await harness.handIn(bytes);
    const dropped = await harness.upload(bytes);
    const never = (await harness.intend(harness.declare(bytes))).json.product_file_id;
    harness.pass(24 * 3600);
    await harness.sweep();
    expect((await harness.file(dropped)).status).toBe('upload_pending');
    harness.pass(16 * 60);
    await harness.sweep();
    expect((await harness.file(dropped)).status).toBe('disabled');
    expect((await harness.file(never)).status).toBe('disabled');
    expect((await harness.file(kept)).status).toBe('pending_review');
    const head = async (fileId: FileId) =>
      harness.client.send(new HeadObjectCommand({ Bucket: testBucket, Key: (await harness.file(fileId)).storageKey }));
    await expect(head(dropped)).rejects.toMatchObject({ name: 'NotFound' });
    await head(kept);
    expect(await harness.finalize(dropped, bytes)).toMatchObject({ status: 409, json: { code: 'file_state_conflict' } });
    expect(await harness.review(dropped, { decision: 'approve' })).toMatchObject({ status: 409 });
    expect(await takeDueJobs(harness, { evenIfLeased: true })).toEqual([]);
  });
});

describe('the file scanner', () => {
  const engineThat = (scan: () => EngineReport | Promise<EngineReport>, name = 'clamav'): Engine => ({
    name,
    async scan(_size, open) {
      for await (const _ of await open());
      return scan();
    },
  });
  const withEngine = async (engine: Engine, trustedScanners?: string[]) => {
    await harness.stop();
    harness = await startFileHarness({ engine, trustedScanners });
  };

  test('trusts a clean verdict of an engine that is on the list', async () => {
    await withEngine(engineThat(() => ({ verdict: 'clean', summary: 'OK', signatureVersion: 'ClamAV 1.4/1' })));
    const fileId = await harness.handIn(bytes);
    await harness.drain();
    expect(await harness.file(fileId)).toMatchObject({
      scanStatus: 'clean',
      scanEngine: 'clamav',
      scanSignatureVersion: 'ClamAV 1.4/1',
      scanResultSummary: 'OK',
      scanTrustedClean: true,
      scanTrustSource: 'scanner',
    });
    expect(await harness.review(fileId, { decision: 'approve' })).toMatchObject({ status: 200, json: { status: 'approved' } });
  });

  test('records the verdict of any other engine without trust', async () => {
    await withEngine(
      engineThat(() => ({ verdict: 'clean', summary: 'OK' })),
      ['guardduty'],
    );
    const fileId = await harness.handIn(bytes);
    await harness.drain();
    expect(await harness.file(fileId)).toMatchObject({ scanStatus: 'clean', scanTrustedClean: false, scanTrustSource: 'none' });
    expect(await harness.review(fileId, { decision: 'approve' })).toMatchObject({ status: 409, json: { code: 'file_not_trusted_clean' } });
  });

  test('the built-in engine finds the EICAR file, also across chunks, and an infected file cannot be vouched for', async () => {
    const fileId = await harness.handIn(Buffer.concat([Buffer.alloc(65_500), eicar, Buffer.alloc(70_000)]));
    await harness.drain();
    expect(await harness.file(fileId)).toMatchObject({ scanStatus: 'infected', scanEngine: 'eicar-only', scanTrustedClean: false });
    expect(await harness.review(fileId, { decision: 'manual_clean', ...reason })).toMatchObject({
      status: 409,
      json: { code: 'file_state_conflict' },
    });
    expect(await harness.review(fileId, { decision: 'approve' })).toMatchObject({ status: 409, json: { code: 'file_not_trusted_clean' } });
  });

  test('a failing engine is tried again, and in the end its failure is the result', async () => {
    let calls = 0;
    await withEngine(
      engineThat(() => {
        calls += 1;
        throw new AppError('dependency_unavailable');
      }),
    );
    const fileId = await harness.handIn(bytes);
    await harness.drain();
    for (const seconds of [5, 15, 60, 300, 900, 900]) {
      harness.pass(seconds + 16);
      await harness.sweep();
    }
    expect(await harness.file(fileId)).toMatchObject({ scanStatus: 'not_scanned' });
    harness.pass(916);
    await harness.sweep();
    expect(calls).toBe(8);
    expect(await harness.file(fileId)).toMatchObject({ scanStatus: 'error', scanError: 'engine_failed', scanTrustedClean: false });
    expect(await takeDueJobs(harness, { evenIfLeased: true })).toEqual([]);
    await harness.review(fileId, { decision: 'manual_clean', ...reason });
    expect((await harness.review(fileId, { decision: 'approve' })).status).toBe(200);
  });

  test('a scan that ends its process each time has that as its result in the end', async () => {
    await withEngine(engineThat(() => Promise.reject(new Error('Scanned once more.'))));
    const fileId = await harness.handIn(bytes);
    await harness.deliver(harness.queue.take());
    const scan = jobId({ kind: 'scan-file', productId: harness.product.id, fileId });
    for (let times = 0; times < 8; times += 1) {
      expect(await leaseJob(harness, scan, 1)).toBeDefined();
      harness.pass(1);
    }
    await harness.deliver(toSqsEvent([scan]));
    expect(await harness.file(fileId)).toMatchObject({ scanStatus: 'error', scanError: 'engine_failed', scanTrustedClean: false });
  });

  test('calls no file clean of which it read a part', async () => {
    const fileId = await harness.handIn(bytes);
    await harness.deliver(harness.queue.take());
    await redeclare(fileId, { sizeBytes: bytes.length + 1 });
    await harness.drain();
    expect(await harness.file(fileId)).toMatchObject({ hashStatus: 'verified', scanStatus: 'not_scanned' });
  });

  describe('results, whenever they come', () => {
    const resultOf = async (fileId: FileId, change: Partial<ScanResult> = {}): Promise<ScanResult> => {
      const { storageKey } = await harness.file(fileId);
      const { VersionId } = await harness.client.send(new HeadObjectCommand({ Bucket: testBucket, Key: storageKey }));
      return {
        versionId: VersionId ?? '',
        engine: 'guardduty',
        trusted: true,
        verdict: 'clean',
        at: harness.now().toISOString(),
        ...change,
      };
    };
    const report = async (fileId: FileId, change: Partial<ScanResult> = {}) =>
      recordScan(harness.c, { productId: harness.product.id, fileId }, await resultOf(fileId, change));

    test('a clean one from before finalize counts once the hash is verified', async () => {
      const fileId = await harness.upload(bytes);
      await report(fileId);
      expect(await harness.file(fileId)).toMatchObject({ scanStatus: 'not_scanned', scanTrustedClean: false });
      await harness.finalize(fileId, bytes);
      expect(await harness.file(fileId)).toMatchObject({ scanStatus: 'not_scanned', scanTrustedClean: false });
      await harness.deliver(harness.queue.take());
      expect(await harness.file(fileId)).toMatchObject({ scanStatus: 'clean', scanEngine: 'guardduty', scanTrustSource: 'scanner' });
    });

    test('an infected one clears manual trust and takes an approved file down at once', async () => {
      const fileId = await harness.offerFile(bytes);
      await report(fileId, { verdict: 'infected', summary: 'EICAR', engine: 'guardduty' });
      expect(await harness.file(fileId)).toMatchObject({
        status: 'disabled',
        visibility: 'private',
        scanStatus: 'infected',
        scanTrustedClean: false,
        scanTrustSource: 'none',
      });
      const { items } = await listAudit(harness.table, { targetId: fileId, limit: 1 });
      expect(items).toMatchObject([
        { actor: 'file-scanner', action: 'product_file.scan', before: { status: 'approved' }, after: { status: 'disabled' } },
      ]);
      expect(harness.logged.filter((line) => line.includes('approved_file_infected'))).toHaveLength(1);
      expect(await harness.review(fileId, { decision: 'approve' })).toMatchObject({
        status: 409,
        json: { code: 'file_not_trusted_clean' },
      });
      // Nothing that comes later makes it good again.
      await report(fileId);
      await report(fileId, { verdict: 'error', error: 'failed' });
      expect(await harness.file(fileId)).toMatchObject({ scanStatus: 'infected', scanTrustedClean: false, status: 'disabled' });
    });

    test('of a review and an infected result at once, the file is never left approved', async () => {
      for (let round = 0; round < 5; round += 1) {
        const fileId = await harness.handIn(bytes);
        await harness.drain();
        await harness.review(fileId, { decision: 'manual_clean', ...reason });
        const [, review] = await Promise.all([report(fileId, { verdict: 'infected' }), harness.review(fileId, { decision: 'approve' })]);
        if (review.status !== 200) expect(review).toMatchObject({ status: 409, json: { code: 'file_not_trusted_clean' } });
        const file = await harness.file(fileId);
        expect(file).toMatchObject({ scanStatus: 'infected', scanTrustedClean: false, visibility: 'private' });
        expect(file.status).not.toBe('approved');
      }
    });

    test('of a hash and a result at once, neither is lost', async () => {
      for (let round = 0; round < 5; round += 1) {
        const fileId = await harness.handIn(bytes);
        await Promise.all([harness.deliver(harness.queue.take()), report(fileId)]);
        expect(await harness.file(fileId)).toMatchObject({ hashStatus: 'verified', scanStatus: 'clean', scanTrustedClean: true });
        harness.queue.take();
      }
    });
  });
});

describe('GuardDuty', () => {
  const planArn = 'arn:aws:guardduty:us-east-1:111122223333:malware-protection-plan/abc';
  let asked: string[];
  beforeEach(async () => {
    asked = [];
    await harness.stop();
    harness = await startFileHarness({ malwarePlanArn: planArn, requestScan: async ({ versionId }) => void asked.push(versionId) });
  });
  const sample = readFileSync(new URL('../../fixtures/guardduty/threats_found.json', import.meta.url), 'utf8');
  const messageOf = (body: object) => ({ ...toSqsEvent(['']).Records[0]!, body: JSON.stringify(body) });

  const reportOn = async (fileId: FileId, status: string, change: (event: ScanResultEvent) => void = () => {}) => {
    const file = await harness.file(fileId);
    const event: ScanResultEvent = JSON.parse(sample);
    event.detail.s3ObjectDetails = { bucketName: testBucket, objectKey: file.storageKey ?? '', versionId: file.versionId };
    event.detail.scanStatus = status === 'NO_THREATS_FOUND' || status === 'THREATS_FOUND' ? 'COMPLETED' : 'SKIPPED';
    event.detail.scanResultDetails = {
      scanResultStatus: status,
      threats: status === 'THREATS_FOUND' ? [{ name: 'EICAR-Test-File' }] : null,
    };
    change(event);
    return messageOf(event);
  };
  const receive = (record: SQSRecord) => harness.scan({ Records: [record] });
  const verified = async () => {
    const fileId = await harness.handIn(bytes);
    await harness.deliver(harness.queue.take());
    return fileId;
  };

  test('no threats found is a trusted clean verdict', async () => {
    const fileId = await verified();
    expect(await receive(await reportOn(fileId, 'NO_THREATS_FOUND'))).toEqual({ batchItemFailures: [] });
    expect(await harness.file(fileId)).toMatchObject({
      scanStatus: 'clean',
      scanEngine: 'guardduty',
      scanTrustedClean: true,
      scanSignatureVersion: expect.stringMatching(/^schema 1\.0, event \S+$/),
    });
  });

  test('a threat is recorded with its name', async () => {
    const fileId = await verified();
    await receive(await reportOn(fileId, 'THREATS_FOUND'));
    expect(await harness.file(fileId)).toMatchObject({ scanStatus: 'infected', scanResultSummary: 'EICAR-Test-File' });
  });

  test.each(['UNSUPPORTED', 'ACCESS_DENIED', 'FAILED', 'SOMETHING_NEW'])('%s is no clearance', async (status) => {
    const fileId = await verified();
    await receive(await reportOn(fileId, status));
    expect(await harness.file(fileId)).toMatchObject({ scanStatus: 'error', scanError: status.toLowerCase(), scanTrustedClean: false });
  });

  test('a scan that was not completed is no clearance', async () => {
    const fileId = await verified();
    const skipped = await reportOn(fileId, 'NO_THREATS_FOUND', (event) => {
      event.detail.scanStatus = 'SKIPPED';
    });
    await receive(skipped);
    expect(await harness.file(fileId)).toMatchObject({ scanStatus: 'error', scanTrustedClean: false });
  });

  const foreign: [string, (event: ScanResultEvent) => void][] = [
    ['another account', (event) => Object.assign(event, { account: '999999999999' })],
    ['another plan', (event) => Object.assign(event, { resources: [`${planArn}x`] })],
    ['another bucket', (event) => Object.assign(event.detail.s3ObjectDetails, { bucketName: 'other' })],
    ['another key', (event) => Object.assign(event.detail.s3ObjectDetails, { objectKey: 'malware-protection-resource-validation-object' })],
    ['another version', (event) => Object.assign(event.detail.s3ObjectDetails, { versionId: 'other' })],
    ['no version', (event) => Object.assign(event.detail.s3ObjectDetails, { versionId: null })],
  ];
  test.each(foreign)('a report of %s changes nothing', async (_, change) => {
    const fileId = await verified();
    const before = await harness.file(fileId);
    expect(await receive(await reportOn(fileId, 'NO_THREATS_FOUND', change))).toEqual({ batchItemFailures: [] });
    expect(await harness.file(fileId)).toEqual(before);
  });

  test('what is not such a report is given back to the queue', async () => {
    const record = messageOf({ source: 'aws.s3', 'detail-type': 'Object Created' });
    expect(await receive(record)).toEqual({ batchItemFailures: [{ itemIdentifier: record.messageId }] });
  });

  test('without a result another scan is requested each half hour, and in the end the result is an error', async () => {
    const fileId = await verified();
    await harness.drain();
    expect(asked).toEqual([]);
    const halfHour = async () => {
      harness.pass(30 * 60 + 16);
      await harness.sweep();
    };
    await halfHour();
    const file = await harness.file(fileId);
    expect(asked).toEqual([file.versionId]);
    await halfHour();
    await halfHour();
    expect(asked).toHaveLength(3);
    expect(await harness.file(fileId)).toMatchObject({ scanStatus: 'not_scanned' });
    await halfHour();
    expect(asked).toHaveLength(3);
    expect(await harness.file(fileId)).toMatchObject({ scanStatus: 'error', scanError: 'no_result' });
    expect(await leaseJob(harness, jobId({ kind: 'scan-file', ...fileIds(file) }), 1)).toBeUndefined();
    // A late result still counts.
    await receive(await reportOn(fileId, 'NO_THREATS_FOUND'));
    expect(await harness.file(fileId)).toMatchObject({ scanStatus: 'clean', scanTrustedClean: true });
  });

  test('once there is a verdict no scan is requested any more', async () => {
    const fileId = await verified();
    await receive(await reportOn(fileId, 'NO_THREATS_FOUND'));
    await harness.drain();
    expect(asked).toEqual([]);
    expect(await takeDueJobs(harness, { evenIfLeased: true })).toEqual([]);
  });
});
