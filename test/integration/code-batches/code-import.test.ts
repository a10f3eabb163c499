import { createHash } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { routes } from '../../../functions/code-batches/routes.ts';
import { readAhead } from '../../../functions/code-importer/read-ahead.ts';
import { recordAudit } from '../../../shared/audit/audit-repository.ts';
import { getBatch, listBatches } from '../../../shared/code-batches/code-batch-repository.ts';
import { CodeTakenError, drawCode, stockCode } from '../../../shared/code-batches/code-stock-repository.ts';
import { deletePiece } from '../../../shared/code-batches/code-upload-repository.ts';
import { TransactionCancelled } from '../../../shared/db/dynamo/dynamo.ts';
import { codeStockKey, codeUploadKey, jobKey } from '../../../shared/db/keys.ts';
import type { Table, Write } from '../../../shared/db/table.ts';
import { type BatchId, newId, type ProductId } from '../../../shared/ids.ts';
import { takeDueJobs } from '../../../shared/jobs/due-job-repository.ts';
import { DeadJobError } from '../../../shared/jobs/job.ts';
import { leaseJob } from '../../../shared/jobs/job-lease-repository.ts';
import { jobId } from '../../../shared/jobs/new-job.ts';
import { hasStock } from '../../../shared/products/code-stock.ts';
import { createCrashPlan, dyingAnywhere, type Faults } from '../../support/engines/faults.ts';
import { createTestTable } from '../../support/engines/test-table.ts';
import { createCaller } from '../../support/http/http-event.ts';
import { createInterleaver, meetingsOf } from '../../support/interleave.ts';
import { setUpCodeBatches } from '../../support/samples/code-batches.ts';
import { expectSerializable } from '../../support/serializable.ts';

type World = Awaited<ReturnType<typeof setUpCodeBatches>>;
interface Batch {
  productId: ProductId;
  id: BatchId;
}

const interleaver = createInterleaver();
let world: World;
beforeAll(async () => {
  world = await setUpCodeBatches((await createTestTable({ faults: interleaver })).table);
});

/** The codes of each are its own, since a seller has none twice. */
let lists = 0;
function newCodes(count: number): string[] {
  lists += 1;
  return Array.from({ length: count }, (_, index) => `Key-${lists}-${String(index).padStart(6, '0')}`);
}
const stateOf = ({ productId, id }: Batch) => getBatch(world.table, productId, id);
/** Runs the import once more, if its job is there, whoever held it. */
async function goOn({ c, leaseImport, importCodes }: World, batch: Batch): Promise<void> {
  const left = await takeDueJobs(c, { evenIfLeased: true });
  if (left.some((due) => due.id.endsWith(batch.id))) await importCodes(await leaseImport(batch));
}

