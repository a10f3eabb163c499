import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { buyerEmailHashes } from '../../../shared/buyer-email/buyer-email.ts';
import { orderOfBuyerKey } from '../../../shared/db/keys.ts';
import { idOf } from '../../../shared/ids.ts';
import { getOrder, replaceOrder } from '../../../shared/orders/order-repository.ts';
import { readContents } from '../../support/engines/table-contents.ts';
import { keyringOf, keyringText } from '../../support/samples/licenses.ts';
import { asAdmin } from '../../support/scenes/licenses/buyer-scene.ts';
import { type DeskScene, idsIn, openDeskScene, type Sale, type Shop } from '../../support/scenes/licenses/sales-scene.ts';

let scene: DeskScene;
let shop: Shop;
let other: Shop;
let sale: Sale;
let foreign: Sale;
async function open(): Promise<void> {
  scene = await openDeskScene();
  shop = await scene.openShop('alice');
  other = await scene.openShop('bob');
  sale = await shop.sell();
  foreign = await other.sell();
}

const nothing = { status: 200, json: { items: [] } };
const invalid = { status: 400, json: { code: 'invalid_request' } };

describe('a seller who searches', () => {
  beforeAll(open);

  test('by license key finds the sale, as the list of sales shows it, in every spelling of the key', async () => {
    const listed = (await shop.ask('GET', '')).json.items;
    expect(listed).toHaveLength(1);
    for (const license_key of [
      sale.firstKey,
      sale.firstKey.toLowerCase(),
      ` ${sale.firstKey} `,
      sale.firstKey.replaceAll('-', ''),
      sale.firstKey.replaceAll('-', ' – '),
      sale.firstKey.replaceAll('1', 'l').replaceAll('0', 'o'),
      `${sale.firstKey},${sale.firstKey}`,
      `ライセンスキー：${sale.firstKey}`,
    ]) {
      const found = await shop.search({ license_key });
      expect([found.status, found.json, found.text.includes(sale.firstKey)]).toEqual([200, { items: listed }, false]);
    }
  });

  test('by key finds nothing of another seller, nor under anything but the whole key', async () => {
    const [prefix = ''] = sale.firstKey.split('-');
    for (const license_key of [
      ...[foreign.firstKey, sale.firstKey.slice(0, -1), sale.firstKey.slice(0, 17), `${prefix}-*`, '*', '%'],
      ...[`${sale.firstKey.slice(0, -5)}_____`, `${sale.firstKey.slice(0, -5)}?????`, `${sale.firstKey}X`],
      ...[`${sale.firstKey} ${foreign.firstKey}`, '--------', 'ключ-ключ-ключ', 'x'.repeat(512), '\u{1d7d8}'.repeat(512)],
      ...[sale.license.lookup, sale.firstKey.slice(-4)],
    ]) {
      expect({ license_key, reply: await shop.search({ license_key }) }).toMatchObject({ license_key, reply: nothing });
    }
  });

  test('by order id finds a sale of theirs, paid or not, and nothing of another', async () => {
    const pending = await shop.sell({}, { status: 'pending', checkout: {}, licenseId: undefined });
    for (const { id } of [sale, pending]) expect(idsIn(await shop.search({ order_id: id }))).toEqual([id]);
    for (const order_id of [foreign.id, sale.id.slice(0, -1), 'ord_*', 'nonsense', sale.license.id, '%00', sale.id.toLowerCase()]) {
      expect(await shop.search({ order_id })).toMatchObject(nothing);
    }
    for (const order_id of ['x'.repeat(65), '', ' ']) expect(await shop.search({ order_id })).toMatchObject(invalid);
  });

  test('by key finds it in every product of theirs, also an imported code that another product has too', async () => {
    const imported = { licenseIssuanceMode: 'imported_csv', key: 'Code-2026-0001' } as const;
    const first = await shop.sell({ ...imported, productId: (await shop.addProduct()).id });
    const second = await shop.sell({ ...imported, productId: (await shop.addProduct()).id });
    const theirs = await other.sell(imported);
    for (const license_key of ['CODE 2026 ooo1', '「CODE_2026.ooo1」']) {
      expect(idsIn(await shop.search({ license_key })).toSorted()).toEqual([first.id, second.id].toSorted());
      expect(idsIn(await scene.searchAll({ license_key })).toSorted()).toEqual([first.id, second.id, theirs.id].toSorted());
    }
  });

  test('by address finds that buyer’s orders of theirs alone, newest first, also while they are suspended', async () => {
    scene.passDays(1);
    const later = await shop.sell();
    const unknown = await shop.sell();
    for (const one of [sale, later, foreign]) await one.bill('Bob@Example.com');
    await unknown.bill('other@example.com');
    await shop.review('suspended');
    expect(idsIn(await shop.search({ buyer_email: 'bob@example.com' }))).toEqual([later.id, sale.id]);
    expect(idsIn(await other.search({ buyer_email: 'BOB@EXAMPLE.COM' }))).toEqual([foreign.id]);
    for (const part of ['ob@example.com', 'bob@example.co', '*@example.com', 'bob%@example.com', 'b_b@example.com']) {
      expect(await shop.search({ buyer_email: part })).toMatchObject(nothing);
    }
    for (const none of ['bob', '*', '', `${'b'.repeat(250)}@example.com`, 'bob@example.com,x@example.com', 7, null]) {
      expect(await shop.search({ buyer_email: none })).toMatchObject(invalid);
    }
    await shop.review('approved');
  });

  test('by address finds it under each form of its domain, whichever was typed', async () => {
    const [unicode, ascii] = [await shop.sell(), await shop.sell()];
    await unicode.bill('taro@例え.jp');
    await ascii.bill('Taro@XN--R8JZ45G.jp');
    for (const buyer_email of ['taro@例え.jp', 'taro@xn--r8jz45g.jp', 'ＴＡＲＯ＠例え．jp']) {
      expect(idsIn(await shop.search({ buyer_email })).toSorted()).toEqual([unicode.id, ascii.id].toSorted());
    }
  });

  test('by address finds what was stored under each known version of the encryption key', async () => {
    const earlier = await shop.sell();
    scene.passDays(1);
    const later = await shop.sell();
    await earlier.bill('kept@example.com', 'e1');
    await later.bill('kept@example.com', 'e2');
    scene.setEnvironment({ ENCRYPTION_KEYS: keyringText('e3', 'e2', 'e1') });
    expect(idsIn(await shop.search({ buyer_email: 'kept@example.com' }))).toEqual([later.id, earlier.id]);
    scene.setEnvironment({ ENCRYPTION_KEYS: keyringText('e2') });
    expect(idsIn(await shop.search({ buyer_email: 'kept@example.com' }))).toEqual([later.id]);
    scene.setEnvironment({});
  });

  test('by address comes to all of them in pages of 100, however many others sold to the buyer', async () => {
    const sold: string[] = [];
    for (let count = 0; count < 140; count += 1) {
      scene.passDays(1 / (24 * 60));
      const isOther = count % 4 === 0;
      const one = await (isOther ? other : shop).sell();
      await one.bill('bulk@example.com');
      if (!isOther) sold.unshift(one.id);
    }
    const first = await shop.search({ buyer_email: 'bulk@example.com' });
    expect(idsIn(first)).toEqual(sold.slice(0, 100));
    const second = await shop.search({ buyer_email: 'bulk@example.com', cursor: first.json.next_cursor });
    expect([idsIn(second), second.json.next_cursor]).toEqual([sold.slice(100), undefined]);
    // The place that the cursor names is an order that the seller was shown.
    expect(Buffer.from(first.json.next_cursor, 'base64url').toString()).toContain(sold[99]);
    expect(await shop.search({ license_key: sale.firstKey, cursor: first.json.next_cursor })).toMatchObject(invalid);
    expect(await shop.search({ buyer_email: 'bulk@example.com', cursor: 'nonsense' })).toMatchObject(invalid);
  });

  test('for nothing, for too much or for several things at once is refused, and recorded nowhere', async () => {
    const [license_key, buyer_email] = ['LIC1-AAAAA-BBBBB', 'bob@example.com'];
    const before = await readContents(scene);
    for (const body of [
      ...[{}, { cursor: 'abc' }, { license_key: null }, { license_key: ' ' }, { license_key: 'x'.repeat(513) }],
      ...[{ license_key: '\u{fdfa}'.repeat(80_000) }, { license_key: [license_key] }],
      ...[
        { license_key, buyer_email },
        { buyer_email, order_id: 'ord_1' },
        { license_key, buyer_email, order_id: 'ord_1' },
      ],
    ]) {
      expect(await shop.search(body)).toMatchObject(invalid);
      expect(await scene.searchAll(body)).toMatchObject(invalid);
    }
    expect(await readContents(scene)).toEqual(before);
  });

  test('is recorded with how many were found, and without what was asked for', async () => {
    await sale.bill('dora@example.com');
    for (const [by, value, found] of [
      ['license_key', sale.firstKey, 1],
      ['license_key', 'LIC1-AAAAA-BBBBB-CCCCC', 0],
      ['buyer_email', 'dora@example.com', 1],
      ['order_id', sale.id, 1],
    ] as const) {
      const before = await readContents(scene);
      await shop.search({ [by]: value });
      const added = (await readContents(scene)).filter((item) => !before.some(({ pk, sk }) => pk === item['pk'] && sk === item['sk']));
      expect(added).toMatchObject([{ actor: 'alice', action: 'order.search', targetId: shop.seller.id, after: { by, found } }]);
      expect(JSON.stringify([added, scene.logged])).not.toContain(value);
      expect(added[0]).not.toHaveProperty('note');
    }
  });
});

