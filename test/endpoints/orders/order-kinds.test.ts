import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { orderKey, orderOfDiscountKey } from '../../../shared/db/keys.ts';
import { newId } from '../../../shared/ids.ts';
import { addMail } from '../../../shared/mail/outbox/mail-repository.ts';
import { completionMailIdOf, type Order } from '../../../shared/orders/order.ts';
import { createOrder, deleteOrder, removeOrderExpiry, replaceOrder } from '../../../shared/orders/order-repository.ts';
import { expireItems } from '../../support/engines/table-contents.ts';
import { type DeskScene, idsIn, openDeskScene, type Sale, type Shop } from '../../support/scenes/licenses/sales-scene.ts';
import { sampleOrder } from '../../support/scenes/projection-harness.ts';

const invoice = { registrationNumber: 'T1234567890123', sellerName: 'Minato K.K.', taxPercent: 8 };
const spring = { id: newId('discount'), code: 'SPRING-26', amount: 600 };

const error = (status: number, code: string) => ({ status, json: { code } });

let scene: DeskScene;
beforeAll(async () => {
  scene = await openDeskScene();
});

describe('orders of every kind', () => {
  let shop: Shop;
  let other: Shop;
  /** Three at once with a discount, from before kinds were stored, and an upgrade of the first. */
  let sale: Sale;
  let old: Sale;
  let upgrade: Sale;
  let paidSeats: Order;
  let openSeats: Order;
  let updates: Order;

  beforeAll(async () => {
    shop = await scene.openShop('alice');
    other = await scene.openShop('bob');
    sale = await shop.sell({}, { quantity: 3, unitAmount: 1000, amount: 3000, discount: spring });
    old = await shop.sell();
    const { id: licenseId } = sale.license;
    const studio = await shop.addProduct();
    const heldBy = { orderId: old.id, why: 'refunded', since: scene.now().toISOString() } as const;
    upgrade = await shop.sell({ productId: studio.id }, { kind: 'upgrade', upgradedFrom: { orderId: sale.id, licenseId }, heldBy });
    const addition = async (change: Partial<Order>) => {
      scene.passDays(1);
      const { sellerId, productId } = sale.order;
      const addedTo = { orderId: sale.id, licenseId };
      const times = { id: newId('order', scene.now()), createdAt: scene.now().toISOString() };
      const order = sampleOrder({ ...times, sellerId, productId, addedTo, ...change });
      await scene.table.transact(createOrder(order));
      return order;
    };
    const paid = { status: 'paid', paymentStatus: 'succeeded', checkout: { paidAt: scene.now().toISOString() }, ttl: undefined } as const;
    paidSeats = await addition({ ...paid, kind: 'seats', quantity: 2, unitAmount: 700, amount: 1400, invoice });
    updates = await addition({ ...paid, kind: 'updates' });
    openSeats = await addition({ kind: 'seats', quantity: 5, unitAmount: 700, amount: 3500 });
    const older = { UpdateExpression: 'REMOVE #kind, quantity, unitAmount', ExpressionAttributeNames: { '#kind': 'kind' } };
    await scene.table.write({ update: { Key: orderKey(old.id), ...older } });
    for (const { id } of [sale, paidSeats]) {
      await scene.table.write({ put: { Item: { ...orderOfDiscountKey(spring.id, id), id } } });
    }
  });

  const all = () => [openSeats, updates, paidSeats, upgrade, old, sale].map(({ id }) => id);
  const listed = async (query: string) => idsIn(await shop.ask('GET', `?${query}`));
  const listedToAdmins = async (query: string) => idsIn(await scene.readAsAdmin(`?${query}`));

  test('show what they are for, how many, for how much each, and with what they belong together', async () => {
    const seen = new Map<string, object>((await shop.ask('GET', '')).json.items.map((item: { id: string }) => [item.id, item]));
    const expected = new Map([
      [sale.id, { kind: 'license', quantity: 3, unit_amount: 1000, amount: 3000, discount_id: spring.id, discount_code: 'SPRING-26' }],
      [old.id, { kind: 'license', quantity: 1, unit_amount: 1200 }],
      [upgrade.id, { kind: 'upgrade', upgraded_from: { order_id: sale.id, license_id: sale.license.id }, held_by: old.id }],
      [paidSeats.id, { kind: 'seats', quantity: 2, unit_amount: 700, parent_order_id: sale.id }],
      [updates.id, { kind: 'updates', quantity: 1, unit_amount: 1200, parent_order_id: sale.id }],
    ]);
    for (const [id, fields] of expected) {
      const item = seen.get(id);
      expect(item).toMatchObject(fields);
      expect((await shop.ask('GET', `/${id}`)).json).toMatchObject({ ...item });
      expect((await shop.search({ order_id: id })).json.items).toEqual([item]);
      expect((await scene.readAsAdmin(`/${id}`)).json).toMatchObject({ ...item });
    }
    expect(Object.keys(seen.get(old.id) ?? {})).not.toContain('parent_order_id');
  });

  test('of additions have their invoice and no license, and nothing below it', async () => {
    await shop.ask('POST', `/${paidSeats.id}/buyer-email-request`, { buyer_email: 'right@example.com' });
    await scene.table.write(addMail({ id: completionMailIdOf(paidSeats), orderId: paidSeats.id }, scene.now()));
    const { json } = await shop.ask('GET', `/${paidSeats.id}`);
    const at = scene.now().toISOString();
    expect([json.completion_mail, json.email_request]).toMatchObject([{ state: 'pending', at }, { requested_at: at }]);
    expect(json.invoice).toEqual({ registration_number: 'T1234567890123', seller_name: 'Minato K.K.', tax_percent: 8, tax_amount: 103 });
    for (const field of ['license', 'license_id', 'license_status', 'license_key_hint', 'manage_url'])
      expect(json).not.toHaveProperty(field);
    const activation = sale.activationId('laptop');
    for (const [method, path, body] of [
      ['PATCH', 'license', { activation_limit: 7 }],
      ['POST', 'license/suspend', {}],
      ['POST', 'license/reinstate', {}],
      ['POST', `activations/${activation}/release`, {}],
    ] as const) {
      expect(await shop.ask(method, `/${paidSeats.id}/${path}`, body)).toMatchObject(error(404, 'license_not_found'));
    }
  });

  test('are listed by kind, those of before it was stored as licenses', async () => {
    for (const list of [listed, listedToAdmins]) {
      expect(await list('kind=license')).toEqual([old.id, sale.id]);
      expect(await list('kind=seats')).toEqual([openSeats.id, paidSeats.id]);
      expect(await list('kind=updates')).toEqual([updates.id]);
      expect(await list('kind=upgrade')).toEqual([upgrade.id]);
      expect(await list('kind=seats&status=paid')).toEqual([paidSeats.id]);
      expect((await list('')).toSorted()).toEqual(all().toSorted());
    }
    expect(await listed(`kind=upgrade&product_id=${shop.product.id}`)).toEqual([]);
    for (const query of ['kind=', 'kind=addition', 'discount_id=']) {
      expect(await shop.ask('GET', `?${query}`)).toMatchObject({ status: 400, json: { code: 'invalid_request' } });
      expect(await scene.readAsAdmin(`?${query}`)).toMatchObject({ status: 400 });
    }
  });

  test('are listed by discount from an index of its own, beside every other filter', async () => {
    for (const list of [listed, listedToAdmins]) {
      scene.takeRequestCounts();
      expect(await list(`discount_id=${spring.id}&limit=2`)).toEqual([paidSeats.id, sale.id]);
      expect(scene.takeRequestCounts()['Query']).toBe(1);
      expect(await list(`discount_id=${spring.id}&kind=license&status=paid`)).toEqual([sale.id]);
      expect(await list(`discount_id=${spring.id}&status=refunded`)).toEqual([]);
      for (const unknown of [newId('discount'), 'SPRING-26', '%F0%9F%8D%A3']) expect(await list(`discount_id=${unknown}`)).toEqual([]);
    }
    expect(await listedToAdmins(`discount_id=${spring.id}&seller_id=${shop.seller.id}`)).toEqual([paidSeats.id, sale.id]);
    expect(await listedToAdmins(`discount_id=${spring.id}&seller_id=${other.seller.id}`)).toEqual([]);
    // Another seller is not told that there are any.
    expect((await other.ask('GET', `?discount_id=${spring.id}&limit=1`)).json).toEqual({ items: [] });
  });

  test('are found with the license that they add to, those that were paid first', async () => {
    const found = [sale.id, updates.id, paidSeats.id, openSeats.id];
    expect(idsIn(await shop.search({ license_key: sale.firstKey }))).toEqual(found);
    expect(idsIn(await scene.searchAll({ license_key: sale.firstKey }))).toEqual(found);
    expect(idsIn(await shop.search({ license_key: upgrade.firstKey }))).toEqual([upgrade.id]);
    expect(idsIn(await other.search({ license_key: sale.firstKey }))).toEqual([]);
  });

  test('of additions stay in their list once they are paid, and leave it with the order', async () => {
    const { id: licenseId } = old.license;
    const addedTo = { orderId: old.id, licenseId };
    const { sellerId, productId } = old.order;
    const make = () => sampleOrder({ kind: 'seats', addedTo, sellerId, productId });
    const [paid, expired, refused] = [make(), make(), make()];
    for (const order of [paid, expired, refused]) await scene.table.transact(createOrder(order));
    await scene.table.transact([replaceOrder(paid, { ...paid, ttl: undefined }), ...removeOrderExpiry(paid, undefined)]);
    await scene.table.transact(deleteOrder(refused));
    expect(idsIn(await shop.search({ license_key: old.firstKey }))).toEqual([old.id, paid.id, expired.id]);
    await expireItems(scene, new Date(Date.now() + 3_100_000_000));
    expect(idsIn(await shop.search({ license_key: old.firstKey }))).toEqual([old.id, paid.id]);
  });
});

describe('the history of a sale', () => {
  let shop: Shop;
  let sale: Sale;
  let owners = 0;
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

  test('is read in 8 requests, also by a seller who is suspended', async () => {
    await shop.review('suspended');
    scene.takeRequestCounts();
    expect(await historyOf(sale)).toMatchObject({ status: 200, json: { items: expect.any(Array) } });
    expect(scene.takeRequestCounts()).toEqual({ GetItem: 4, Query: 4 });
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
