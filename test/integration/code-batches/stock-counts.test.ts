import { expect, test } from '@jest/globals';
import { routes } from '../../../functions/code-batches/routes.ts';
import { recordAudit } from '../../../shared/audit/audit-repository.ts';
import { drawCode } from '../../../shared/code-batches/code-stock-repository.ts';
import type { BatchId, ProductId } from '../../../shared/ids.ts';
import { createTestTable } from '../../support/engines/test-table.ts';
import { createCaller } from '../../support/http/http-event.ts';
import { createInterleaver, inEveryOrder } from '../../support/interleave.ts';
import { setUpCodeBatches } from '../../support/samples/code-batches.ts';

type World = Awaited<ReturnType<typeof setUpCodeBatches>>;

interface Stocked {
  id: ProductId;
  batchId: BatchId;
}

const interleaver = createInterleaver();

/** What is counted of the stock of a product with two codes, in every order with a change of it. */
async function countWhile(change: (world: World, product: Stocked) => Promise<unknown>) {
  const { table } = await createTestTable({ faults: interleaver });
  const world = await setUpCodeBatches(table);
  const call = createCaller(world.handler, routes);
  const counted: [available: number, sold: number][] = [];
  await inEveryOrder(async (picks) => {
    const id = await world.addProduct();
    const batch = await world.accept(id, [`FIRST-${id.slice(-10)}`, `SECOND-${id.slice(-10)}`]);
    await world.runImport({ productId: id, id: batch.id });
    const count = () => call('GET', `/v1/products/${id}/code-stock`, { headers: { 'X-User-ID': 'alice' } });
    const [reply] = await interleaver.run<any>(picks, [count, () => change(world, { id, batchId: batch.id })]);
    counted.push([reply.json.available, reply.json.sold]);
  });
  return new Set(counted.map(String));
}

test('In every order of a count and a code that is set aside, no sale is counted', async () => {
  const counted = await countWhile(async ({ c, table }, { id, batchId }) => {
    const drawn = await drawCode(c, id);
    const record = recordAudit(c, { actor: 'event-projector', action: 'code_batch.set_aside_code', targetId: batchId });
    await table.transact([...(drawn?.writes ?? []), record]);
  });
  expect(counted).toEqual(new Set(['2,0', '1,0']));
});

test('In every order of a count and an import, no sale is counted', async () => {
  const counted = await countWhile(async ({ accept, runImport }, { id }) => {
    const batch = await accept(id, [`THIRD-${id.slice(-10)}`]);
    await runImport({ productId: id, id: batch.id });
  });
  expect(counted).toEqual(new Set(['2,0', '3,0']));
});

test('In every order of a count and a sale, it is counted, or it is available still', async () => {
  const counted = await countWhile(async ({ c, table }, { id }) => {
    const drawn = await drawCode(c, id);
    await table.transact(drawn?.writes ?? []);
  });
  expect(counted).toEqual(new Set(['2,0', '1,1']));
});
