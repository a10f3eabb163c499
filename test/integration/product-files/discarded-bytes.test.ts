import { ListObjectVersionsCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { recordScan } from '../../../functions/file-scanner/record-scan.ts';
import { listAudit } from '../../../shared/audit/audit-repository.ts';
import { fileSlotsKey, sellerStorageKey } from '../../../shared/db/keys.ts';
import type { FileId } from '../../../shared/ids.ts';
import { takeDueJobs } from '../../../shared/jobs/due-job-repository.ts';
import { finishJob, leaseJob } from '../../../shared/jobs/job-lease-repository.ts';
import { addJob } from '../../../shared/jobs/job-repository.ts';
import { jobId } from '../../../shared/jobs/new-job.ts';
import type { ScanResult } from '../../../shared/product-files/product-file.ts';
import { crashPoints, createCrashPlan } from '../../support/engines/faults.ts';
import { testBucket } from '../../support/engines/test-object-store.ts';
import { type FileHarness, startFileHarness } from '../../support/scenes/file-harness.ts';

const bytes = Buffer.from('the bytes of an installer');
const hour = 3600;
const rejection = { decision: 'reject', rejected_reason: 'no' };

let harness: FileHarness;
beforeEach(async () => {
  harness = await startFileHarness();
});
afterEach(() => harness.stop());

/** How many versions of the file's object the store still has, deletion markers among them. */
async function versionsOf(fileId: FileId, of = harness): Promise<number> {
  const { storageKey } = await of.file(fileId);
  const page = await of.client.send(new ListObjectVersionsCommand({ Bucket: testBucket, Prefix: storageKey }));
  return [...(page.Versions ?? []), ...(page.DeleteMarkers ?? [])].filter(({ Key }) => Key === storageKey).length;
}
const heldBytes = async (of = harness) => (await of.table.get(sellerStorageKey(of.seller.id)))?.['heldBytes'];
const later = async (seconds: number, of = harness) => {
  of.pass(seconds);
  await of.sweep();
};
const report = async (fileId: FileId, change: Partial<ScanResult>) => {
  const { versionId = '' } = await harness.file(fileId);
  const result = { versionId, engine: 'guardduty', trusted: true, verdict: 'clean' as const, at: harness.now().toISOString(), ...change };
  await recordScan(harness.c, { productId: harness.product.id, fileId }, result);
};

describe('the bytes of a file that is of no more use', () => {
  const ends: [string, (fileId: FileId) => Promise<unknown>, object][] = [
    ['withdrawn', (fileId) => harness.withdraw(fileId), { status: 'disabled' }],
    ['rejected', (fileId) => harness.review(fileId, rejection), { status: 'rejected' }],
    [
      'withdrawn and then rejected',
      async (fileId) => {
        await harness.withdraw(fileId);
        harness.pass(20 * hour);
        await harness.review(fileId, rejection);
        harness.pass(-20 * hour);
      },
      { status: 'rejected' },
    ],
    [
      'disabled and then rejected',
      async (fileId) => {
        await harness.review(fileId, { decision: 'disable' });
        await harness.review(fileId, rejection);
      },
      { status: 'rejected' },
    ],
  ];
  test.each(ends)('are deleted 24 hours after it was %s, in every version, and its record stays', async (_, end, state) => {
    const fileId = await harness.offerFile(bytes);
    const other = await harness.handIn(bytes);
    const { storageKey } = await harness.file(fileId);
    await harness.client.send(new PutObjectCommand({ Bucket: testBucket, Key: storageKey, Body: 'put over it' }));
    await end(fileId);
    await later(24 * hour - 60);
    expect(await versionsOf(fileId)).toBe(2);
    expect(await heldBytes()).toBe(2 * bytes.length);
    await later(120);
    expect(await versionsOf(fileId)).toBe(0);
    expect(await versionsOf(other)).toBe(1);
    expect(await heldBytes()).toBe(bytes.length);
    expect(await harness.file(fileId)).toMatchObject({ ...state, fileName: 'setup.zip', bytesDeletedAt: expect.any(String) });
    const { items } = await listAudit(harness.table, { targetId: fileId, limit: 100 });
    expect(items.filter(({ action }) => action === 'product_file.delete_bytes')).toMatchObject([{ actor: 'file-hasher' }]);
    const { json } = await harness.call('GET', `/v1/products/${harness.product.id}/files`);
    expect(json.items).toHaveLength(2);
  });

  test('are deleted 24 hours after its URL ended, when it was never finalized', async () => {
    const uploaded = await harness.upload(bytes);
    const never = (await harness.intend(harness.declare(bytes))).json.product_file_id;
    expect(await heldBytes()).toBe(2 * bytes.length);
    await later(24 * hour + 14 * 60);
    expect([await versionsOf(uploaded), await heldBytes()]).toEqual([1, 2 * bytes.length]);
    await later(2 * 60);
    expect([await versionsOf(uploaded), await heldBytes()]).toEqual([0, 0]);
    for (const fileId of [uploaded, never]) expect(await harness.file(fileId)).toMatchObject({ status: 'disabled' });
  });

  test.each([
    ['waits for review', async () => {}],
    ['is approved', (fileId: FileId) => harness.review(fileId, { decision: 'approve' })],
    ['is approved and private', (fileId: FileId) => harness.review(fileId, { decision: 'approve', visibility: 'private' })],
    ['was disabled by an admin, who may approve it again', (fileId: FileId) => harness.review(fileId, { decision: 'disable' })],
    [
      'was approved and then found infected',
      async (fileId: FileId) => {
        await harness.review(fileId, { decision: 'approve' });
        await report(fileId, { verdict: 'infected' });
      },
    ],
  ])('are kept while it %s', async (_, bring) => {
    const fileId = await harness.handIn(bytes);
    await harness.drain();
    await harness.review(fileId, { decision: 'manual_clean', manual_scan_clean_reason: 'Checked by hand.' });
    await bring(fileId);
    await later(60 * 24 * hour);
    // Whatever adds the job, it looks at the file again.
    await harness.table.write(addJob(harness, { kind: 'discard-upload', productId: harness.product.id, fileId }));
    await later(60);
    expect([await versionsOf(fileId), await heldBytes()]).toEqual([1, bytes.length]);
    expect((await harness.file(fileId)).bytesDeletedAt).toBeUndefined();
  });

  test('are never deleted while its upload URL could bring them back', async () => {
    const soon = await startFileHarness({ discardAfterHours: 0 });
    const fileId = await soon.upload(bytes);
    await soon.withdraw(fileId);
    await later(14 * 60, soon);
    expect(await versionsOf(fileId, soon)).toBe(1);
    await later(2 * 60, soon);
    expect([await versionsOf(fileId, soon), await heldBytes(soon)]).toEqual([0, 0]);
    await soon.stop();
  });

  test('are deleted DISCARD_AFTER_HOURS later', async () => {
    const patient = await startFileHarness({ discardAfterHours: 72 });
    const [withdrawn, rejected] = [await patient.handIn(bytes), await patient.handIn(bytes)];
    const abandoned = await patient.upload(bytes);
    await patient.withdraw(withdrawn);
    await patient.review(rejected, rejection);
    await later(72 * hour - 60, patient);
    for (const fileId of [withdrawn, rejected, abandoned]) expect(await versionsOf(fileId, patient)).toBe(1);
    await later(17 * 60, patient);
    for (const fileId of [withdrawn, rejected, abandoned]) expect(await versionsOf(fileId, patient)).toBe(0);
    await patient.stop();
  });

  test('are deleted and counted off once, however often the job runs and wherever it dies', async () => {
    const plan = createCrashPlan();
    const mortal = await startFileHarness({ faults: plan });
    const { id: productId } = mortal.product;
    const kept = await mortal.handIn(bytes);
    const discard = async () => {
      const fileId = await mortal.handIn(bytes);
      await mortal.withdraw(fileId);
      mortal.queue.sent.length = 0;
      return { fileId, task: { kind: 'discard-upload' as const, productId, fileId } };
    };
    const run = async (task: Awaited<ReturnType<typeof discard>>['task']) => {
      await mortal.queue.sendJob(task);
      await mortal.drain();
    };
    const probe = await discard();
    plan.crashAt(Number.POSITIVE_INFINITY, 'before');
    await run(probe.task);
    const { calls } = plan;
    for (const { call, when } of crashPoints(calls)) {
      plan.revive();
      const { fileId, task } = await discard();
      plan.crashAt(call, when);
      await run(task).catch(() => undefined);
      plan.revive();
      await takeDueJobs(mortal, { evenIfLeased: true });
      mortal.pass(48 * hour);
      await mortal.sweep();
      await mortal.table.write(addJob(mortal, task));
      await run(task);
      expect([await versionsOf(fileId, mortal), await heldBytes(mortal)]).toEqual([0, bytes.length]);
      const { items } = await listAudit(mortal.table, { targetId: fileId, limit: 100 });
      expect(items.filter(({ action }) => action === 'product_file.delete_bytes')).toHaveLength(1);
    }
    expect(await versionsOf(kept, mortal)).toBe(1);
    await mortal.stop();
  }, 60_000);

  test('of two runs at once are counted off once', async () => {
    const fileId = await harness.handIn(bytes);
    await harness.handIn(bytes);
    await harness.withdraw(fileId);
    harness.pass(25 * hour);
    for (const { task } of await takeDueJobs(harness)) await harness.queue.sendJob(task);
    const event = harness.queue.take();
    await Promise.all([harness.deliver(event), harness.deliver(event)]);
    expect(await heldBytes()).toBe(bytes.length);
  });
});

describe('the storage of a seller', () => {
  const gib = 1024 ** 3;
  const large = (size_bytes: number) => harness.declare(bytes, { size_bytes });
  const refused = { status: 400, json: { code: 'storage_quota_exceeded' } };

  test('takes 50 GiB of declared bytes by default', async () => {
    for (let at = 0; at < 10; at += 1) expect((await harness.intend(large(5 * gib))).status).toBe(201);
    expect(await harness.intend(large(1))).toMatchObject(refused);
    expect(await heldBytes()).toBe(50 * gib);
  });

  test('of fifty uploads begun at once takes as many as have room, and never more', async () => {
    await harness.stop();
    harness = await startFileHarness({ sellerStorageBytes: 100 });
    const replies = await Promise.all(Array.from({ length: 50 }, (_, at) => harness.intend(large(at % 2 === 0 ? 7 : 11))));
    const taken = replies.filter(({ status }) => status === 201).length;
    expect(taken).toBeGreaterThan(8);
    const others = replies.filter(({ status }) => status !== 201).map(({ json }) => json.code);
    expect(new Set(others)).toEqual(new Set(['storage_quota_exceeded']));
    const { json } = await harness.call('GET', `/v1/products/${harness.product.id}/files?limit=100`);
    const declared = json.items.reduce((sum: number, file: { size_bytes: number }) => sum + file.size_bytes, 0);
    expect(declared).toBeLessThanOrEqual(100);
    expect(await heldBytes()).toBe(declared);
  });

  test('has room again once bytes are deleted, and not before', async () => {
    await harness.stop();
    harness = await startFileHarness({ sellerStorageBytes: 3 * bytes.length });
    const files = [await harness.handIn(bytes), await harness.handIn(bytes), await harness.upload(bytes)] as const;
    expect(await harness.intend(large(1))).toMatchObject(refused);
    await harness.withdraw(files[0]);
    await harness.review(files[1], rejection);
    expect(await harness.intend(large(1))).toMatchObject(refused);
    await later(24 * hour + 60);
    expect(await harness.intend(large(2 * bytes.length + 1))).toMatchObject(refused);
    expect((await harness.intend(large(2 * bytes.length))).status).toBe(201);
  });

  test('is shared by all products of the seller, and by no one else', async () => {
    await harness.stop();
    harness = await startFileHarness({ sellerStorageBytes: 100 });
    const { id: second } = await harness.addProduct();
    const intend = (productId: string, size: number) =>
      harness.call('POST', `/v1/products/${productId}/files/upload-intent`, { body: large(size) });
    expect((await intend(harness.product.id, 60)).status).toBe(201);
    expect(await intend(second, 41)).toMatchObject(refused);
    expect((await intend(second, 40)).status).toBe(201);
    const stranger = await startFileHarness({ sellerStorageBytes: 100, table: harness.table });
    expect((await stranger.intend(large(100))).status).toBe(201);
    await stranger.stop();
  });

  test('is not taken by files that are described alone', async () => {
    const bare = await startFileHarness({ withoutStore: true, sellerStorageBytes: 1 });
    expect((await bare.intend(bare.declare(bytes))).status).toBe(201);
    await bare.stop();
  });

  test('counts files from before there was a counter, and deletes those that are of no more use', async () => {
    await harness.stop();
    harness = await startFileHarness({ sellerStorageBytes: 5 * bytes.length });
    const [live, withdrawn, rejected] = [await harness.handIn(bytes), await harness.handIn(bytes), await harness.handIn(bytes)];
    const { id: second } = await harness.addProduct();
    const elsewhere = await harness.call('POST', `/v1/products/${second}/files/upload-intent`, { body: harness.declare(bytes) });
    await harness.withdraw(withdrawn);
    await harness.review(rejected, rejection);
    // As an older version left it.
    for (const fileId of [withdrawn, rejected]) {
      const id = jobId({ kind: 'discard-upload', productId: harness.product.id, fileId });
      const job = await leaseJob(harness, id, 1);
      if (job) await harness.table.write(finishJob(job));
    }
    await harness.table.write({ delete: { Key: sellerStorageKey(harness.seller.id) } });
    await harness.table.write({ put: { Item: { ...fileSlotsKey(harness.product.id), uploads: 3 } } });
    await harness.table.write({ put: { Item: { ...fileSlotsKey(second), uploads: 1 } } });

    expect(elsewhere.status).toBe(201);
    expect(await harness.intend(large(bytes.length + 1))).toMatchObject(refused);
    expect(await heldBytes()).toBe(4 * bytes.length);
    expect((await harness.intend(large(bytes.length))).status).toBe(201);
    await later(60);
    expect(await heldBytes()).toBe(3 * bytes.length);
    expect([await versionsOf(withdrawn), await versionsOf(rejected), await versionsOf(live)]).toEqual([0, 0, 1]);
  });

  test('of an older seller is counted without hastening the deletion of what was withdrawn since', async () => {
    const fileId = await harness.handIn(bytes);
    await harness.table.write({ delete: { Key: sellerStorageKey(harness.seller.id) } });
    await harness.withdraw(fileId);
    expect((await harness.intend(harness.declare(bytes))).status).toBe(201);
    await later(23 * hour);
    expect([await versionsOf(fileId), await heldBytes()]).toEqual([1, 2 * bytes.length]);
    await later(hour + 60);
    expect([await versionsOf(fileId), await heldBytes()]).toEqual([0, bytes.length]);
  });

  test('of an older seller is counted once by uploads that begin at once', async () => {
    await harness.handIn(bytes);
    await harness.table.write({ delete: { Key: sellerStorageKey(harness.seller.id) } });
    const replies = await Promise.all(Array.from({ length: 8 }, () => harness.intend(harness.declare(bytes))));
    expect(replies.map(({ status }) => status)).toEqual(Array(8).fill(201));
    expect(await heldBytes()).toBe(9 * bytes.length);
  });
});
