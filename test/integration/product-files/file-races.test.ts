import { ListMultipartUploadsCommand, ListObjectVersionsCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { afterEach, describe, expect, test } from '@jest/globals';
import { listAudit } from '../../../shared/audit/audit-repository.ts';
import type { FileId } from '../../../shared/ids.ts';
import { takeDueJobs } from '../../../shared/jobs/due-job-repository.ts';
import { createPartStore } from '../../../shared/product-files/parts/part-store.ts';
import { replaceFile } from '../../../shared/product-files/product-file-repository.ts';
import { createCrashPlan, dyingAnywhere } from '../../support/engines/faults.ts';
import { testBucket, testCredentials } from '../../support/engines/test-object-store.ts';
import { createInterleaver, inEveryOrder } from '../../support/interleave.ts';
import { startRecorder } from '../../support/scenes/deployment.ts';
import { type FileHarness, sha256Hex, startFileHarness } from '../../support/scenes/file-harness.ts';

const bytes = Buffer.from('smaller than a part, so it is one');
const days = 24 * 3600;

let harness: FileHarness;
afterEach(() => harness.stop());

const openUploads = async () => (await harness.client.send(new ListMultipartUploadsCommand({ Bucket: testBucket }))).Uploads ?? [];
const versions = async () => (await harness.client.send(new ListObjectVersionsCommand({ Bucket: testBucket }))).Versions ?? [];
const storedInParts = async (): Promise<FileId> => {
  const fileId = await harness.declareInParts(bytes);
  await harness.storeParts(fileId, bytes);
  return fileId;
};

const eicar = Buffer.from(['X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR-STANDARD', '-ANTIVIRUS-TEST-FILE!$H+H*'].join(''));

/** Files up to where the workers begin, what these must leave, and how often each thing is recorded, however often they die. */
const read = { status: 'pending_review', hashStatus: 'verified' };
const both = { 'product_file.hash': 1, 'product_file.scan': 1 };
async function handInOtherBytes(): Promise<FileId> {
  const fileId = await harness.handIn(bytes);
  const file = await harness.file(fileId);
  await harness.table.transact(await replaceFile(harness.table, file, { ...file, sha256Hex: sha256Hex(eicar) }));
  return fileId;
}
test.each<[string, () => Promise<FileId>, object, Record<string, number>]>([
  ['a good file', () => harness.handIn(bytes), { ...read, scanStatus: 'clean' }, both],
  ['an infected file', () => harness.handIn(eicar), { ...read, scanStatus: 'infected', scanTrustedClean: false }, both],
  [
    'a file with other bytes than were declared',
    handInOtherBytes,
    { status: 'pending_review', hashStatus: 'mismatch', scanStatus: 'not_scanned' },
    { 'product_file.hash': 1 },
  ],
])(
  'both workers, killed before or after each of their outside calls, bring %s to the same end',
  async (_, prepare, expected, audited) => {
    const plan = createCrashPlan();
    harness = await startFileHarness({ faults: plan });
    // Late enough for every job to begin, those that wait a day among them.
    const sweeper = { table: harness.table, now: () => new Date(Date.now() + 48 * 3600_000) };

    const calls = await dyingAnywhere(plan, {
      prepare,
      live: () => harness.drain(),
      async goOn(fileId) {
        // The queue's memory is lost, and the sweeper takes up what waits.
        harness.queue.sent.length = 0;
        for (const job of await takeDueJobs(sweeper, { evenIfLeased: true })) harness.queue.sent.push(job.id);
        await harness.drain();
        expect(await harness.file(fileId)).toMatchObject(expected);
        const { items } = await listAudit(harness.table, { targetId: fileId, limit: 100 });
        const counts = Object.fromEntries([...Map.groupBy(items, ({ action }) => action)].map(([action, all]) => [action, all.length]));
        expect(counts).toMatchObject(audited);
        expect(await takeDueJobs(sweeper, { evenIfLeased: true })).toEqual([]);
        await harness.withdraw(fileId);
      },
    });
    expect(calls).toBeGreaterThan(1);
  },
  120_000,
);

test('a finalize that is killed before or after each of its calls is finished by the next, with one hash job', async () => {
  const plan = createCrashPlan();
  harness = await startFileHarness({ faults: plan });
  const calls = await dyingAnywhere(plan, {
    async prepare() {
      const fileId = await storedInParts();
      harness.queue.sent.length = 0;
      return fileId;
    },
    live: (fileId) => harness.finalize(fileId, bytes),
    async goOn(fileId) {
      expect((await harness.finalize(fileId, bytes)).status).toBe(200);
      // What was not sent is swept.
      harness.pass(60);
      await harness.sweep();
      await harness.drain();
      expect(await harness.file(fileId)).toMatchObject({ status: 'pending_review', hashStatus: 'verified' });
      const { items } = await listAudit(harness.table, { targetId: fileId, limit: 10 });
      expect(items.map(({ action }) => action).sort()).toEqual(['product_file.finalize', 'product_file.hash', 'product_file.scan']);
      await harness.withdraw(fileId);
    },
  });
  expect(calls).toBeGreaterThanOrEqual(3);
  expect(await openUploads()).toEqual([]);
  harness.pass(3 * days);
  await harness.sweep();
  expect(await versions()).toEqual([]);
});

test('an intent or a withdrawal that is killed leaves nothing stored for ever', async () => {
  const plan = createCrashPlan();
  harness = await startFileHarness({ faults: plan });
  await dyingAnywhere(plan, {
    prepare: async () => {},
    async live() {
      await harness.withdraw(await storedInParts());
      await harness.drain();
    },
    goOn: async () => void harness.queue.take(),
  });
  harness.pass(days + 60);
  await harness.sweep();
  // Of an upload whose record was not written nobody has the id, so nothing can be stored for it.
  for (const { Key = '', UploadId = '' } of await openUploads()) {
    expect(await harness.partStore.listParts({ key: Key, uploadId: UploadId })).toEqual([]);
  }
  harness.pass(2 * days);
  await harness.sweep();
  expect(await versions()).toEqual([]);
});

describe('in every order of their calls', () => {
  const others: [string, (fileId: FileId) => Promise<unknown>][] = [
    ['a withdrawal with its job', (fileId) => harness.withdraw(fileId).then(() => harness.drain())],
    ['another finalize', (fileId) => harness.finalize(fileId, bytes)],
  ];
  test.each(others)('finalize and %s leave a whole file or none', async (_, other) => {
    const interleaver = createInterleaver();
    harness = await startFileHarness({ faults: interleaver });
    const seen = new Set<string>();
    const orders = await inEveryOrder(async (picks) => {
      const fileId = await storedInParts();
      harness.queue.sent.length = 0;
      const [reply] = await interleaver.run(picks, [() => harness.finalize(fileId, bytes), () => other(fileId) as Promise<any>]);
      const file = await harness.file(fileId);
      seen.add(`${reply.status} ${file.status}`);
      if (file.status === 'pending_review') expect([reply.status, file.versionId]).toEqual([200, expect.any(String)]);
      else expect(reply.json.code === undefined || ['file_state_conflict', 'upload_not_found'].includes(reply.json.code)).toBe(true);
      await harness.drain();
      expect(await openUploads()).toEqual([]);
      await harness.withdraw(fileId);
    });
    expect(orders).toBeGreaterThan(5);
    expect(seen.size).toBeGreaterThan(other.toString().includes('withdraw') ? 1 : 0);
    harness.pass(3 * days);
    await harness.sweep();
    expect(await versions()).toEqual([]);
  });
});

test('an abort is repeated for a part that was on its way', async () => {
  harness = await startFileHarness();
  await storedInParts();
  const [{ Key: key = '', UploadId: uploadId = '' } = {}] = await openUploads();
  let aborts = 0;
  harness.client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        if (commandName !== 'AbortMultipartUploadCommand') return next(args);
        aborts += 1;
        // The part is stored after the first abort, as if that had not been.
        return aborts === 1 ? { output: {} as never, response: {} } : next(args);
      },
    { step: 'initialize' },
  );
  await harness.partStore.abortUpload({ key, uploadId });
  expect([aborts, await openUploads()]).toEqual([2, []]);
  await harness.partStore.abortUpload({ key, uploadId });
});

