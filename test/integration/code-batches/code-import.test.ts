import { beforeEach, describe, expect, test } from '@jest/globals';
import { getBatch, listBatches } from '../../../shared/code-batches/code-batch-repository.ts';
import { deletePiece } from '../../../shared/code-batches/code-upload-repository.ts';
import { codeUploadKey } from '../../../shared/db/keys.ts';
import type { Table } from '../../../shared/db/table.ts';
import type { BatchId, ProductId } from '../../../shared/ids.ts';
import { takeDueJobs } from '../../../shared/jobs/due-job-repository.ts';
import { DeadJobError } from '../../../shared/jobs/job.ts';
import { leaseJob } from '../../../shared/jobs/job-lease-repository.ts';
import { jobId } from '../../../shared/jobs/new-job.ts';
import { createTestTable } from '../../support/engines/test-table.ts';
import { setUpCodeBatches } from '../../support/samples/code-batches.ts';

const codesFrom = (first: number, count: number) =>
  Array.from({ length: count }, (_, index) => `Key-${String(first + index).padStart(6, '0')}`);

describe('the import of codes', () => {
  let table: Table;
  let world: Awaited<ReturnType<typeof setUpCodeBatches>>;

  beforeEach(async () => {
    ({ table } = await createTestTable());
    world = await setUpCodeBatches(table);
  });

  const stateOf = ({ productId, id }: { productId: ProductId; id: BatchId }) => getBatch(world.table, productId, id);

  test('every acceptable code can be sold once, in its original spelling, and the counts add up', async () => {
    const productId = await world.addProduct();
    const batch = await world.accept(productId, [
      'abcd-EFGH-0001',
      'short',
      '=cmd|calc-1',
      ' ABCD efgh 0002 ',
      'Schlüssel-0003',
      'abcd-efgh-0003',
    ]);
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
  });

  test('two sellers may have the same code', async () => {
    const [hers, his] = [await world.addProduct('alice'), await world.addProduct('bob')];
    await world.runImport(await world.accept(hers, ['ABCD-EFGH']));
    await world.runImport(await world.accept(his, ['ABCD-EFGH'], 'k', 'bob'));
    expect(await world.sellAll(his)).toEqual(['ABCD-EFGH']);
  });

  test('a repeated job does nothing more', async () => {
    const productId = await world.addProduct();
    const batch = await world.accept(productId, codesFrom(0, 60));
    const job = await world.leaseImport(batch);
    await world.importCodes(job);
    await expect(world.importCodes(job)).rejects.toThrow();
    expect(await stateOf(batch)).toMatchObject({ status: 'completed', importedCount: 60, duplicateCount: 0 });
  });

  test('the upload is gone when the import is done, and waiting orders are served', async () => {
    const productId = await world.addProduct();
    const batch = await world.accept(productId, codesFrom(0, 1001));
    expect(await table.get(codeUploadKey(batch.id, 1))).toBeDefined();
    await world.runImport(batch);
    expect(await table.get(codeUploadKey(batch.id, 0))).toBeUndefined();
    expect(await table.get(codeUploadKey(batch.id, 1))).toBeUndefined();
    expect(world.sent).toEqual([`import-codes:${productId}/${batch.id}`, `serve-waiting-orders:${productId}`]);
    expect(await leaseJob(world.c, jobId({ kind: 'serve-waiting-orders', productId }), 30)).toBeDefined();
  });

  test('an import that adds nothing wakes nobody', async () => {
    const productId = await world.addProduct();
    const batch = await world.accept(productId, ['short']);
    await world.runImport(batch);
    expect(await stateOf(batch)).toMatchObject({ status: 'completed', importedCount: 0, rejectedCount: 1 });
    expect(await leaseJob(world.c, jobId({ kind: 'serve-waiting-orders', productId }), 30)).toBeUndefined();
  });

  test('after a crash at any write the next run goes on, and the counts are exact', async () => {
    const codes = [...codesFrom(0, 62), ...codesFrom(0, 10)];
    for (let crashAt = 1; ; crashAt += 1) {
      const fresh = (await createTestTable()).table;
      const { failing, crashed } = crashingAt(fresh, crashAt);
      // Two pieces, of which the second is read ahead.
      const whole = await setUpCodeBatches(failing, {}, 52);
      const productId = await whole.addProduct();
      const batch = await whole.accept(productId, codes);
      crashed.armed = true;
      await whole.runImport(batch).catch(() => undefined);
      const done = !crashed.fired;
      crashed.armed = false;
      if (!done) await whole.importCodes(await takeOver(whole, batch));
      expect(await getBatch(whole.table, productId, batch.id)).toMatchObject({
        status: 'completed',
        importedCount: 62,
        duplicateCount: 10,
      });
      expect(await whole.sellAll(productId)).toEqual(codesFrom(0, 62));
      if (done) break;
    }
  });

  test('two workers on one batch, and two batches with the same codes, import each code once', async () => {
    const [first, second] = [await world.addProduct(), await world.addProduct()];
    const codes = codesFrom(0, 120);
    const [one, two] = [await world.accept(first, codes), await world.accept(second, codes)];
    const job = await world.leaseImport(one);
    await Promise.allSettled([world.importCodes(job), world.importCodes(job), world.runImport(two)]);
    for (const batch of [one, two]) {
      const left = await takeDueJobs(world.c, { evenIfLeased: true });
      if (left.some((due) => due.id.endsWith(batch.id))) await world.runImport(batch);
    }
    const [a, b] = [await stateOf(one), await stateOf(two)];
    expect([a.status, b.status]).toEqual(['completed', 'completed']);
    expect(a.importedCount + b.importedCount).toBe(120);
    expect(a.duplicateCount + b.duplicateCount).toBe(120);
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
    await expect(slow.accept(productId, codesFrom(0, 3))).rejects.toMatchObject({ code: 'seller_not_eligible' });
    expect((await listBatches(slow.table, productId, { limit: 10 })).items).toEqual([]);
  });

  test('an upload that is gone makes the batch failed and the job dead, not silent', async () => {
    const productId = await world.addProduct();
    const batch = await world.accept(productId, codesFrom(0, 3));
    await table.write(deletePiece(batch.id, 0));
    await expect(world.runImport(batch)).rejects.toThrow(DeadJobError);
    expect(await stateOf(batch)).toMatchObject({ status: 'failed' });
  });

  test('nothing in the table holds a code in clear text', async () => {
    const productId = await world.addProduct();
    const batch = await world.accept(productId, ['SECRET-CODE-1', 'SECRET']);
    const uploaded = await table.get(codeUploadKey(batch.id, 0));
    expect(JSON.stringify([uploaded, await stateOf(batch)])).not.toMatch(/secret-?code|"SECRET/i);
  });
});

/** A table whose nth write or transaction from `armed` on is lost together with the process. */
function crashingAt(table: Table, nth: number) {
  const crashed = { armed: false, fired: false, seen: 0 };
  const guard =
    <Arguments extends unknown[], Result>(call: (...given: Arguments) => Promise<Result>) =>
    async (...given: Arguments): Promise<Result> => {
      if (crashed.armed) {
        if (crashed.fired) throw new Error('The process is gone.');
        crashed.seen += 1;
        if (crashed.seen === nth) {
          crashed.fired = true;
          throw new Error('The process died here.');
        }
      }
      return call(...given);
    };
  return { failing: { ...table, write: guard(table.write), transact: guard(table.transact) }, crashed };
}

async function takeOver(world: Awaited<ReturnType<typeof setUpCodeBatches>>, batch: { productId: ProductId; id: BatchId }) {
  await takeDueJobs(world.c, { evenIfLeased: true });
  return world.leaseImport(batch);
}
