import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { compose as composePurchases } from '../../../functions/purchases/compose.ts';
import { routes as purchaseRoutes } from '../../../functions/purchases/routes.ts';
import { mintCompletionToken } from '../../../shared/buyer-access/completion-token.ts';
import { fileKey, fileSlotsKey } from '../../../shared/db/keys.ts';
import { type FileId, newId } from '../../../shared/ids.ts';
import { getLiveFiles } from '../../../shared/product-files/live-file-repository.ts';
import { createTestTable, type TestTable } from '../../support/engines/test-table.ts';
import { createCaller } from '../../support/http/http-event.ts';
import { type FileHarness, startFileHarness } from '../../support/scenes/file-harness.ts';
import { createProjectionHarness, silentLogger } from '../../support/scenes/projection-harness.ts';

const bytes = Buffer.from('the bytes of an installer');

let engine: TestTable;
let harness: FileHarness;
let offered: FileId;
let buyer: Awaited<ReturnType<typeof createBuyer>>;

beforeEach(async () => {
  engine = await createTestTable();
  harness = await startFileHarness({ table: engine.table });
  offered = await harness.offerFile(bytes);
  buyer = await createBuyer();
});
afterEach(() => harness.stop());

/** Someone who bought the product. */
async function createBuyer() {
  const sales = await createProjectionHarness({ table: engine.table });
  const order = await sales.sell({ productId: harness.product.id, sellerId: harness.product.sellerId });
  const clients = { settings: sales.settings, logger: silentLogger, table: engine.table, store: harness.store, sender: sales.queue };
  const post = createCaller(composePurchases(clients), purchaseRoutes);
  const expiresAt = new Date(Date.now() + 3600_000);
  const body = { token: await mintCompletionToken({ orderId: order.id, use: 'mail', expiresAt }, new Date(), sales.settings.TOKEN_KEYS) };
  return {
    complete: () => post('POST', '/v1/purchases/complete', { body }),
    download: (fileId: FileId) => post('POST', `/v1/purchases/files/${fileId}/download-intent`, { body }),
    listed: async (): Promise<FileId[]> =>
      (await post('POST', '/v1/purchases/complete', { body })).json.files.map((file: { file_id: FileId }) => file.file_id),
  };
}

/** Gives the product copies of a withdrawn file, straight on the table. */
async function addDeadFiles(count: number): Promise<void> {
  const fileId = await harness.handIn(bytes);
  await harness.withdraw(fileId);
  const item = await engine.table.get(fileKey(harness.product.id, fileId));
  for (let added = 0; added < count; added += 100) {
    const copies = Array.from({ length: 100 }, () => newId('file'));
    await engine.table.transact(copies.map((id) => ({ put: { Item: { ...item, ...fileKey(harness.product.id, id), id } } })));
  }
}

test('300 dead files of a product cost the completion page, download-intent and upload-intent nothing more, and no query for files', async () => {
  // The page's queries are for the products to which the license can be upgraded, and for what its buyer bought before.
  const acts: [() => Promise<{ status: number }>, queries: number][] = [
    [() => buyer.complete(), 2],
    [() => buyer.download(offered), 0],
    [() => harness.intend(harness.declare(bytes)), 0],
  ];
  const costs = async () => {
    const all = [];
    for (const [act] of acts) {
      engine.takeRequestCounts();
      const { status } = await act();
      all.push({ status, requests: engine.takeRequestCounts() });
    }
    return all;
  };
  await costs();
  const before = await costs();
  await addDeadFiles(300);
  expect(await costs()).toEqual(before);
  expect(before.map(({ requests }) => requests['Query'] ?? 0)).toEqual(acts.map(([, queries]) => queries));
  expect(await buyer.listed()).toEqual([offered]);
});

describe('the files that a buyer is shown', () => {
  test('are the downloadable ones, oldest first, through every change', async () => {
    const second = await harness.offerFile(bytes);
    const waiting = await harness.handIn(bytes);
    await harness.upload(bytes);
    expect(await buyer.listed()).toEqual([offered, second]);

    await harness.review(offered, { decision: 'disable' });
    expect(await buyer.listed()).toEqual([second]);
    await harness.review(offered, { decision: 'approve' });
    expect(await buyer.listed()).toEqual([offered, second]);
    await harness.review(second, { decision: 'approve', visibility: 'private' });
    expect(await buyer.listed()).toEqual([offered]);
    await harness.review(second, { decision: 'approve', visibility: 'buyer_visible' });
    await harness.drain();
    await harness.review(waiting, { decision: 'manual_clean', manual_scan_clean_reason: 'Checked by hand.' });
    await harness.review(waiting, { decision: 'approve' });
    expect(await buyer.listed()).toEqual([offered, second, waiting]);
    await harness.withdraw(second);
    await harness.review(waiting, { decision: 'reject', rejected_reason: 'no' });
    expect(await buyer.listed()).toEqual([offered]);
  });

  test('are those of a product from before the index too, whatever comes first', async () => {
    const forgetIndex = () => engine.table.write({ put: { Item: { ...fileSlotsKey(harness.product.id), uploads: 2 } } });
    const second = await harness.offerFile(bytes);
    await forgetIndex();
    expect(await buyer.listed()).toEqual([offered, second]);
    await forgetIndex();
    await harness.withdraw(second);
    expect(await buyer.listed()).toEqual([offered]);
    await engine.table.write({ delete: { Key: fileSlotsKey(harness.product.id) } });
    const waiting = await harness.handIn(bytes);
    expect(await buyer.listed()).toEqual([offered]);
    await forgetIndex();
    await Promise.all([harness.review(offered, { decision: 'disable' }), harness.withdraw(waiting), buyer.listed(), buyer.listed()]);
    expect(await buyer.listed()).toEqual([]);
    expect(await getLiveFiles(harness.table, harness.product.id)).toMatchObject({ files: new Map() });
  });
});

describe('live files', () => {
  const status = async (reply: Promise<{ status: number; json: { code?: string } }>) => {
    const { status, json } = await reply;
    return status < 300 ? status : json.code;
  };

  test('are at most 20, also when uploads are finalized after others took their places', async () => {
    // The offered one is live as well.
    const early = await Promise.all(Array.from({ length: 19 }, () => harness.upload(bytes)));
    expect(await status(harness.intend(harness.declare(bytes)))).toBe('too_many_files');
    harness.pass(16 * 60);
    const later = await Promise.all(Array.from({ length: 18 }, () => harness.upload(bytes)));
    const finalized = await Promise.all(early.slice(0, 5).map((fileId) => status(harness.finalize(fileId, bytes))));
    expect(finalized.filter((outcome) => outcome === 200)).toHaveLength(1);
    expect(finalized.filter((outcome) => outcome === 'too_many_files')).toHaveLength(4);
    for (const fileId of later) expect(await status(harness.finalize(fileId, bytes))).toBe(200);
    await harness.withdraw(later[0] ?? offered);
    const late = await Promise.all(early.slice(5).map((fileId) => status(harness.finalize(fileId, bytes))));
    expect(late.filter((outcome) => outcome === 200)).toHaveLength(1);
  });

  test('are no more when many come at once, and are counted without those that ended, whose entries do not pile up', async () => {
    for (let round = 0; round < 3; round += 1) {
      const intents = await Promise.all(Array.from({ length: 25 }, () => status(harness.intend(harness.declare(bytes)))));
      expect(intents.sort()).toEqual([...Array(19).fill(201), ...Array(6).fill('too_many_files')]);
      harness.pass(16 * 60);
    }
    expect((await getLiveFiles(harness.table, harness.product.id)).files.size).toBeLessThanOrEqual(20);
  });
});
