import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { compose } from '../../../functions/sweeper/compose.ts';
import { createSdkDynamo } from '../../../shared/db/dynamo/sdk-dynamo.ts';
import { createTable, type Item } from '../../../shared/db/table.ts';
import { createLogger } from '../../../shared/logging/logger.ts';
import { createTestTable, type TestTable } from '../../support/engines/test-table.ts';
import { productRequest } from '../../support/scenes/catalog-harness.ts';
import { type Market, type Marketplace, openMarketplace, startMarket } from '../../support/scenes/marketplace.ts';
import { bringRelease } from '../../support/scenes/releases/market-releases.ts';

jest.setTimeout(120_000);

const asAdmin = { 'X-User-ID': 'reviewer', 'X-User-Email': 'admin@example.com' };
const asAlice = { 'X-User-ID': 'alice' };
const queueNames = ['queuePk', 'queueSk', 'queueFiles'];

let market: Market;
beforeAll(async () => {
  market = await startMarket();
});
afterAll(() => market.stop());

describe('what waited before there was a queue', () => {
  let scene: Marketplace;
  let clock: Date;
  let logged: string[];
  let sweep: ReturnType<typeof compose>;
  let expected: string[];

  const sweeper = (table = scene.table) =>
    compose({
      logger: createLogger({}, (line) => logged.push(JSON.parse(line).message)),
      table,
      sender: scene.queue,
      now: () => clock,
    });
  const run = (by = sweep) => by({}, { getRemainingTimeInMillis: () => 60_000 });
  const pass = (minutes: number) => {
    clock = new Date(clock.getTime() + minutes * 60_000);
  };
  const queued = async () => {
    const { items } = (await scene.call('GET', '/v1/admin/queue', { headers: asAdmin })).json;
    return items.map((item: Item) => `${item['kind']} ${item['target_id']} ${item['since']}`);
  };
  /** The item as the version before wrote it. */
  const forget = async (item: Item) => {
    const old = Object.fromEntries(Object.entries(item).filter(([name]) => !queueNames.includes(name)));
    await scene.table.write({ put: { Item: old } });
  };

  beforeEach(async () => {
    scene = await openMarketplace(market);
    clock = new Date(scene.at);
    logged = [];
    sweep = sweeper();
    const { call, own, other } = scene;
    const email = 'd@example.com';
    const apply = { display_name: 'Dora', contact_email: email, support_email: email, site_url: 'https://dora.example' };
    await call('POST', '/v1/sellers', { headers: { 'X-User-ID': 'dora' }, body: apply });
    const { id } = (await call('POST', '/v1/products', { headers: asAlice, body: productRequest })).json;
    await call('POST', `/v1/products/${id}/submit-review`, { headers: asAlice });
    const edited = { ...productRequest, name: own.product.slug, price_amount: 77 };
    await call('PATCH', `/v1/products/${own.product.id}`, { headers: asAlice, body: edited });
    await call('POST', `/v1/products/${own.product.id}/submit-review`, { headers: asAlice });
    await bringRelease(scene, own, 'pending_review', '1.0.0');
    expected = await queued();
    expect(expected.map((line) => line.split(' ')[0]).sort()).toEqual(['file', 'file', 'product', 'release', 'revision', 'seller']);
    for (const item of Object.values(await scene.readAll())) if (item['queuePk'] !== undefined) await forget(item);
    expect(await queued()).toEqual([]);
    // A function of the version before approved a seller while ours had put it into the queue.
    const key = { pk: `SELLER#${other.seller.id}`, sk: 'SELLER' };
    const UpdateExpression = 'SET queuePk = :pk, queueSk = :sk';
    const ExpressionAttributeValues = { ':pk': 'QUEUE', ':sk': `${scene.at}#seller#${other.seller.id}` };
    await scene.table.write({ update: { Key: key, UpdateExpression, ExpressionAttributeValues } });
  });

  test('is in its place after one sweep, what does not wait is out of it, and a later sweep costs a read or none', async () => {
    await run();
    expect(await queued()).toEqual(expected);
    const all = await scene.readAll();
    // The lists alone are walked through: nothing else is touched.
    expect(Object.values(all).filter((item) => item['queuePk'] !== undefined)).toHaveLength(expected.length);
    scene.takeRequestCounts();
    await run();
    expect(scene.takeRequestCounts()).toEqual({ Query: 8, GetItem: 1 });
    pass(21);
    await run();
    await run();
    scene.takeRequestCounts();
    await run();
    expect(scene.takeRequestCounts()).toEqual({ Query: 8 });
    await run(sweeper());
    expect(scene.takeRequestCounts()).toEqual({ Query: 8, GetItem: 1 });
    expect(logged.filter((message) => message === 'queue_not_filled')).toEqual([]);
  });

  test('is put there by the second round where a function of the version before wrote during the first, and not before its time', async () => {
    await run();
    const [product] = Object.values(await scene.readAll()).filter(({ sk, queuePk }) => sk === 'PRODUCT' && queuePk !== undefined);
    await forget(product ?? {});
    for (const [minutes, queuedThen] of [
      [19, expected.length - 1],
      [2, expected.length],
    ] as const) {
      pass(minutes);
      await run();
      expect(await queued()).toHaveLength(queuedThen);
    }
  });

  test('is walked through in parts, one a sweep, which go on where they were', async () => {
    for (let sweeps = 0; sweeps < 40; sweeps += 1) {
      const remaining = [60_000, 60_000];
      await sweep({}, { getRemainingTimeInMillis: () => remaining.pop() ?? 0 });
    }
    expect(await queued()).toEqual(expected);
  });

  test('is decided, and not put back, when both happen at once', async () => {
    const { own, call } = scene;
    let decided = false;
    const dynamo = createSdkDynamo();
    const between = createTable({
      tableName: scene.tableName,
      dynamo: {
        ...dynamo,
        async query(request) {
          const reply = await dynamo.query(request);
          const isThere = reply.items.some((item) => item['id'] === own.file.id);
          if (!isThere || decided) return reply;
          decided = true;
          const path = `/v1/admin/products/${own.product.id}/files/${own.file.id}/review`;
          await call('PATCH', path, { headers: asAdmin, body: { decision: 'reject', rejected_reason: 'No' } });
          return reply;
        },
      },
    });
    await run(sweeper(between));
    expect(decided).toBe(true);
    expect(await queued()).toEqual(expected.filter((line) => !line.includes(own.file.id)));
  });

  test('keeps no sweep from its work when it cannot be walked through', async () => {
    const broken: TestTable = await createTestTable({
      faults: { call: (name, make) => (name === 'PutItem' ? Promise.reject(new Error('no')) : make()) },
    });
    expect(await run(sweeper(broken.table))).toEqual({ sent: 0, failed: 0 });
    expect(logged).toEqual(['sweep_finished', 'queue_not_filled']);
  });
});
