import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { listAudit } from '../../../shared/audit/audit-repository.ts';
import { createInterleaver, inEveryOrder } from '../../support/interleave.ts';
import { type FileHarness, startFileHarness } from '../../support/scenes/file-harness.ts';

const bytes = Buffer.from('the bytes of an installer');
const eicar = Buffer.from('X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*');
const error = (status: number, code: string) => ({ status, json: { code } });

let harness: FileHarness;
afterEach(() => harness.stop());

const intend = (fileId: string, productId: string = harness.product.id) =>
  harness.admin('POST', `/v1/admin/products/${productId}/files/${fileId}/download-intent`);
const bytesAt = async (url: string) => Buffer.from(await (await fetch(url)).arrayBuffer());
const downloadsOf = async (fileId: string) => {
  const { items } = await listAudit(harness.table, { targetId: fileId, limit: 100 });
  return items.filter(({ action }) => action === 'product_file.download');
};

describe('a reviewer’s download', () => {
  beforeEach(async () => {
    harness = await startFileHarness();
  });

  test('gives a URL to the very bytes, as an attachment under their name, for five minutes, and is recorded', async () => {
    const fileId = await harness.handIn(bytes, { filename: 'アプリ "α" 1.0.zip' });
    const reply = await intend(fileId);
    expect(reply.status).toBe(200);
    expect(Object.keys(reply.json)).toEqual(['download_url', 'expires_at']);
    expect(reply.headers['cache-control']).toBe('no-store');
    const lives = Date.parse(reply.json.expires_at) - Date.now();
    expect([lives > 290_000, lives <= 300_000]).toEqual([true, true]);

    const download = await fetch(reply.json.download_url);
    expect(Buffer.from(await download.arrayBuffer())).toEqual(bytes);
    expect(download.headers.get('content-disposition')).toMatch(/^attachment; filename="___ ___ 1.0.zip"/);
    expect(download.headers.get('content-type')).toBe('application/zip');
    const { versionId } = await harness.file(fileId);
    expect(await downloadsOf(fileId)).toMatchObject([{ actor: 'admin', after: { versionId } }]);
    const url = new URL(reply.json.download_url);
    expect(JSON.stringify([await downloadsOf(fileId), harness.logged])).not.toContain(url.searchParams.get('X-Amz-Signature'));

    harness.pass(301);
    expect((await fetch(reply.json.download_url)).status).toBe(403);
  });

  test('is of a file in whatever state its review left it', async () => {
    const waiting = await harness.handIn(bytes);
    const approved = await harness.offerFile(bytes);
    const rejected = await harness.offerFile(bytes);
    await harness.review(rejected, { decision: 'reject', rejected_reason: 'No.' });
    const disabled = await harness.offerFile(bytes);
    await harness.review(disabled, { decision: 'disable' });
    const withdrawn = await harness.offerFile(bytes);
    await harness.withdraw(withdrawn);
    await harness.change({ seller: { internalReviewStatus: 'suspended' } });
    for (const fileId of [waiting, approved, rejected, disabled, withdrawn]) {
      const reply = await intend(fileId);
      expect([fileId, reply.status]).toEqual([fileId, 200]);
      expect(await bytesAt(reply.json.download_url)).toEqual(bytes);
    }
  });

  test('is refused of an upload that is not finalized, of malware, and of bytes that are deleted', async () => {
    const pending = await harness.upload(bytes);
    const infected = await harness.handIn(eicar);
    await harness.drain();
    expect((await harness.file(infected)).scanStatus).toBe('infected');
    const deleted = await harness.handIn(bytes);
    await harness.review(deleted, { decision: 'reject', rejected_reason: 'No.' });
    harness.pass(25 * 3600);
    await harness.sweep();
    expect((await harness.file(deleted)).bytesDeletedAt).toBeDefined();
    for (const fileId of [pending, infected, deleted]) {
      expect(await intend(fileId)).toMatchObject(error(409, 'file_state_conflict'));
      expect(await downloadsOf(fileId)).toEqual([]);
    }
  });
});

test('Where no store is configured a reviewer is told so', async () => {
  harness = await startFileHarness({ withoutStore: true });
  const { json } = await harness.intend(harness.declare(bytes));
  expect(await intend(json.product_file_id)).toMatchObject(error(409, 'storage_not_configured'));
});

test('In every order of a download and a scan that finds malware, none is given out afterwards', async () => {
  const interleaver = createInterleaver();
  harness = await startFileHarness({ faults: interleaver });
  const seen = new Set<number>();
  await inEveryOrder(async (picks) => {
    const fileId = await harness.handIn(eicar);
    const [reply] = await interleaver.run<any>(picks, [() => intend(fileId), () => harness.drain()]);
    const written = (task: number) => interleaver.made.findLastIndex((made) => made.task === task && made.name === 'TransactWriteItems');
    seen.add(reply.status);
    if (reply.status === 200) expect(written(0)).toBeLessThan(written(1));
    else expect(reply).toMatchObject(error(409, 'file_state_conflict'));
    await harness.withdraw(fileId);
  });
  expect(seen).toEqual(new Set([200, 409]));
});