describe('a search by key', () => {
  beforeEach(open);

  test('finds it under a former key too, before, while and after re-keying', async () => {
    await sale.replaceKey();
    const newKey = await sale.learnKey();
    const findsBoth = async () => {
      for (const license_key of [sale.firstKey, newKey]) {
        for (const reply of [await shop.search({ license_key }), await scene.searchAll({ license_key })])
          expect(idsIn(reply)).toEqual([sale.id]);
      }
    };
    await findsBoth();
    scene.setPeppers('2', '1');
    for (let pass = 0; pass < 4; pass += 1) {
      await findsBoth();
      await scene.rekey();
      await findsBoth();
      scene.passDays(2 / (24 * 60));
    }
    scene.setPeppers('2');
    await findsBoth();
  });

  test('reads as often however many products there are, and no license for what no key can be', async () => {
    for (let added = 1; added < 100; added += 1) await shop.addProduct();
    scene.takeRequestCounts();
    await shop.search({ license_key: sale.firstKey });
    const { TransactWriteItems, ...reads } = scene.takeRequestCounts();
    expect(reads).toEqual({ GetItem: 2, Query: 2, BatchGetItem: 6 });
    scene.setPeppers('2', '1');
    await shop.search({ license_key: sale.firstKey });
    expect(scene.takeRequestCounts()).toMatchObject({ BatchGetItem: 7 });
    await shop.search({ license_key: 'SEVEN-7' });
    expect(scene.takeRequestCounts()['BatchGetItem']).toBeUndefined();
  });
});

