import { readFileSync } from 'node:fs';
import { DeleteObjectCommand, HeadObjectCommand } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { EngineReport } from '../../../functions/file-scanner/engine.ts';
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
/** How long a failing job rests before each of its eight attempts but the first, and until a sweep finds it. */
const rests = [5, 15, 60, 300, 900, 900].map((seconds) => seconds + 16);

let harness: FileHarness;
afterAll(() => harness.stop());

/** Changes the declaration on the table, as if other bytes had been let through. */
async function redeclare(fileId: FileId, change: object): Promise<void> {
  const read = await harness.file(fileId);
  await harness.table.transact(await replaceFile(harness.table, read, { ...read, ...change }));
}

/** A file that was hashed, and whose scan has not begun. */
async function verified(): Promise<FileId> {
  const fileId = await harness.handIn(bytes);
  await harness.deliver(harness.queue.take());
  return fileId;
}

const rest = async (seconds: number) => {
  harness.pass(seconds);
  await harness.sweep();
};

describe('the file hasher', () => {
  let isStoreDown = false;
  beforeAll(async () => {
    harness = await startFileHarness({
      faults: {
        async call(name, make) {
          if (isStoreDown && name === 'GetObject') throw Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
          return make();
        },
      },
    });
  });

  test('verifies what was declared once, however often it is told to, and has it scanned', async () => {
    const fileId = await harness.handIn(bytes);
    const event = harness.queue.take();
    await Promise.all([harness.deliver(event), harness.deliver(event), harness.deliver(event)]);
    await harness.deliver(event);
    expect(await harness.file(fileId)).toMatchObject({
      hashStatus: 'verified',
      verifiedSha256Hex: sha256Hex(bytes),
      verifiedSizeBytes: bytes.length,
      verifiedContentType: 'application/zip',
    });
    const { items } = await listAudit(harness.table, { targetId: fileId, limit: 100 });
    expect(items.filter(({ action }) => action === 'product_file.hash')).toHaveLength(1);
    expect(harness.queue.sent).toEqual([`scan-file:${harness.product.id}/${fileId}`]);
    await harness.drain();
  });

  const remove = async (fileId: FileId, isForGood: boolean) => {
    const { storageKey: Key, versionId } = await harness.file(fileId);
    await harness.client.send(new DeleteObjectCommand({ Bucket: testBucket, Key, VersionId: isForGood ? versionId : undefined }));
  };
  const mismatch = (hashError: string) => ({ hashStatus: 'mismatch', hashError, scanStatus: 'not_scanned', verifiedSha256Hex: undefined });
  test.each<[string, (fileId: FileId) => Promise<void>, object]>([
    ['other bytes', (id) => redeclare(id, { sha256Hex: sha256Hex(Buffer.from('other')) }), mismatch('sha256_mismatch')],
    ['fewer bytes', (id) => redeclare(id, { sizeBytes: 3000 }), mismatch('size_mismatch')],
    ['more bytes', (id) => redeclare(id, { sizeBytes: 3 }), mismatch('size_mismatch')],
    ['another type', (id) => redeclare(id, { contentType: 'text/html' }), mismatch('content_type_mismatch')],
    ['the version that was finalized, whatever was put over it', (id) => remove(id, false), { hashStatus: 'verified' }],
    ['no version any more', (id) => remove(id, true), { hashStatus: 'error', hashError: 'object_missing' }],
  ])('finds %s', async (_, change, found) => {
    const fileId = await harness.handIn(bytes);
    await change(fileId);
    await harness.drain();
    expect({ verifiedSha256Hex: undefined, ...(await harness.file(fileId)) }).toMatchObject(found);
  });

  test('tries an hour long to reach the store, then reports an error', async () => {
    isStoreDown = true;
    const unlucky = await harness.handIn(bytes);
    await harness.drain();
    for (const seconds of rests) await rest(seconds);
    expect(await harness.file(unlucky)).toMatchObject({ hashStatus: 'unverified' });
    await rest(916);
    expect(await harness.file(unlucky)).toMatchObject({ hashStatus: 'error', hashError: 'object_unreadable' });
    isStoreDown = false;
    const late = await harness.handIn(bytes);
    await harness.drain();
    expect(await harness.file(late)).toMatchObject({ hashStatus: 'verified', scanStatus: 'clean' });
    expect(harness.logged.join()).not.toContain('X-Amz');
  });

  test('leaves to the built-in engine the EICAR file, which is found across chunks too', async () => {
    const fileId = await harness.handIn(Buffer.concat([Buffer.alloc(65_500), eicar, Buffer.alloc(70_000)]));
    await harness.drain();
    expect(await harness.file(fileId)).toMatchObject({ scanStatus: 'infected', scanEngine: 'eicar-only', scanTrustedClean: false });
  });
});

