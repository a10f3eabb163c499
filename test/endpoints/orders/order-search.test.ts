import { beforeEach, describe, expect, test } from '@jest/globals';
import { readContents } from '../../support/engines/table-contents.ts';
import { keyringText } from '../../support/samples/licenses.ts';
import { asAdmin, type DeskScene, idsIn, openDeskScene, type Sale, type Shop } from '../../support/scenes/licenses/sales-scene.ts';

let scene: DeskScene;
let shop: Shop;
let other: Shop;
let sale: Sale;
let foreign: Sale;
beforeEach(async () => {
  scene = await openDeskScene();
  shop = await scene.openShop('alice');
  other = await scene.openShop('bob');
  sale = await shop.sell();
  foreign = await other.sell();
});

const nothing = { status: 200, json: { items: [] } };
const invalid = { status: 400, json: { code: 'invalid_request' } };

describe('a seller who searches by license key', () => {
  test('finds the sale, as the list of sales shows it', async () => {
    const listed = await shop.ask('GET', '');
    const found = await shop.search({ license_key: sale.firstKey });
    expect(found.status).toBe(200);
    expect(found.json).toEqual({ items: listed.json.items });
    expect(found.json.items).toHaveLength(1);
    expect(found.text).not.toContain(sale.firstKey);
  });

  test('finds it in every spelling of the key', async () => {
    for (const license_key of [
      sale.firstKey.toLowerCase(),
      ` ${sale.firstKey} `,
      sale.firstKey.replaceAll('-', ''),
      sale.firstKey.replaceAll('-', ' – '),
      sale.firstKey.replaceAll('1', 'l').replaceAll('0', 'o'),
    ]) {
      expect(idsIn(await shop.search({ license_key }))).toEqual([sale.id]);
    }
  });

  test('finds nothing of another seller, nor under anything but the whole key', async () => {
    const [prefix = ''] = sale.firstKey.split('-');
    for (const license_key of [
      foreign.firstKey,
      sale.firstKey.slice(0, -1),
      sale.firstKey.slice(0, 17),
      `${prefix}-*`,
      '*',
      '%',
      `${sale.firstKey.slice(0, -5)}_____`,
      `${sale.firstKey.slice(0, -5)}?????`,
      `${sale.firstKey}X`,
      `${sale.firstKey},${sale.firstKey}`,
      '--------',
      'ключ-ключ-ключ',
      'x'.repeat(512),
      '\u{1d7d8}'.repeat(512),
      sale.license.lookup,
      sale.firstKey.slice(-4),
    ]) {
      expect({ license_key, reply: await shop.search({ license_key }) }).toMatchObject({ license_key, reply: nothing });
    }
  });

  test('finds it in every product of theirs, also an imported code that another product has too', async () => {
    const imported = { licenseIssuanceMode: 'imported_csv', key: 'Code-2026-0001' } as const;
    const [one, two] = [await shop.addProduct(), await shop.addProduct()];
    const first = await shop.sell({ ...imported, productId: one.id });
    const second = await shop.sell({ ...imported, productId: two.id });
    await other.sell(imported);
    for (const license_key of ['CODE 2026 ooo1', '「CODE_2026.ooo1」']) {
      expect(idsIn(await shop.search({ license_key })).toSorted()).toEqual([first.id, second.id].toSorted());
    }
  });

  test('finds it under a former key too, before, while and after re-keying', async () => {
    await sale.replaceKey();
    const newKey = await sale.learnKey();
    const findsBoth = async () => {
      for (const license_key of [sale.firstKey, newKey]) expect(idsIn(await shop.search({ license_key }))).toEqual([sale.id]);
    };
    await findsBoth();
    scene.setPeppers('2', '1');
    await findsBoth();
    for (let pass = 0; pass < 4; pass += 1) {
      await scene.rekey();
      await findsBoth();
      scene.passDays(2 / (24 * 60));
    }
    scene.setPeppers('2');
    await findsBoth();
  });

  test('reads as often however many products there are', async () => {
    for (let added = 1; added < 100; added += 1) await shop.addProduct();
    scene.takeRequestCounts();
    await shop.search({ license_key: sale.firstKey });
    const { TransactWriteItems, ...reads } = scene.takeRequestCounts();
    expect(reads).toEqual({ GetItem: 2, Query: 2, BatchGetItem: 6 });
    scene.setPeppers('2', '1');
    await shop.search({ license_key: sale.firstKey });
    expect(scene.takeRequestCounts()).toMatchObject({ BatchGetItem: 7 });
  });

  test('reads no license for what no key can be', async () => {
    scene.takeRequestCounts();
    await shop.search({ license_key: 'SEVEN-7' });
    expect(scene.takeRequestCounts()['BatchGetItem']).toBeUndefined();
  });
});

