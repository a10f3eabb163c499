import { beforeEach, test } from '@jest/globals';
import { routes } from '../../../functions/code-batches/routes.ts';
import { recordAudit } from '../../../shared/audit/audit-repository.ts';
import { drawCode } from '../../../shared/code-batches/code-stock-repository.ts';
import type { Write } from '../../../shared/db/table.ts';
import type { BatchId, ProductId } from '../../../shared/ids.ts';
import { createTestTable } from '../../support/engines/test-table.ts';
import { createCaller } from '../../support/http/http-event.ts';
import { createInterleaver, meetingsOf } from '../../support/interleave.ts';
import { setUpCodeBatches } from '../../support/samples/code-batches.ts';
import { expectSerializable } from '../../support/serializable.ts';

const interleaver = createInterleaver();
let world: Awaited<ReturnType<typeof setUpCodeBatches>>;
let call: ReturnType<typeof createCaller>;
beforeEach(async () => {
  world = await setUpCodeBatches((await createTestTable({ faults: interleaver })).table);
  call = createCaller(world.handler, routes);
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