describe('the file scanner', () => {
  const ok: EngineReport = { verdict: 'clean', summary: 'OK', signatureVersion: 'ClamAV 1.4/1' };
  const engine = {
    name: 'clamav',
    reply: (): EngineReport => ok,
    async scan(_size: number, open: () => Promise<AsyncIterable<Uint8Array>>) {
      for await (const _ of await open());
      return engine.reply();
    },
  };
  beforeAll(async () => {
    await harness.stop();
    harness = await startFileHarness({ engine });
  });

  test.each([
    ['trusts a clean verdict of an engine that is on the list', 'clamav', { scanTrustedClean: true, scanTrustSource: 'scanner' }],
    ['records that of any other engine without trust', 'other', { scanTrustedClean: false, scanTrustSource: 'none' }],
  ])('%s', async (_, name, trust) => {
    Object.assign(engine, { name, reply: () => ok });
    const fileId = await verified();
    await harness.drain();
    const said = { scanEngine: name, scanSignatureVersion: 'ClamAV 1.4/1', scanResultSummary: 'OK' };
    expect(await harness.file(fileId)).toMatchObject({ scanStatus: 'clean', ...said, ...trust });
  });

  const failed = { scanStatus: 'error', scanError: 'engine_failed', scanTrustedClean: false };

  test('tries a failing engine again, and in the end its failure is the result', async () => {
    let calls = 0;
    engine.reply = () => {
      calls += 1;
      throw new AppError('dependency_unavailable');
    };
    const fileId = await verified();
    await harness.drain();
    for (const seconds of rests) await rest(seconds);
    expect(await harness.file(fileId)).toMatchObject({ scanStatus: 'not_scanned' });
    await rest(916);
    expect([calls, await harness.file(fileId)]).toMatchObject([8, failed]);
  });

  test('records as much of a scan that ends its process each time', async () => {
    engine.reply = () => {
      throw new Error('Scanned once more.');
    };
    const fileId = await verified();
    const scan = jobId({ kind: 'scan-file', productId: harness.product.id, fileId });
    for (let times = 0; times < 8; times += 1) {
      expect(await leaseJob(harness, scan, 1)).toBeDefined();
      harness.pass(1);
    }
    await harness.deliver(toSqsEvent([scan]));
    expect(await harness.file(fileId)).toMatchObject(failed);
    harness.queue.take();
  });

  test('calls no file clean of which it read a part', async () => {
    engine.reply = () => ok;
    const fileId = await verified();
    await redeclare(fileId, { sizeBytes: bytes.length + 1 });
    await harness.drain();
    expect(await harness.file(fileId)).toMatchObject({ hashStatus: 'verified', scanStatus: 'not_scanned' });
  });

  test('scans anew what was found infected, and trusts its clean verdict then, whatever its clock says', async () => {
    engine.name = 'clamav';
    engine.reply = () => ({ verdict: 'infected', summary: 'Win.False.Positive' });
    const fileId = await verified();
    await harness.drain();
    engine.reply = () => ok;
    expect((await harness.rescan(fileId)).status).toBe(202);
    const { rescanAskedAt = '' } = await harness.file(fileId);
    const ahead = new Date(Date.parse(rescanAskedAt) + 3_600_000).toISOString();
    await redeclare(fileId, { rescanAskedAt: ahead });
    await harness.drain();
    const trusted = { scanStatus: 'clean', scanResultSummary: 'OK', scannedAt: ahead, scanTrustedClean: true, scanTrustSource: 'scanner' };
    expect(await harness.file(fileId)).toMatchObject(trusted);
    expect((await harness.review(fileId, { decision: 'approve' })).status).toBe(200);
  });

  describe('records a result whenever it comes', () => {
    const report = async (fileId: FileId, change: Partial<ScanResult> = {}) => {
      const { storageKey } = await harness.file(fileId);
      const { VersionId: versionId = '' } = await harness.client.send(new HeadObjectCommand({ Bucket: testBucket, Key: storageKey }));
      const result = { versionId, engine: 'guardduty', trusted: true, verdict: 'clean' as const, at: harness.now().toISOString() };
      await recordScan(harness.c, { productId: harness.product.id, fileId }, { ...result, ...change });
    };

    test('a clean one from before finalize counts once the hash is verified', async () => {
      const fileId = await harness.upload(bytes);
      await report(fileId);
      await harness.finalize(fileId, bytes);
      expect(await harness.file(fileId)).toMatchObject({ scanStatus: 'not_scanned', scanTrustedClean: false });
      await harness.deliver(harness.queue.take());
      expect(await harness.file(fileId)).toMatchObject({ scanStatus: 'clean', scanEngine: 'guardduty', scanTrustSource: 'scanner' });
      harness.queue.take();
    });

    test('an infected one takes an approved file down, and nothing that comes later makes it good again', async () => {
      const fileId = await harness.offerFile(bytes);
      await report(fileId, { verdict: 'infected', summary: 'EICAR' });
      const { items } = await listAudit(harness.table, { targetId: fileId, limit: 1 });
      expect(items).toMatchObject([
        { actor: 'file-scanner', action: 'product_file.scan', before: { status: 'approved' }, after: { status: 'disabled' } },
      ]);
      expect(harness.logged.filter((line) => line.includes('approved_file_infected'))).toHaveLength(1);
      await report(fileId);
      const down = { status: 'disabled', visibility: 'private', scanStatus: 'infected', scanTrustedClean: false, scanTrustSource: 'none' };
      expect(await harness.file(fileId)).toMatchObject(down);
    });
  });
});

