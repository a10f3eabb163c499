import { ListObjectVersionsCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { afterEach, describe, expect, test } from '@jest/globals';
import { recordScan } from '../../../functions/file-scanner/record-scan.ts';
import { listAudit } from '../../../shared/audit/audit-repository.ts';
import { fileSlotsKey, jobKey, sellerStorageKey } from '../../../shared/db/keys.ts';
import type { FileId } from '../../../shared/ids.ts';
import { takeDueJobs } from '../../../shared/jobs/due-job-repository.ts';
import { addJob } from '../../../shared/jobs/job-repository.ts';
import { jobId } from '../../../shared/jobs/new-job.ts';
import type { ScanResult } from '../../../shared/product-files/product-file.ts';
import { createCrashPlan, dyingAnywhere } from '../../support/engines/faults.ts';
import { testBucket } from '../../support/engines/test-object-store.ts';
import { type FileHarness, startFileHarness } from '../../support/scenes/file-harness.ts';

const bytes = Buffer.from('the bytes of an installer');
const hour = 3600;
const rejection = { decision: 'reject', rejected_reason: 'no' };

let harness: FileHarness;
afterEach(() => harness.stop());
async function start(options: Parameters<typeof startFileHarness>[0] = {}): Promise<FileHarness> {
  harness = await startFileHarness(options);
  return harness;
}

/** How many versions of the file's object the store still has, deletion markers among them. */
async function versionsOf(fileId: FileId): Promise<number> {
  const { storageKey } = await harness.file(fileId);
  const page = await harness.client.send(new ListObjectVersionsCommand({ Bucket: testBucket, Prefix: storageKey }));
  return [...(page.Versions ?? []), ...(page.DeleteMarkers ?? [])].filter(({ Key }) => Key === storageKey).length;
}
const heldBytes = async () => (await harness.table.get(sellerStorageKey(harness.seller.id)))?.['heldBytes'];
const later = async (seconds: number) => {
  harness.pass(seconds);
  await harness.sweep();
};

type Act = (fileId: FileId) => Promise<unknown>;
const reject: Act = (fileId) => harness.review(fileId, rejection);
const disable: Act = (fileId) => harness.review(fileId, { decision: 'disable' });
const withdraw: Act = (fileId) => harness.withdraw(fileId);
const infect: Act = async (fileId) => {
  const { versionId = '' } = await harness.file(fileId);
  const result: ScanResult = { versionId, engine: 'guardduty', trusted: true, verdict: 'infected', at: harness.now().toISOString() };
  await recordScan(harness.c, { productId: harness.product.id, fileId }, result);
};

describe('the bytes of a file', () => {
  const ends: [Act[], object][] = [
    [[withdraw], { status: 'disabled' }],
    [[reject], { status: 'rejected' }],
    [[disable, reject], { status: 'rejected' }],
  ];
  test('that is of no more use are deleted 24 hours later, in every version, and its record stays', async () => {
    await start();
    const other = await harness.handIn(bytes);
    const ended: FileId[] = [];
    for (const [acts] of ends) {
      const fileId = await harness.offerFile(bytes);
      ended.push(fileId);
      await harness.client.send(
        new PutObjectCommand({ Bucket: testBucket, Key: (await harness.file(fileId)).storageKey, Body: 'put over it' }),
      );
      for (const act of acts) await act(fileId);
    }
    await later(24 * hour - 60);
    expect(await Promise.all(ended.map(versionsOf))).toEqual([2, 2, 2]);
    expect(await heldBytes()).toBe(4 * bytes.length);
    // A later rejection of what was withdrawn puts nothing off.
    await reject(ended[0]!);
    await later(120);
    expect(await Promise.all([...ended, other].map(versionsOf))).toEqual([0, 0, 0, 1]);
    expect(await heldBytes()).toBe(bytes.length);
    for (const [index, [, state]] of ends.slice(1).entries()) {
      const fileId = ended[index + 1]!;
      expect(await harness.file(fileId)).toMatchObject({ ...state, fileName: 'setup.zip', bytesDeletedAt: expect.any(String) });
      const { items } = await listAudit(harness.table, { targetId: fileId, limit: 100 });
      expect(items.filter(({ action }) => action === 'product_file.delete_bytes')).toMatchObject([{ actor: 'file-hasher' }]);
    }
    expect((await harness.call('GET', `/v1/products/${harness.product.id}/files`)).json.items).toHaveLength(4);
  });

  test('that was never finalized are deleted 24 hours after its URL ended', async () => {
    await start();
    const kept = await harness.handIn(bytes);
    const uploaded = await harness.upload(bytes);
    const never = (await harness.intend(harness.declare(bytes))).json.product_file_id;
    await later(24 * hour + 14 * 60);
    expect([await versionsOf(uploaded), await heldBytes()]).toEqual([1, 3 * bytes.length]);
    await later(2 * 60);
    expect([await versionsOf(uploaded), await versionsOf(kept), await heldBytes()]).toEqual([0, 1, bytes.length]);
    for (const fileId of [uploaded, never]) expect(await harness.file(fileId)).toMatchObject({ status: 'disabled' });
    expect(await harness.finalize(uploaded, bytes)).toMatchObject({ status: 409, json: { code: 'file_state_conflict' } });
  });

  test('that waits, is approved, may be approved again or is to be looked at as malware are kept, whatever adds the job', async () => {
    await start();
    const waiting = await harness.handIn(bytes);
    const offered: FileId[] = [];
    for (const acts of [[], [disable], [infect]]) {
      const fileId = await harness.offerFile(bytes);
      for (const act of acts) await act(fileId);
      offered.push(fileId);
    }
    await later(60 * 24 * hour);
    for (const fileId of [waiting, ...offered]) {
      await harness.table.write(addJob(harness, { kind: 'discard-upload', productId: harness.product.id, fileId }));
    }
    await later(60);
    expect(await Promise.all([waiting, ...offered].map(versionsOf))).toEqual([1, 1, 1, 1]);
    expect(await heldBytes()).toBe(4 * bytes.length);
  });

  test('are deleted DISCARD_AFTER_HOURS later, and never while its upload URL could bring them back', async () => {
    for (const [discardAfterHours, seconds] of [
      [0, 15 * 60],
      [72, 72 * hour + 15 * 60],
    ] as const) {
      await start({ environment: { DISCARD_AFTER_HOURS: String(discardAfterHours) } });
      const abandoned = await harness.upload(bytes);
      const [withdrawn, rejected] = [await harness.upload(bytes), await harness.handIn(bytes)];
      await withdraw(withdrawn);
      await reject(rejected);
      await later(seconds - 60 - (discardAfterHours > 0 ? 15 * 60 : 0));
      expect(await Promise.all([withdrawn, rejected, abandoned].map(versionsOf))).toEqual([1, 1, 1]);
      await later(17 * 60);
      expect(await Promise.all([withdrawn, rejected, abandoned].map(versionsOf))).toEqual([0, 0, 0]);
      if (discardAfterHours === 0) await harness.stop();
    }
  });

  test('are deleted and counted off once, however often the job runs and wherever it dies', async () => {
    const plan = createCrashPlan();
    const mortal = await start({ faults: plan });
    const { id: productId } = mortal.product;
    const kept = await mortal.handIn(bytes);
    const run = async (fileId: FileId) => {
      await mortal.queue.sendJob({ kind: 'discard-upload', productId, fileId });
      await mortal.drain();
    };
    await dyingAnywhere(plan, {
      async prepare() {
        const fileId = await mortal.handIn(bytes);
        await mortal.withdraw(fileId);
        mortal.queue.sent.length = 0;
        return fileId;
      },
      live: run,
      async goOn(fileId) {
        await takeDueJobs(mortal, { evenIfLeased: true });
        await later(48 * hour);
        await mortal.table.write(addJob(mortal, { kind: 'discard-upload', productId, fileId }));
        await run(fileId);
        expect([await versionsOf(fileId), await heldBytes()]).toEqual([0, bytes.length]);
        const { items } = await listAudit(mortal.table, { targetId: fileId, limit: 100 });
        expect(items.filter(({ action }) => action === 'product_file.delete_bytes')).toHaveLength(1);
      },
    });
    expect(await versionsOf(kept)).toBe(1);
  }, 60_000);

  test('of two runs at once are counted off once', async () => {
    await start();
    const fileId = await harness.handIn(bytes);
    await harness.handIn(bytes);
    await withdraw(fileId);
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

  test('takes 50 GiB of declared bytes by default, and none of files that are described alone', async () => {
    await start();
    for (let at = 0; at < 10; at += 1) expect((await harness.intend(large(5 * gib))).status).toBe(201);
    expect(await harness.intend(large(1))).toMatchObject(refused);
    const bare = await startFileHarness({ withoutStore: true, environment: { SELLER_STORAGE_BYTES: '1' } });
    expect((await bare.intend(bare.declare(bytes))).status).toBe(201);
    await bare.stop();
  });

  test('of fifty uploads begun at once takes as many as have room, and never more', async () => {
    await start({ environment: { SELLER_STORAGE_BYTES: '100' } });
    const replies = await Promise.all(Array.from({ length: 50 }, (_, at) => harness.intend(large(at % 2 === 0 ? 7 : 11))));
    expect(replies.filter(({ status }) => status === 201).length).toBeGreaterThan(8);
    const others = replies.filter(({ status }) => status !== 201).map(({ json }) => json.code);
    expect(new Set(others)).toEqual(new Set(['storage_quota_exceeded']));
    const { json } = await harness.call('GET', `/v1/products/${harness.product.id}/files?limit=100`);
    const declared = json.items.reduce((sum: number, file: { size_bytes: number }) => sum + file.size_bytes, 0);
    expect(declared).toBeLessThanOrEqual(100);
    expect(await heldBytes()).toBe(declared);
  });

  test('is shared by all its products and by no one else, and has room again once bytes are deleted, and not before', async () => {
    await start({ environment: { SELLER_STORAGE_BYTES: String(3 * bytes.length) } });
    const { id: second } = await harness.addProduct();
    const intendElsewhere = (size: number) => harness.call('POST', `/v1/products/${second}/files/upload-intent`, { body: large(size) });
    const files = [await harness.handIn(bytes), await harness.handIn(bytes)] as const;
    expect(await intendElsewhere(bytes.length + 1)).toMatchObject(refused);
    expect((await intendElsewhere(bytes.length)).status).toBe(201);
    const stranger = await startFileHarness({ environment: { SELLER_STORAGE_BYTES: String(3 * bytes.length) }, table: harness.table });
    expect((await stranger.intend(large(3 * bytes.length))).status).toBe(201);
    await stranger.stop();
    await withdraw(files[0]);
    await reject(files[1]);
    expect(await harness.intend(large(1))).toMatchObject(refused);
    await later(24 * hour + 60);
    expect(await harness.intend(large(2 * bytes.length + 1))).toMatchObject(refused);
    expect((await harness.intend(large(2 * bytes.length))).status).toBe(201);
  });

  test('counts files from before there was a counter, and deletes those that are of no more use', async () => {
    await start({ environment: { SELLER_STORAGE_BYTES: String(5 * bytes.length) } });
    const [live, withdrawn, rejected] = [await harness.handIn(bytes), await harness.handIn(bytes), await harness.handIn(bytes)];
    const { id: second } = await harness.addProduct();
    const elsewhere = await harness.call('POST', `/v1/products/${second}/files/upload-intent`, { body: harness.declare(bytes) });
    await harness.withdraw(withdrawn);
    await harness.review(rejected, rejection);
    // As an older version left it.
    for (const fileId of [withdrawn, rejected]) {
      const id = jobId({ kind: 'discard-upload', productId: harness.product.id, fileId });
      await harness.table.write({ delete: { Key: jobKey(id) } });
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
    await start();
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
    await start();
    await harness.handIn(bytes);
    await harness.table.write({ delete: { Key: sellerStorageKey(harness.seller.id) } });
    const replies = await Promise.all(Array.from({ length: 8 }, () => harness.intend(harness.declare(bytes))));
    expect(replies.map(({ status }) => status)).toEqual(Array(8).fill(201));
    expect(await heldBytes()).toBe(9 * bytes.length);
  });
});