describe('a seller who searches by the buyer’s address', () => {
  test('finds that buyer’s orders of theirs alone, newest first', async () => {
    scene.passDays(1);
    const later = await shop.sell();
    const unknown = await shop.sell();
    for (const one of [sale, later, foreign]) await one.bill('Bob@Example.com');
    await unknown.bill('other@example.com');
    expect(idsIn(await shop.search({ buyer_email: 'bob@example.com' }))).toEqual([later.id, sale.id]);
    expect(idsIn(await other.search({ buyer_email: 'BOB@EXAMPLE.COM' }))).toEqual([foreign.id]);
  });

  test('finds nothing by a part of it or a pattern', async () => {
    await sale.bill('bob@example.com');
    for (const buyer_email of [
      'ob@example.com',
      'bob@example.co',
      '*@example.com',
      'bob%@example.com',
      'b_b@example.com',
      'x@example.com',
    ]) {
      expect(await shop.search({ buyer_email })).toMatchObject(nothing);
    }
    for (const buyer_email of ['bob', '*', '', `${'b'.repeat(250)}@example.com`, 'bob@example.com,x@example.com', 7, null]) {
      expect(await shop.search({ buyer_email })).toMatchObject(invalid);
    }
  });

  test('finds what was stored under each known version of the encryption key', async () => {
    scene.passDays(1);
    const later = await shop.sell();
    await sale.bill('bob@example.com', 'e1');
    await later.bill('bob@example.com', 'e2');
    scene.setKeys({ ENCRYPTION_KEYS: keyringText('e3', 'e2', 'e1') });
    expect(idsIn(await shop.search({ buyer_email: 'bob@example.com' }))).toEqual([later.id, sale.id]);
    scene.setKeys({ ENCRYPTION_KEYS: keyringText('e2') });
    expect(idsIn(await shop.search({ buyer_email: 'bob@example.com' }))).toEqual([later.id]);
  });

  test('comes to all of them in pages of 100, however many others sold to the buyer', async () => {
    const sold: string[] = [];
    for (let count = 0; count < 205; count += 1) {
      scene.passDays(1 / (24 * 60));
      const one = await (count % 2 === 0 ? shop : other).sell();
      await one.bill('bulk@example.com');
      if (count % 2 === 0) sold.unshift(one.id);
    }
    const first = await shop.search({ buyer_email: 'bulk@example.com' });
    expect(idsIn(first)).toEqual(sold.slice(0, 100));
    const second = await shop.search({ buyer_email: 'bulk@example.com', cursor: first.json.next_cursor });
    expect(idsIn(second)).toEqual(sold.slice(100));
    expect(second.json.next_cursor).toBeUndefined();
    // The place that the cursor names is an order that the seller was shown.
    expect(Buffer.from(first.json.next_cursor, 'base64url').toString()).toContain(sold[99]);
    expect(await shop.search({ license_key: sale.firstKey, cursor: first.json.next_cursor })).toMatchObject(invalid);
    expect(await shop.search({ buyer_email: 'bulk@example.com', cursor: 'nonsense' })).toMatchObject(invalid);
  });
});

describe('a seller who searches by order id', () => {
  test('finds a sale of theirs, paid or not, and nothing of another', async () => {
    const pending = await shop.sell({}, { status: 'pending', checkout: {}, licenseId: undefined });
    expect(idsIn(await shop.search({ order_id: sale.id }))).toEqual([sale.id]);
    expect(idsIn(await shop.search({ order_id: pending.id }))).toEqual([pending.id]);
    for (const order_id of [foreign.id, sale.id.slice(0, -1), 'ord_*', 'nonsense', sale.license.id, '%00', sale.id.toLowerCase()]) {
      expect(await shop.search({ order_id })).toMatchObject(nothing);
    }
    for (const order_id of ['x'.repeat(65), '', ' ']) expect(await shop.search({ order_id })).toMatchObject(invalid);
  });
});

describe('a search', () => {
  test.each([
    ['nothing', {}],
    ['a cursor alone', { cursor: 'abc' }],
    ['a key that is null', { license_key: null }],
    ['a key that is blank', { license_key: ' ' }],
    ['a key over 512 characters', { license_key: 'x'.repeat(513) }],
    ['a key of a hundred thousand characters', { license_key: '\u{fdfa}'.repeat(80_000) }],
    ['a list of keys', { license_key: ['LIC1-AAAAA'] }],
    ['key and address', { license_key: 'LIC1-AAAAA-BBBBB', buyer_email: 'bob@example.com' }],
    ['address and order', { buyer_email: 'bob@example.com', order_id: 'ord_1' }],
    ['all three', { license_key: 'LIC1-AAAAA-BBBBB', buyer_email: 'bob@example.com', order_id: 'ord_1' }],
  ])('for %s is refused, and read and recorded nowhere', async (_, body) => {
    const before = await readContents(scene);
    expect(await shop.search(body)).toMatchObject(invalid);
    expect(await scene.searchAll(body)).toMatchObject(invalid);
    expect(await readContents(scene)).toEqual(before);
  });

  test.each([
    ['license_key', true],
    ['license_key', false],
    ['buyer_email', true],
    ['order_id', true],
  ] as const)('by %s is recorded without what was asked for, found: %s', async (by, isFound) => {
    await sale.bill('bob@example.com');
    const key = isFound ? sale.firstKey : 'LIC1-AAAAA-BBBBB-CCCCC';
    const value = { license_key: key, buyer_email: 'bob@example.com', order_id: sale.id }[by];
    const before = await readContents(scene);
    await shop.search({ [by]: value });
    const after = await readContents(scene);
    const added = after.filter((item) => !before.some(({ pk, sk }) => pk === item['pk'] && sk === item['sk']));
    expect(after).toHaveLength(before.length + 1);
    const facts = { by, found: isFound ? 1 : 0 };
    expect(added).toMatchObject([{ actor: 'alice', action: 'order.search', targetId: shop.seller.id, after: facts }]);
    expect(JSON.stringify([added, scene.logged])).not.toContain(value);
    expect(added[0]).not.toHaveProperty('note');
  });

  test('by a suspended seller finds their sales', async () => {
    await shop.review('suspended');
    expect(idsIn(await shop.search({ license_key: sale.firstKey }))).toEqual([sale.id]);
  });
});

