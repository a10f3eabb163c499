import { randomBytes } from 'node:crypto';
import type { CodeBatchRecord } from '../../shared/code-batches/code-batch.ts';
import { getBatch } from '../../shared/code-batches/code-batch-repository.ts';
import { batchKey } from '../../shared/db/keys.ts';
import type { Table, Write } from '../../shared/db/table.ts';
import { createTestTable } from '../support/engines/test-table.ts';
import { setUpCodeBatches } from '../support/samples/code-batches.ts';

/** The largest import, unless the environment asks for a smaller one. */
const codes = Number(process.env['BENCH_IMPORT_CODES'] ?? 50_000);
/** What one transaction has room for, at two items a code. */
const codesPerTransaction = 50;

/**
 * How fast the largest import goes, beside bare transactions that put as many items of that size, and beside the
 * import's own transactions, sent again to another table with nothing in between.
 */
export async function measureImport(): Promise<Record<string, string | number>[]> {
  const { table: empty } = await createTestTable();
  const bare = await measure(() => putItems(empty));
  const { seconds: imported, batch, transactions } = await importAll();
  const same = await measure(await prepareReplay(batch, transactions));
  return Object.entries({ 'bare transactions': bare, 'its own transactions, bare': same, import: imported }).map(([what, seconds]) => ({
    what,
    codes,
    seconds: seconds.toFixed(1),
    'codes a second': Math.round(codes / seconds),
    'of bare': (bare / seconds).toFixed(2),
    'of its own': (same / seconds).toFixed(2),
    target: what === 'import' ? '0.80' : '',
  }));
}

async function putItems(table: Table): Promise<void> {
  const value = randomBytes(120).toString('base64url');
  const put = (): Write => ({ put: { Item: { pk: `BENCH#${randomBytes(32).toString('base64url')}`, sk: 'ITEM', value } } });
  for (let done = 0; done < codes; done += codesPerTransaction) {
    await table.transact(Array.from({ length: 2 * codesPerTransaction }, put));
  }
}

/** Imports a batch; with it as it was before, and the transactions that the import made of it. */
async function importAll(): Promise<{ seconds: number; batch: CodeBatchRecord; transactions: (readonly Write[])[] }> {
  const { table } = await createTestTable();
  const transactions: (readonly Write[])[] = [];
  const transact = (writes: readonly Write[]) => {
    transactions.push(writes);
    return table.transact(writes);
  };
  const batches = await setUpCodeBatches({ ...table, transact });
  const list = Array.from({ length: codes }, (_, index) => `KEY-${String(index).padStart(6, '0')}`);
  const { productId, id } = await batches.accept(await batches.addProduct(), list);
  const batch = await getBatch(table, productId, id);
  transactions.length = 0;
  const seconds = await measure(() => batches.runImport(batch));
  const { status, importedCount } = await getBatch(table, productId, id);
  if (importedCount !== codes) throw new Error(`The import is ${status} with ${importedCount} codes.`);
  // The last one finishes a job that no other table has.
  return { seconds, batch, transactions: transactions.slice(0, -1) };
}

/** What sends these transactions to a table that has nothing but the batch. */
async function prepareReplay(batch: CodeBatchRecord, transactions: readonly (readonly Write[])[]): Promise<() => Promise<void>> {
  const { table } = await createTestTable();
  await table.write({ put: { Item: { ...batchKey(batch.productId, batch.id), ...batch } } });
  return async () => {
    for (const writes of transactions) await table.transact(writes);
  };
}

/** In seconds. */
async function measure(work: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1000;
}