describe('GuardDuty', () => {
  const planArn = 'arn:aws:guardduty:us-east-1:111122223333:malware-protection-plan/abc';
  const asked: string[] = [];
  beforeAll(async () => {
    await harness.stop();
    harness = await startFileHarness({
      environment: { MALWARE_PLAN_ARN: planArn },
      requestScan: async ({ versionId }) => void asked.push(versionId),
    });
  });
  const sample = readFileSync(new URL('../../fixtures/guardduty/threats_found.json', import.meta.url), 'utf8');
  const messageOf = (body: object) => ({ ...toSqsEvent(['']).Records[0]!, body: JSON.stringify(body) });

  /** Has the report on a file received; what the queue is told. */
  const receive = async (fileId: FileId, scanResultStatus: string, change: (event: ScanResultEvent) => void = () => {}) => {
    const { storageKey: objectKey = '', versionId } = await harness.file(fileId);
    const event: ScanResultEvent = JSON.parse(sample);
    const isFound = scanResultStatus === 'THREATS_FOUND';
    event.detail = {
      ...event.detail,
      s3ObjectDetails: { bucketName: testBucket, objectKey, versionId },
      scanStatus: isFound || scanResultStatus === 'NO_THREATS_FOUND' ? 'COMPLETED' : 'SKIPPED',
      scanResultDetails: { scanResultStatus, threats: isFound ? [{ name: 'EICAR-Test-File' }] : null },
    };
    change(event);
    return harness.scan({ Records: [messageOf(event)] });
  };

  test('is told anything but no threats of a completed scan as no clearance', async () => {
    const fileId = await verified();
    for (const status of ['UNSUPPORTED', 'ACCESS_DENIED', 'FAILED', 'SOMETHING_NEW']) {
      await redeclare(fileId, { scanStatus: 'not_scanned' });
      expect(await receive(fileId, status)).toEqual({ batchItemFailures: [] });
      expect(await harness.file(fileId)).toMatchObject({ scanStatus: 'error', scanError: status.toLowerCase(), scanTrustedClean: false });
    }
    await redeclare(fileId, { scanStatus: 'not_scanned' });
    await receive(fileId, 'NO_THREATS_FOUND', ({ detail }) => Object.assign(detail, { scanStatus: 'SKIPPED' }));
    expect(await harness.file(fileId)).toMatchObject({ scanStatus: 'error', scanTrustedClean: false });
    await receive(fileId, 'NO_THREATS_FOUND');
    const scanSignatureVersion = expect.stringMatching(/^schema 1\.0, event \S+$/);
    const clean = { scanStatus: 'clean', scanEngine: 'guardduty', scanTrustedClean: true, scanSignatureVersion };
    expect(await harness.file(fileId)).toMatchObject(clean);
    await receive(fileId, 'THREATS_FOUND');
    expect(await harness.file(fileId)).toMatchObject({ scanStatus: 'infected', scanResultSummary: 'EICAR-Test-File' });
    harness.queue.take();
  });

  const ofObject = (change: object) => (event: ScanResultEvent) => Object.assign(event.detail.s3ObjectDetails, change);
  test.each<[string, (event: ScanResultEvent) => void]>([
    ['another account', (event) => Object.assign(event, { account: '999999999999' })],
    ['another plan', (event) => Object.assign(event, { resources: [`${planArn}x`] })],
    ['another bucket', ofObject({ bucketName: 'other' })],
    ['another key', ofObject({ objectKey: 'malware-protection-resource-validation-object' })],
    ['another version', ofObject({ versionId: 'other' })],
    ['no version', ofObject({ versionId: null })],
  ])('is not heard on %s', async (_, change) => {
    const fileId = await verified();
    const before = await harness.file(fileId);
    expect(await receive(fileId, 'NO_THREATS_FOUND', change)).toEqual({ batchItemFailures: [] });
    expect(await harness.file(fileId)).toEqual(before);
    harness.queue.take();
  });

  test('sends nothing else: what is no report is given back to the queue', async () => {
    const record = messageOf({ source: 'aws.s3', 'detail-type': 'Object Created' });
    expect(await harness.scan({ Records: [record] })).toEqual({ batchItemFailures: [{ itemIdentifier: record.messageId }] });
  });

  test('is asked for another scan each half hour without a result, and in the end the result is an error', async () => {
    // What other files wait for is asked for too.
    await rest(3 * 3600);
    const fileId = await verified();
    const file = await harness.file(fileId);
    const timesAsked = () => asked.filter((versionId) => versionId === file.versionId).length;
    await harness.drain();
    const times = [timesAsked()];
    for (let halfHours = 0; halfHours < 3; halfHours += 1) {
      expect(await harness.file(fileId)).toMatchObject({ scanStatus: 'not_scanned' });
      await rest(30 * 60 + 16);
      times.push(timesAsked());
    }
    expect(times).toEqual([0, 1, 2, 3]);
    await rest(30 * 60 + 16);
    expect([timesAsked(), await harness.file(fileId)]).toMatchObject([3, { scanStatus: 'error', scanError: 'no_result' }]);
    expect(await leaseJob(harness, jobId({ kind: 'scan-file', ...fileIds(file) }), 1)).toBeUndefined();
    // A late result still counts.
    await receive(fileId, 'NO_THREATS_FOUND');
    expect(await harness.file(fileId)).toMatchObject({ scanStatus: 'clean', scanTrustedClean: true });
  });

  test('is asked at once for another scan that an admin wants, and by what it said before that one is not answered', async () => {
    const fileId = await verified();
    await harness.drain();
    await receive(fileId, 'THREATS_FOUND');
    expect((await harness.rescan(fileId)).status).toBe(202);
    await harness.drain();
    const { versionId, rescanAskedAt = '' } = await harness.file(fileId);
    expect(asked.filter((one) => one === versionId)).toHaveLength(1);
    const at = (seconds: number) => (event: ScanResultEvent) =>
      Object.assign(event, { time: new Date(Date.parse(rescanAskedAt) + seconds * 1000).toISOString() });
    await receive(fileId, 'NO_THREATS_FOUND', at(-1));
    expect(await harness.file(fileId)).toMatchObject({ scanStatus: 'not_scanned' });
    await receive(fileId, 'NO_THREATS_FOUND', at(1));
    expect(await harness.file(fileId)).toMatchObject({ scanStatus: 'clean', scanTrustedClean: true });
  });

  test('is asked for none once there is a verdict', async () => {
    const fileId = await verified();
    await receive(fileId, 'NO_THREATS_FOUND');
    await harness.drain();
    const waiting = await takeDueJobs(harness, { evenIfLeased: true });
    expect(waiting.filter(({ task }) => task.kind === 'scan-file' && task.fileId === fileId)).toEqual([]);
    expect(asked).not.toContain((await harness.file(fileId)).versionId);
  });
});