test('a completion leaves the object that stands under its key as it is', async () => {
  harness = await startFileHarness();
  await storedInParts();
  const [{ Key: key = '', UploadId: uploadId = '' } = {}] = await openUploads();
  await harness.client.send(new PutObjectCommand({ Bucket: testBucket, Key: key, Body: 'it was here before' }));
  const upload = { key, uploadId };
  expect(await harness.partStore.completeUpload(upload, (await harness.partStore.listParts(upload)) ?? [])).toBe(true);
  expect((await versions()).map(({ Size, IsLatest }) => [Size, IsLatest])).toEqual([[18, true]]);
});

test('a completion that fails after it was answered 200 is a failure, and one that another overtook is none', async () => {
  harness = await startFileHarness();
  const errorOf = (code: string) => `<?xml version="1.0" encoding="UTF-8"?>\n   <Error><Code>${code}</Code><Message>no</Message></Error>`;
  let reply = new Response(errorOf('InternalError'));
  const s3 = await startRecorder(async () => reply.clone());
  const client = new S3Client({
    endpoint: s3.endpoint,
    region: 'us-east-1',
    credentials: testCredentials,
    maxAttempts: 1,
    forcePathStyle: true,
  });
  const store = createPartStore({ bucketName: testBucket, client });
  const complete = () => store.completeUpload({ key: 'k', uploadId: 'u' }, [{ partNumber: 1, sizeBytes: 1, etag: '"e"', sha256Hex: 'aa' }]);
  await expect(complete()).rejects.toMatchObject({ code: 'dependency_unavailable' });
  for (const [status, code, answer] of [
    [409, 'ConditionalRequestConflict', true],
    [412, 'PreconditionFailed', true],
    [400, 'InvalidPart', true],
    [404, 'NoSuchUpload', false],
  ] as const) {
    reply = new Response(errorOf(code), { status });
    expect(await complete()).toBe(answer);
  }
  client.destroy();
  await s3.stop();
});
