import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { replaceOrder } from '../../../shared/orders/order-repository.ts';
import { asAdmin } from '../../support/scenes/licenses/buyer-scene.ts';
import { type DeskScene, openDeskScene, type Sale, type Shop } from '../../support/scenes/licenses/sales-scene.ts';

const error = (status: number, code: string) => ({ status, json: { code } });

let scene: DeskScene;
let shop: Shop;
let sale: Sale;
let owners = 0;
beforeAll(async () => {
  scene = await openDeskScene();
});
beforeEach(async () => {
  owners += 1;
  shop = await scene.openShop(`alice-${owners}`);
  sale = await shop.sell({ activationLimit: 9 }, { createdAt: '2026-01-31T08:00:00.000Z' });
});

const historyOf = (of: Sale, query = '') => shop.ask('GET', `/${of.id}/history${query}`);
/** All pages of so many, one after the other. */
async function pagesOf(of: Sale, limit: number) {
  const pages = [await historyOf(of, `?limit=${limit}`)];
  while (pages.at(-1)?.json.next_cursor) pages.push(await historyOf(of, `?limit=${limit}&cursor=${pages.at(-1)?.json.next_cursor}`));
  for (const { json } of pages) expect(json.items.length).toBe(json.next_cursor ? limit : json.items.length);
  return pages.flatMap(({ json }) => json.items);
}

describe('the history of a sale', () => {
  test('tells what buyer, apps, seller and admins did, oldest first, once each, without what the buyer’s is', async () => {
    const moves: (() => Promise<unknown>)[] = [
      () => sale.app('activate', 'laptop', { label: 'Of Bob' }),
      () => sale.app('activate', 'desk'),
      () => sale.app('deactivate', 'desk'),
      () => sale.app('activate', 'desk'),
      () => sale.app('activate', 'tablet'),
      () => sale.suspend({ reason: 'Unpaid invoice of Bob' }),
      () => sale.reinstate(),
      () => sale.limit(12),
      () => sale.releaseSeat('laptop'),
      () => sale.release('tablet'),
      () => sale.admin('POST', `/activations/${sale.activationId('desk')}/release`),
      () => sale.app('activate', 'phone'),
      () => sale.replaceKey(),
      () => sale.app('activate', 'phone'),
      () => sale.ask('buyer-email', { buyer_email: 'right@example.com' }),
      () => sale.admin('POST', '/revoke'),
    ];
    for (const move of moves) {
      scene.passDays(1);
      await move();
    }
    const { json, text, headers } = await historyOf(sale);
    expect(
      json.items.map(({ action, actor, before, after }: any) =>
        [actor, action, before, after].filter((part) => part !== undefined).join(' '),
      ),
    ).toEqual([
      'buyer order.created',
      'service license.issued',
      'provider payment.succeeded 1200',
      'app activation.created',
      'app activation.created',
      'app activation.created',
      'app activation.created',
      'seller license.suspend active suspended',
      'seller license.reinstate suspended active',
      'seller license.change_limit 9 12',
      'seller activation.released',
      'buyer activation.released',
      'admin activation.released',
      'app activation.created',
      'buyer license.replace_key',
      'buyer activation.released',
      'app activation.created',
      'admin license.revoke active revoked',
    ]);
    const times = json.items.map(({ at }: { at: string }) => at);
    expect(times).toEqual(times.toSorted());
    expect(text).not.toMatch(new RegExp(`Of Bob|invoice|@|${sale.firstKey}|act_|alice|admin-1`));
    expect(headers['cache-control']).toBe('no-store');
    for (const limit of [1, 3, 7]) expect(await pagesOf(sale, limit)).toEqual(json.items);
  });

  test('is read in 8 requests, also by a seller who is suspended, and by nobody else', async () => {
    await shop.review('suspended');
    scene.takeRequestCounts();
    expect(await historyOf(sale)).toMatchObject({ status: 200, json: { items: expect.any(Array) } });
    expect(scene.takeRequestCounts()).toEqual({ GetItem: 4, Query: 4 });
    await scene.openShop('bob');
    const asBob = { 'X-User-ID': 'bob' };
    expect(await scene.askAs(asBob, 'GET', `/v1/orders/${sale.id}/history`, undefined)).toMatchObject(error(403, 'forbidden'));
    expect(await scene.askAs(asAdmin, 'GET', `/v1/orders/${sale.id}/history`, undefined)).toMatchObject(error(403, 'forbidden'));
    expect(await shop.ask('GET', '/ord_none/history')).toMatchObject(error(404, 'order_not_found'));
    for (const query of ['limit=0', 'limit=101', 'cursor=abc']) {
      expect(await historyOf(sale, `?${query}`)).toMatchObject(error(400, 'invalid_request'));
    }
  });

  test('tells when the license was upgraded', async () => {
    scene.passDays(1);
    const upgrade = await shop.sell({}, { kind: 'upgrade', upgradedFrom: { orderId: sale.id, licenseId: sale.license.id } });
    await scene.table.write(replaceOrder(sale.order, { ...sale.order, upgrades: [{ orderId: upgrade.id, productId: shop.product.id }] }));
    expect((await historyOf(sale)).json.items.at(-1)).toEqual({
      at: scene.now().toISOString(),
      action: 'license.upgraded',
      actor: 'buyer',
    });
  });

  test('of an order that nobody paid has its beginning alone, and its cursor is good for no other', async () => {
    const pending = await shop.sell({}, { status: 'pending', checkout: {}, licenseId: undefined });
    expect((await historyOf(pending)).json).toEqual({ items: [{ at: pending.order.createdAt, action: 'order.created', actor: 'buyer' }] });
    const { next_cursor } = (await historyOf(sale, '?limit=1')).json;
    expect(await historyOf(pending, `?cursor=${next_cursor}`)).toMatchObject(error(400, 'invalid_request'));
  });

  test('of very many devices comes in pages, each of as many requests as the devices take megabytes', async () => {
    const crowd = await shop.sell({ activationLimit: 100_000 });
    await scene.seatMany(crowd.license, 3, 20);
    const pages = [await historyOf(crowd, '?limit=20')];
    for (const _ of [1, 2]) {
      scene.takeRequestCounts();
      pages.push(await historyOf(crowd, `?limit=20&cursor=${pages.at(-1)?.json.next_cursor}`));
      expect(scene.takeRequestCounts()).toEqual({ GetItem: 4, Query: 3 + 2 });
    }
    const all = pages.flatMap(({ json }) => json.items);
    expect(all.map(({ action }) => action)).toEqual([...Array(3).fill(expect.any(String)), ...Array(57).fill('activation.created')]);
    const times = all.map(({ at }) => at);
    expect(times).toEqual(times.toSorted());
  });
});