describe('the import of codes', () => {
  test('keeps the codes of an upload that was accepted before its answer was lost', async () => {
    let answersLost = 0;
    const faults: Faults = {
      async call(name, make) {
        const made = await make();
        if (name !== 'TransactWriteItems' || answersLost === 0) return made;
        answersLost -= 1;
        throw new TransactionCancelled([{ code: 'TransactionConflict', old: undefined }]);
      },
    };
    const forgetful = await setUpCodeBatches((await createTestTable({ faults })).table);
    const productId = await forgetful.addProduct();
    answersLost = 1;
    const batch = await forgetful.accept(productId, newCodes(2));
    expect(answersLost).toBe(0);
    await forgetful.runImport(batch);
    expect(await getBatch(forgetful.table, productId, batch.id)).toMatchObject({ status: 'completed', importedCount: 2 });
  });

  test('every acceptable code can be sold once, in its original spelling, and the counts add up', async () => {
    const productId = await world.addProduct();
    const lines = ['abcd-EFGH-0001', 'short', '=cmd|calc-1', ' ABCD efgh 0002 ', 'Schlüssel-0003', 'abcd-efgh-0003'];
    const batch = await world.accept(productId, lines);
    expect(batch).toMatchObject({ status: 'accepted', totalRows: 6, rejectedCount: 3, importedCount: 0, duplicateCount: 0 });
    await world.runImport(batch);
    expect(await stateOf(batch)).toMatchObject({ status: 'completed', importedCount: 3, duplicateCount: 0, rejectedCount: 3 });
    expect((await stateOf(batch)).errors.map(({ row }) => row)).toEqual([2, 3, 5]);
    expect(await world.sellAll(productId)).toEqual(['ABCD efgh 0002', 'abcd-EFGH-0001', 'abcd-efgh-0003']);
  });

  test('a code in another spelling is a duplicate, in the file, in the product and in any product of the seller, sold or not', async () => {
    const [first, second] = [await world.addProduct(), await world.addProduct()];
    await world.runImport(await world.accept(first, ['ABCD-EFGH', 'abcd efgh', 'WXYZ-0001']));
    await world.sellAll(first);
    const again = await world.accept(second, ['AbCdEfGh', 'wxyzOOOI', 'WXYZ-0002']);
    await world.runImport(again);
    expect(await stateOf(again)).toMatchObject({ importedCount: 1, duplicateCount: 2 });
    expect(await world.sellAll(second)).toEqual(['WXYZ-0002']);
    const his = await world.addProduct('bob');
    await world.runImport(await world.accept(his, ['ABCD-EFGH'], 'k', 'bob'));
    expect(await world.sellAll(his)).toEqual(['ABCD-EFGH']);
  });

  // As many as a transaction may hold, some more, and more than one holds.
  test.each([48, 49, 60])('a repeated job does nothing more: of %d codes', async (count) => {
    const batch = await world.accept(await world.addProduct(), newCodes(count));
    const job = await world.leaseImport(batch);
    await world.importCodes(job);
    await expect(world.importCodes(job)).rejects.toThrow();
    expect(await stateOf(batch)).toMatchObject({ status: 'completed', importedCount: count, duplicateCount: 0 });
  });

  test('the upload is gone when the import is done, and waiting orders are served, unless it adds nothing', async () => {
    const productId = await world.addProduct();
    const serveJob = () => leaseJob(world.c, jobId({ kind: 'serve-waiting-orders', productId }), 30);
    const nothing = await world.accept(productId, ['short']);
    await world.runImport(nothing);
    expect(await stateOf(nothing)).toMatchObject({ status: 'completed', importedCount: 0, rejectedCount: 1 });
    expect(await serveJob()).toBeUndefined();
    const batch = await world.accept(productId, newCodes(1001));
    const pieces = () => Promise.all([0, 1].map(async (piece) => (await world.table.get(codeUploadKey(batch.id, piece))) !== undefined));
    expect(await pieces()).toEqual([true, true]);
    await world.runImport(batch);
    expect(await pieces()).toEqual([false, false]);
    expect(world.sent.slice(-2)).toEqual([`import-codes:${productId}/${batch.id}`, `serve-waiting-orders:${productId}`]);
    expect(await serveJob()).toBeDefined();
  });

  test('after a crash at any write waiting orders get what is in stock, the next run goes on, and the counts are exact', async () => {
    const plan = createCrashPlan();
    // Two pieces, of which the second is read ahead.
    const mortal = await setUpCodeBatches((await createTestTable({ faults: plan })).table, {}, 52);
    await dyingAnywhere(plan, {
      async prepare() {
        const codes = newCodes(62);
        const batch = await mortal.accept(await mortal.addProduct(), [...codes, ...codes.slice(0, 10)]);
        return { codes, batch };
      },
      live: ({ batch }) => mortal.runImport(batch),
      async goOn({ codes, batch }) {
        const { productId } = batch;
        const served = await mortal.table.get(jobKey(jobId({ kind: 'serve-waiting-orders', productId })));
        expect(served !== undefined).toBe(await hasStock(mortal.table, productId));
        await goOn(mortal, batch);
        const state = await getBatch(mortal.table, batch.productId, batch.id);
        expect(state).toMatchObject({ status: 'completed', importedCount: 62, duplicateCount: 10 });
        expect(await mortal.sellAll(batch.productId)).toEqual(codes);
      },
    });
  });

  test('two workers on one batch, and two batches with the same codes, import each code once', async () => {
    const [first, second] = [await world.addProduct(), await world.addProduct()];
    const codes = newCodes(120);
    const [one, two] = [await world.accept(first, codes), await world.accept(second, codes)];
    const job = await world.leaseImport(one);
    await Promise.allSettled([world.importCodes(job), world.importCodes(job), world.runImport(two)]);
    for (const batch of [one, two]) await goOn(world, batch);
    const [a, b] = [await stateOf(one), await stateOf(two)];
    expect([a.status, b.status]).toEqual(['completed', 'completed']);
    expect([a.importedCount + b.importedCount, a.duplicateCount + b.duplicateCount]).toEqual([120, 120]);
    expect([...(await world.sellAll(first)), ...(await world.sellAll(second))].sort()).toEqual(codes);
  });

  test('a seller who is suspended while the upload is stored imports nothing', async () => {
    const { table: plain } = await createTestTable();
    const storing: Table = {
      ...plain,
      async write(write) {
        if ('put' in write && write.put.Item?.['sealedCodes']) await slow.suspendSeller('alice');
        return plain.write(write);
      },
    };
    const slow = await setUpCodeBatches(storing);
    const productId = await slow.addProduct();
    await expect(slow.accept(productId, newCodes(3))).rejects.toMatchObject({ code: 'seller_not_eligible' });
    expect((await listBatches(slow.table, productId, { limit: 10 })).items).toEqual([]);
  });

  test('an upload that is gone makes the batch failed and the job dead, not silent', async () => {
    const batch = await world.accept(await world.addProduct(), newCodes(3));
    await world.table.write(deletePiece(batch.id, 0));
    await expect(world.runImport(batch)).rejects.toThrow(DeadJobError);
    expect(await stateOf(batch)).toMatchObject({ status: 'failed' });
  });

  test('nothing in the table holds a code in clear text', async () => {
    const batch = await world.accept(await world.addProduct(), ['SECRET-CODE-1', 'SECRET']);
    const uploaded = await world.table.get(codeUploadKey(batch.id, 0));
    expect(JSON.stringify([uploaded, await stateOf(batch)])).not.toMatch(/secret-?code|"SECRET/i);
  });
});

describe('the stock of imported codes', () => {
  let productId: ProductId;
  beforeEach(() => {
    productId = newId('product');
  });
  const hashOf = (code: string) => createHash('sha256').update(code).digest('base64url');
  const add = (code: string) => world.table.write(stockCode(world.c, { productId, codeHash: hashOf(code), code, batchId: newId('batch') }));

  test('shows a code in its original spelling to whoever draws it, and is without it once its writes are made, which are made once', async () => {
    expect([await hasStock(world.table, productId), await drawCode(world.c, productId)]).toEqual([false, undefined]);
    await add('abcd-EFGH ijkl');
    const [first, second] = [await drawCode(world.c, productId), await drawCode(world.c, productId)];
    expect([first?.code, await hasStock(world.table, productId)]).toEqual(['abcd-EFGH ijkl', true]);
    const item = await world.table.get(codeStockKey(productId, hashOf('abcd-EFGH ijkl')));
    expect(JSON.stringify(item)).not.toMatch(/efgh.?ijkl/i);
    await world.table.transact(first!.writes);
    expect(await hasStock(world.table, productId)).toBe(false);
    await expect(world.table.transact(second!.writes)).rejects.toThrow(CodeTakenError);
  });

  test('gives its codes at random', async () => {
    await Promise.all(Array.from({ length: 40 }, (_, index) => add(`CODE-${index + 100}`)));
    const draws = await Promise.all(Array.from({ length: 30 }, () => drawCode(world.c, productId)));
    expect(new Set(draws.map((drawn) => drawn?.code)).size).toBeGreaterThan(8);
  });
});

async function draw(id: ProductId, ...further: Write[]) {
  const drawn = await drawCode(world.c, id);
  await world.table.transact([...(drawn?.writes ?? []), ...further]);
}
const setAside = (id: ProductId, targetId: BatchId) =>
  draw(id, recordAudit(world.c, { actor: 'event-projector', action: 'code_batch.set_aside_code', targetId }));
async function importAnother(id: ProductId) {
  await world.runImport({ productId: id, id: (await world.accept(id, [`THIRD-${id.slice(-10)}`])).id });
}

test.each<[string, (id: ProductId, batchId: BatchId) => Promise<void>]>([
  ['a code that is set aside', setAside],
  ['an import', importAnother],
  ['a sale', (id) => draw(id)],
])('in every order of a count and %s, what is counted is what was there before or after', async (_, change) => {
  const call = createCaller(world.handler, routes);
  await expectSerializable(meetingsOf(interleaver), async () => {
    const id = await world.addProduct();
    const batch = await world.accept(id, [`FIRST-${id.slice(-10)}`, `SECOND-${id.slice(-10)}`]);
    await world.runImport({ productId: id, id: batch.id });
    const count = async () => {
      const { json } = await call('GET', `/v1/products/${id}/code-stock`, { headers: { 'X-User-ID': 'alice' } });
      return [json.available, json.sold];
    };
    return { tasks: [count, () => change(id, batch.id)], end: count };
  });
});

describe('reading ahead', () => {
  test('gives every block in order, and reads one more than the caller has', async () => {
    const read: number[] = [];
    const seen: number[] = [];
    for await (const block of readAhead(3, 7, async (index) => read.push(index) && index)) {
      seen.push(block);
      await turn();
      expect(read).toEqual([3, 4, 5, 6].slice(0, seen.length + 1));
    }
    expect(seen).toEqual([3, 4, 5, 6]);
  });

  test('of no block reads none', async () => {
    const blocks = readAhead(0, 0, () => Promise.reject(new Error('It was read.')));
    expect(await blocks.next()).toEqual({ done: true, value: undefined });
  });

  test('throws a failed read when its block is asked for, and to nobody else', async () => {
    const blocks = readAhead(0, 3, async (index) => {
      if (index === 1) throw new Error('unreadable');
      return index;
    });
    expect((await blocks.next()).value).toBe(0);
    await turn();
    await expect(blocks.next()).rejects.toThrow('unreadable');
    const left = readAhead(1, 3, (index) => (index === 2 ? Promise.reject(new Error('unreadable')) : Promise.resolve(index)));
    for await (const _ of left) break;
    await turn();
  });
});