test('what was maybe bought twice names the order before it, to seller and admin, in lists and alone, until that is refunded', async () => {
  await open();
  const elsewhere = await shop.sell({ productId: (await shop.addProduct()).id });
  scene.passDays(0.5);
  const again = await shop.sell();
  for (const one of [sale, elsewhere]) await one.bill('twice@example.com');
  // Under another version of the key.
  await again.bill('twice@example.com', 'e2');
  scene.setEnvironment({ ENCRYPTION_KEYS: keyringText('e2', 'e1') });
  const named = async () => {
    const lists = await Promise.all([
      ...[shop.ask('GET', ''), shop.search({ buyer_email: 'twice@example.com' })],
      ...[scene.readAsAdmin(`?seller_id=${shop.seller.id}`), scene.searchAll({ buyer_email: 'twice@example.com' })],
    ]);
    const alone = await Promise.all([shop.ask('GET', `/${again.id}`), scene.readAsAdmin(`/${again.id}`)]);
    return [
      ...lists.map(({ json }) => json.items.map((item: object) => ('duplicate_of' in item ? item.duplicate_of : 'none'))),
      ...alone.map(({ json }) => json.duplicate_of),
    ];
  };
  const listed = [sale.id, 'none', 'none'];
  expect(await named()).toEqual([...Array.from({ length: 4 }, () => listed), sale.id, sale.id]);
  // However much is bought later.
  const [hash] = buyerEmailHashes('twice@example.com', keyringOf('e1'));
  for (let count = 0; count < 100; count += 1) {
    const id = idOf('order').parse(`ord_7ZZZZZZZZZ${String(count).padStart(16, '0')}`);
    await scene.table.write({ put: { Item: { ...orderOfBuyerKey(hash, id), id } } });
  }
  expect((await shop.ask('GET', `/${again.id}`)).json.duplicate_of).toBe(sale.id);
  const order = await getOrder(scene.table, sale.id);
  await scene.table.write(replaceOrder(order, { ...order, status: 'refunded', paymentStatus: 'refunded' }));
  expect(await named()).toEqual([...Array.from({ length: 4 }, () => ['none', 'none', 'none']), undefined, undefined]);
  scene.setEnvironment({});
});

