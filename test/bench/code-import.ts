import { randomBytes } from 'node:crypto';
import type { Table, Write } from '../../shared/db/table.ts';
import { createTestTable } from '../support/engines/test-table.ts';
import { setUpCodeBatches } from '../support/samples/code-batches.ts';

const codes = 50_000;
/** What one transaction has room for, at two items a code. */
const codesPerTransaction = 50;

/** How fast the largest import goes, beside bare transactions that put as many items of that size. */
export async function measureImport(): Promise<Record<string, string | number>[]> {
  const { table } = await createTestTable();
  const bare = await measure(() => putItems(table));
  const batches = await setUpCodeBatches(table);
  const batch = await batches.accept(
    await batches.addProduct(),
    Array.from({ length: codes }, (_, index) => `KEY-${String(index).padStart(6, '0')}`),
  );
  const imported = await measure(() => batches.runImport(batch));
  const { status, importedCount } = await batches.batches.getBatch(batch.productId, batch.id);
  if (importedCount !== codes) throw new Error(`The import is ${status} with ${importedCount} codes.`);
  return Object.entries({ 'bare transactions': bare, import: imported }).map(([what, seconds]) => ({
    what,
    codes,
    seconds: seconds.toFixed(1),
    'codes a second': Math.round(codes / seconds),
    'of bare': (bare / seconds).toFixed(2),
  }));
}

async function putItems(table: Table): Promise<void> {
  const value = randomBytes(120).toString('base64url');
  const put = (): Write => ({ put: { Item: { pk: `BENCH#${randomBytes(32).toString('base64url')}`, sk: 'ITEM', value } } });
  for (let done = 0; done < codes; done += codesPerTransaction) {
    await table.transact(Array.from({ length: 2 * codesPerTransaction }, put));
  }
}

/** In seconds. */
async function measure(work: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1000;
}
