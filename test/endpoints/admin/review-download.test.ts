import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { listAudit } from '../../../shared/audit/audit-repository.ts';
import { createInterleaver, inEveryOrder } from '../../support/interleave.ts';
import { type FileHarness, startFileHarness } from '../../support/scenes/file-harness.ts';

const bytes = Buffer.from('the bytes of an installer');
const eicar = Buffer.from('X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*');
const error = (status: number, code: string) => ({ status, json: { code } });

const interleaver = createInterleaver();
let harness: FileHarness;
beforeAll(async () => {
  harness = await startFileHarness({ faults: interleaver });
});
afterAll(() => harness.stop());

const intend = (fileId: string, { admin, product } = harness) =>
  admin('POST', `/v1/admin/products/${product.id}/files/${fileId}/download-intent`);
const downloadsOf = async (fileId: string) => {
  const { items } = await listAudit(harness.table, { targetId: fileId, limit: 100 });
  return items.filter(({ action }) => action === 'product_file.download');
};

describe('a reviewer’s download', () => {
  test('gives a URL to the very bytes, as an attachment under their name, for five minutes, and is recorded', async () => {
    const fileId = await harness.handIn(bytes, { filename: 'アプリ "α" 1.0.zip' });
    const before = harness.now().getTime();
    const reply = await intend(fileId);
    expect(Object.keys(reply.json)).toEqual(['download_url', 'expires_at']);
    expect(reply.headers['cache-control']).toBe('no-store');
    const made = Date.parse(reply.json.expires_at) - 300_000;
    expect([before - 1000 < made, made <= harness.now().getTime()]).toEqual([true, true]);
    const download = await fetch(reply.json.download_url);
    expect(Buffer.from(await download.arrayBuffer())).toEqual(bytes);
    expect(download.headers.get('content-disposition')).toMatch(/^attachment; filename="___ ___ 1.0.zip"/);
    expect(download.headers.get('content-type')).toBe('application/zip');
    const { versionId } = await harness.file(fileId);
    expect(await downloadsOf(fileId)).toMatchObject([{ actor: 'admin', after: { versionId } }]);
    const signature = new URL(reply.json.download_url).searchParams.get('X-Amz-Signature');
    expect(JSON.stringify([await downloadsOf(fileId), harness.logged])).not.toContain(signature);
    harness.pass(301);
    expect((await fetch(reply.json.download_url)).status).toBe(403);
  });

  test('is of a file in whatever state its review left it', async () => {
    const [approved, rejected, withdrawn] = [await harness.offerFile(bytes), await harness.handIn(bytes), await harness.offerFile(bytes)];
    await harness.review(rejected, { decision: 'reject', rejected_reason: 'No.' });
    await harness.withdraw(withdrawn);
    await harness.change({ seller: { internalReviewStatus: 'suspended' } });
    for (const fileId of [approved, rejected, withdrawn]) {
      const { json } = await intend(fileId);
      expect(await (await fetch(json.download_url)).text()).toBe(bytes.toString());
    }
    await harness.change({ seller: { internalReviewStatus: 'approved' } });
  });

  test('is refused of an upload that is not finalized, of malware, and of bytes that are deleted', async () => {
    const infected = await harness.handIn(eicar);
    const deleted = await harness.handIn(bytes);
    await harness.drain();
    await harness.review(deleted, { decision: 'reject', rejected_reason: 'No.' });
    harness.pass(25 * 3600);
    await harness.sweep();
    expect((await harness.file(deleted)).bytesDeletedAt).toBeDefined();
    for (const fileId of [await harness.upload(bytes), infected, deleted]) {
      expect(await intend(fileId)).toMatchObject(error(409, 'file_state_conflict'));
      expect(await downloadsOf(fileId)).toEqual([]);
    }
  });

  test('is refused where no store is configured', async () => {
    const bare = await startFileHarness({ withoutStore: true });
    const { json } = await bare.intend(bare.declare(bytes));
    expect(await intend(json.product_file_id, bare)).toMatchObject(error(409, 'storage_not_configured'));
    await bare.stop();
  });

  test('in every order with a scan that finds malware gives none of it out afterwards', async () => {
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
});