test('an admin who searches finds orders of every seller by each of the three', async () => {
  await open();
  for (const one of [sale, foreign]) {
    await one.bill('bob@example.com');
    expect(idsIn(await scene.searchAll({ license_key: one.firstKey }))).toEqual([one.id]);
    expect(idsIn(await scene.searchAll({ order_id: one.id }))).toEqual([one.id]);
  }
  expect(idsIn(await scene.searchAll({ buyer_email: 'bob@example.com' })).toSorted()).toEqual([sale.id, foreign.id].toSorted());
  expect(await scene.searchAll({ license_key: 'LIC1-AAAAA-BBBBB-CCCCC' })).toMatchObject(nothing);
  const found = (await scene.auditOf('orders')).map(({ actor, action, after }) => [actor, action, after]);
  expect(found).toContainEqual(['admin-1', 'order.search', { by: 'buyer_email', found: 2 }]);
});

test('the limit of searches is each user’s, in the table under no name of theirs, and holds for refused ones, after the credential', async () => {
  await open();
  scene.setEnvironment({ RATE_LIMIT_SEARCH: '2' });
  const limited = { status: 429, json: { code: 'rate_limited' }, headers: { 'retry-after': expect.stringMatching(/^\d+$/) } };
  const order_id = sale.id;
  for (let count = 0; count < 3; count += 1) {
    expect((await scene.searchAll({ order_id }, { 'X-User-ID': 'alice' })).status).toBe(403);
  }
  expect((await shop.search({ order_id })).status).toBe(200);
  expect((await shop.search({})).status).toBe(400);
  for (const body of [{ order_id }, {}]) expect(await shop.search(body)).toMatchObject(limited);
  expect((await other.search({ order_id })).status).toBe(200);
  scene.passDays(31 / (24 * 3600));
  expect((await shop.search({ order_id })).status).toBe(200);
  expect(await shop.search({ order_id })).toMatchObject(limited);

  // Ids that look like addresses of one network are those of different users.
  for (const userId of ['admin-1', '2001:db8::1', '2001:db8::2']) {
    const as = { ...asAdmin, 'X-User-ID': userId };
    for (const status of [200, 200, 429]) expect((await scene.searchAll({ order_id }, as)).status).toBe(status);
  }
  scene.setEnvironment({ RATE_LIMIT_SEARCH: '2' });
  expect(await shop.search({ order_id })).toMatchObject(limited);
  const buckets = (await readContents(scene)).filter(({ pk }) => String(pk).startsWith('RATE#'));
  expect([buckets.length, /alice|admin/.test(JSON.stringify(buckets))]).toEqual([5, false]);
});