describe('an admin who searches', () => {
  test('finds orders of every seller by each of the three', async () => {
    for (const one of [sale, foreign]) await one.bill('bob@example.com');
    for (const one of [sale, foreign]) {
      expect(idsIn(await scene.searchAll({ license_key: one.firstKey }))).toEqual([one.id]);
      expect(idsIn(await scene.searchAll({ order_id: one.id }))).toEqual([one.id]);
    }
    expect(idsIn(await scene.searchAll({ buyer_email: 'bob@example.com' })).toSorted()).toEqual([sale.id, foreign.id].toSorted());
    expect(await scene.searchAll({ license_key: 'LIC1-AAAAA-BBBBB-CCCCC' })).toMatchObject(nothing);
    const found = await scene.auditOf('orders');
    expect(found.map(({ actor, action, after }) => [actor, action, after])).toContainEqual([
      'admin-1',
      'order.search',
      { by: 'buyer_email', found: 2 },
    ]);
  });

  test('finds a former key', async () => {
    await foreign.replaceKey();
    expect(idsIn(await scene.searchAll({ license_key: foreign.firstKey }))).toEqual([foreign.id]);
  });

  test('finds one code of two sellers', async () => {
    const imported = { licenseIssuanceMode: 'imported_csv', key: 'CODE-2026-0001' } as const;
    const both = [await shop.sell(imported), await other.sell(imported)];
    expect(idsIn(await scene.searchAll({ license_key: 'code20260001' })).toSorted()).toEqual(both.map(({ id }) => id).toSorted());
  });
});

describe('the limit of searches', () => {
  const limited = { status: 429, json: { code: 'rate_limited' }, headers: { 'retry-after': expect.stringMatching(/^\d+$/) } };
  const buckets = async () => (await readContents(scene)).filter(({ pk }) => String(pk).startsWith('RATE#'));

  test('is 30 a minute and user, whatever the address, and holds for refused ones too', async () => {
    scene.setKeys({ RATE_LIMIT_SEARCH: '30' });
    for (let count = 0; count < 15; count += 1) {
      expect((await shop.search({ order_id: sale.id })).status).toBe(200);
      expect((await shop.search({})).status).toBe(400);
    }
    expect(await shop.search({ order_id: sale.id })).toMatchObject(limited);
    expect(await shop.search({})).toMatchObject(limited);
    expect((await other.search({ order_id: sale.id })).status).toBe(200);
    scene.passDays(2 / (24 * 3600));
    expect((await shop.search({ order_id: sale.id })).status).toBe(200);
    expect(await shop.search({ order_id: sale.id })).toMatchObject(limited);
  });

  test('keeps a bucket in the table, under no name of the user', async () => {
    scene.setKeys({ RATE_LIMIT_SEARCH: '1' });
    await shop.search({ order_id: sale.id });
    expect(await scene.searchAll({ order_id: sale.id })).toMatchObject({ status: 200 });
    expect(await scene.searchAll({ order_id: sale.id })).toMatchObject(limited);
    expect(await scene.searchAll({ order_id: sale.id }, { ...asAdmin, 'X-User-ID': 'admin-2' })).toMatchObject({ status: 200 });
    expect(await buckets()).toHaveLength(3);
    expect(JSON.stringify(await buckets())).not.toMatch(/alice|admin/);
    scene.setKeys({ RATE_LIMIT_SEARCH: '1' });
    expect(await shop.search({ order_id: sale.id })).toMatchObject(limited);
  });

  test('takes users whose ids look like addresses of one network for different users', async () => {
    scene.setKeys({ RATE_LIMIT_SEARCH: '1' });
    const users = ['2001:db8::1', '2001:db8::2'].map((userId) => ({ ...asAdmin, 'X-User-ID': userId }));
    for (const user of users) expect((await scene.searchAll({ order_id: sale.id }, user)).status).toBe(200);
    expect(await buckets()).toHaveLength(2);
  });

  test('comes after the credential', async () => {
    scene.setKeys({ RATE_LIMIT_SEARCH: '1' });
    for (let count = 0; count < 3; count += 1) {
      expect((await scene.searchAll({ order_id: sale.id }, { 'X-User-ID': 'alice' })).status).toBe(403);
    }
    expect((await shop.search({ order_id: sale.id })).status).toBe(200);
  });
});
