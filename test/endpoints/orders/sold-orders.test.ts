import { beforeEach, describe, expect, test } from '@jest/globals';
import { decodeJwt } from 'jose';
import { sealText } from '../../../shared/crypto/sealed-text.ts';
import { newId } from '../../../shared/ids.ts';
import { takeSeat } from '../../../shared/licenses/license-repository.ts';
import { readContents } from '../../support/engines/table-contents.ts';
import { encryptionKeys } from '../../support/samples/licenses.ts';
import { createEventLog } from '../../support/scenes/events/event-log.ts';
import { type DeskScene, openDeskScene, type Sale, type Shop } from '../../support/scenes/licenses/sales-scene.ts';

let scene: DeskScene;
let shop: Shop;
let _other: Shop;
let sale: Sale;
beforeEach(async () => {
  scene = await openDeskScene();
  shop = await scene.openShop('alice');
  _other = await scene.openShop('bob');
  sale = await shop.sell({ activationLimit: 3 });
});

const error = (status: number, code: string) => ({ status, json: { code } });
const codeOf = async (one: Sale, device: string) => (await one.app('validate', device)).json.code;
const seats = async (one: Sale, count: number) => expect(await one.seats()).toEqual({ activationCount: count, active: count });

/** Every change that a seller may make of a sale, each of which would change something. */
const changes: Record<string, (one: Sale) => Promise<{ status: number; json: any }>> = {
  'release a device': (one) => one.releaseSeat('laptop'),
  'suspend the license': (one) => one.suspend(),
  'reinstate the license': (one) => one.reinstate(),
  'change the limit': (one) => one.limit(7),
  'resend the link': (one) => one.resend(),
};

describe('a sale in detail', () => {
  test('is its item of the list with license and devices, without label, buyer and key', async () => {
    await sale.app('activate', 'laptop', { label: 'Of Bob' });
    scene.passDays(1);
    await sale.app('activate', 'desk');
    await sale.app('deactivate', 'desk');
    const [item] = (await shop.ask('GET', '')).json.items;
    const reply = await sale.show();
    const at = scene.now().toISOString();
    const { id, orderId, productId, sellerId, issuedAt } = sale.license;
    expect(reply.json).toEqual({
      ...item,
      manage_url: 'http://127.0.0.1:3000/manage',
      license: {
        id,
        order_id: orderId,
        product_id: productId,
        seller_id: sellerId,
        status: 'active',
        license_issuance_mode: 'generated_server_validated',
        license_key_hint: sale.firstKey.slice(-4),
        activation_limit: 3,
        activation_count: 1,
        features: ['pro'],
        deactivation_allowed: true,
        issued_at: issuedAt,
        activations: expect.any(Array),
      },
    });
    expect(reply.json.license.activations.toSorted((a: any, b: any) => (a.activated_at < b.activated_at ? -1 : 1))).toEqual([
      { id: sale.activationId('laptop'), name: 'device 1', activated_at: expect.any(String) },
      { id: sale.activationId('desk'), name: 'device 2', activated_at: at, deactivated_at: at },
    ]);
    expect(reply.text).not.toMatch(new RegExp(`Of Bob|${sale.firstKey}|sealed|laptop`));
    expect(reply.headers['cache-control']).toBe('no-store');
  });

  test('names each device by when it was first activated, released and activated again or not', async () => {
    const named = await shop.sell({ activationLimit: 3 });
    const names = async () => {
      const { json } = await named.show();
      const known = new Map(json.license.activations.map(({ id, name }: { id: string; name: string }) => [id, name]));
      return ['one', 'two', 'three'].map((device) => known.get(named.activationId(device)));
    };
    for (const device of ['one', 'two']) {
      await named.app('activate', device);
      scene.passDays(1);
    }
    expect(await names()).toEqual(['device 1', 'device 2', undefined]);
    for (const round of [1, 2]) {
      await named.app('deactivate', 'one');
      scene.passDays(round);
      if (round === 1) await named.app('activate', 'three');
      scene.passDays(1);
      await named.app('activate', 'one');
      expect(await names()).toEqual(['device 1', 'device 2', 'device 3']);
    }
    expect((await named.show()).json.manage_url).toMatch(/\/manage$/);
  });

  test('without a license shows none, and has no cursor', async () => {
    const pending = await shop.sell({}, { status: 'pending', checkout: {}, licenseId: undefined });
    const { json } = await pending.show();
    expect(json).toMatchObject({ id: pending.id, status: 'pending' });
    expect(json).not.toHaveProperty('license');
    expect(await pending.show('?cursor=abc')).toMatchObject(error(400, 'invalid_request'));
  });

  test('of very many devices comes in pages', async () => {
    const crowd = await shop.sell({ activationLimit: 100_000 });
    for (let from = 0; from < 3000; from += 50) {
      const writes = Array.from({ length: 50 }, (_, index) => {
        const deviceHash = String(from + index).padStart(26, '0');
        return takeSeat(crowd.license, { deviceHash, deviceLabel: 'x'.repeat(100), now: scene.now() })[0]!;
      });
      await scene.table.transact(writes);
    }
    scene.takeRequestCounts();
    const pages = [await crowd.show()];
    expect(scene.takeRequestCounts()).toEqual({ GetItem: 6, Query: 1 + 3 });
    expect(pages[0]?.json.license.activations).toHaveLength(50);
    while (pages.at(-1)?.json.next_cursor) pages.push(await crowd.show(`?limit=100&cursor=${pages.at(-1)?.json.next_cursor}`));
    const ids = pages.flatMap(({ json }) => json.license.activations.map(({ id }: { id: string }) => id));
    expect([ids.length, new Set(ids).size, pages.length]).toEqual([3000, 3000, 31]);
    const names = pages.flatMap(({ json }) => json.license.activations.map(({ name }: { name: string }) => name));
    expect(new Set(names)).toEqual(new Set(ids.map((_, at) => `device ${at + 1}`)));
    for (const query of ['limit=0', 'limit=101', 'cursor=abc', `cursor=${pages[0]?.json.next_cursor}&cursor=x`]) {
      expect(await crowd.show(`?${query}`)).toMatchObject(error(400, 'invalid_request'));
    }
    expect(await sale.show(`?cursor=${pages[0]?.json.next_cursor}`)).toMatchObject(error(400, 'invalid_request'));
  });

  test('shows the devices of a former key as freed', async () => {
    await sale.app('activate', 'laptop');
    await sale.replaceKey();
    const { license } = (await sale.show()).json;
    expect(license).toMatchObject({ activation_count: 0, activations: [{ deactivated_at: scene.now().toISOString() }] });
  });
});

describe('who may', () => {
  test.each(['suspended', 'rejected'] as const)('a seller that is %s reads everything and changes nothing', async (status) => {
    await sale.app('activate', 'laptop');
    await shop.review(status);
    const before = await readContents(scene);
    for (const change of Object.values(changes)) expect(await change(sale)).toMatchObject(error(403, 'seller_not_eligible'));
    expect(await sale.releaseSeat('unknown')).toMatchObject(error(404, 'activation_not_found'));
    expect((await sale.show()).status).toBe(200);
    expect((await shop.ask('GET', '')).status).toBe(200);
    expect(await readContents(scene)).toEqual(before);
    await shop.review('approved_limited');
    expect((await sale.limit(4)).status).toBe(200);
  });

  test('a license that is not there is not found, nor the device of another', async () => {
    const pending = await shop.sell({}, { status: 'pending', checkout: {}, licenseId: undefined });
    for (const change of [pending.releaseSeat('laptop'), pending.suspend(), pending.reinstate(), pending.limit(2)]) {
      expect(await change).toMatchObject(error(404, 'license_not_found'));
    }
    const another = await shop.sell();
    await another.app('activate', 'laptop');
    const path = `/${sale.id}/activations/${another.activationId('laptop')}/release`;
    expect(await shop.ask('POST', path)).toMatchObject(error(404, 'activation_not_found'));
  });
});

describe('a seat', () => {
  test('is released once, also where deactivation is forbidden, and uses up none of the buyer’s releases', async () => {
    const strict = await shop.sell({ activationLimit: 1, deactivationAllowed: false });
    await strict.app('activate', 'laptop');
    for (let times = 0; times < 2; times += 1) {
      expect(await strict.releaseSeat('laptop')).toMatchObject({ status: 200, json: { id: strict.license.id, activation_count: 0 } });
    }
    await seats(strict, 0);
    expect(await strict.audited()).toEqual(['alice license.release_activation']);
    expect((await strict.devices()).json.moves_left).toBe(5);
    expect(await codeOf(strict, 'desk')).toBe('valid');
    expect((await strict.app('activate', 'desk')).json.code).toBe('activated');
  });
});

describe('a link', () => {
  test('is mailed again, and recorded; an order that has no address or was never paid is refused', async () => {
    const id = newId('order');
    const sealedBuyerEmail = sealText('bob@example.com', id, encryptionKeys);
    const billed = await shop.sell({}, { id, sealedBuyerEmail });
    const sent = scene.queue.sent.length;
    expect(await billed.resend()).toMatchObject({ status: 202, json: {} });
    expect(scene.queue.sent.slice(sent)).toEqual([expect.stringContaining(`send-mail:${billed.id}`)]);
    expect(await scene.auditOf(billed.id)).toMatchObject([{ actor: 'alice', action: 'order.resend_link', targetId: billed.id }]);
    expect(await sale.resend()).toMatchObject(error(400, 'invalid_request'));
    const pending = await shop.sell({}, { status: 'pending', checkout: {}, licenseId: undefined });
    expect(await pending.resend()).toMatchObject(error(400, 'order_not_paid'));
  });
});

describe('a suspended license', () => {
  test('is refused at the very next call, keeps its seats, and is as it was once reinstated', async () => {
    await sale.app('activate', 'laptop');
    expect(await sale.suspend({ reason: 'Unpaid invoice.' })).toMatchObject({
      status: 200,
      json: { status: 'suspended', activation_count: 1 },
    });
    const refused = { valid: false, code: 'license_suspended', status: 'suspended' };
    expect((await sale.app('validate', 'laptop')).json).toMatchObject({ ...refused, device_activated: true });
    expect((await sale.app('validate', 'laptop')).json).not.toHaveProperty('lease');
    expect((await sale.app('activate', 'desk')).json).toMatchObject(refused);
    expect((await sale.show()).json).toMatchObject({ status: 'paid', license_status: 'suspended', license: { status: 'suspended' } });
    expect(await sale.reinstate()).toMatchObject({ status: 200, json: { status: 'active', activation_count: 1 } });
    expect((await sale.app('validate', 'laptop')).json).toMatchObject({ valid: true, code: 'valid', lease: expect.any(String) });
    await seats(sale, 1);

    const [reinstated, suspended] = await scene.auditOf(sale.license.id);
    const [before, after] = [
      { status: 'active', suspended: false },
      { status: 'suspended', suspended: true },
    ];
    expect(suspended).toMatchObject({ actor: 'alice', action: 'license.suspend', before, after, note: 'Unpaid invoice.' });
    expect(reinstated).toMatchObject({ actor: 'alice', action: 'license.reinstate', before: after, after: before });
  });

  test('stays so when it is suspended again, which is recorded once; the same of reinstating', async () => {
    expect((await sale.reinstate()).json.status).toBe('active');
    const first = await sale.suspend({ reason: 'first' });
    const stored = await sale.stored();
    scene.passDays(1);
    expect(await sale.suspend({ reason: 'second' })).toMatchObject({ status: 200, json: first.json });
    expect(await sale.stored()).toEqual(stored);
    for (let times = 0; times < 2; times += 1) expect((await sale.reinstate()).json.status).toBe('active');
    expect(await sale.audited()).toEqual(['alice license.reinstate', 'alice license.suspend']);
    expect(await sale.stored()).toEqual(sale.license);
  });

  test.each(['', '{"reason":""}', JSON.stringify({ reason: '理'.repeat(500) })])('takes the body %s', async (body) => {
    const headers = { 'X-User-ID': 'alice', 'Content-Type': 'application/json' };
    expect((await scene.askAs(headers, 'POST', `/v1/orders/${sale.id}/license/suspend`, body)).status).toBe(200);
  });

  test.each(['null', '{"reason":7}', JSON.stringify({ reason: 'r'.repeat(501) })])('refuses the body %s', async (body) => {
    const headers = { 'X-User-ID': 'alice', 'Content-Type': 'application/json' };
    expect(await scene.askAs(headers, 'POST', `/v1/orders/${sale.id}/license/suspend`, body)).toMatchObject(error(400, 'invalid_request'));
    expect(await codeOf(sale, 'laptop')).toBe('valid');
  });

  test.each([
    ['revoked', (one: Sale) => one.admin('POST', '/revoke')],
    ['disputed', (one: Sale) => one.hold('disputed')],
  ] as const)('that is %s shows that, and is suspended again when that ends', async (status, stop) => {
    await sale.suspend();
    await stop(sale);
    expect((await sale.show()).json.license.status).toBe(status);
    expect(await codeOf(sale, 'laptop')).toBe(`license_${status}`);
    if (status === 'revoked') {
      expect((await sale.reinstate()).json.status).toBe('revoked');
      return;
    }
    await sale.hold(undefined);
    expect(await codeOf(sale, 'laptop')).toBe('license_suspended');
  });

  test('is told of to the seller’s systems once, and once when it is reinstated; so is a limit', async () => {
    const log = createEventLog({ table: scene.table });
    for (const change of [sale.suspend, sale.suspend, () => sale.limit(7), sale.reinstate, sale.reinstate]) await change();
    const told = (await log.recordedOf(sale.license.id)).map(({ sellerId, type, data }) => ({ sellerId, type, ...data }));
    const ofLicense = { licenseId: sale.license.id, orderId: sale.license.orderId, productId: sale.license.productId };
    const change = { sellerId: sale.license.sellerId, type: 'license.status_changed', ...ofLicense };
    expect(told).toEqual([
      { ...change, previousStatus: 'active', status: 'suspended' },
      { ...change, type: 'license.changed', activationLimit: 7, cause: 'seller_changed' },
      { ...change, previousStatus: 'suspended', status: 'active' },
    ]);
  });

  test('shows its key to the buyer, who cannot replace it', async () => {
    await sale.suspend();
    const { json } = await sale.ask('complete');
    expect(json.license).toMatchObject({ status: 'suspended', license_key: sale.firstKey });
    expect(await sale.replaceKey()).toMatchObject(error(403, 'license_not_usable'));
  });

  test('releases seats, and its limit can be changed', async () => {
    await sale.app('activate', 'laptop');
    await sale.suspend();
    expect((await sale.releaseSeat('laptop')).json).toMatchObject({ status: 'suspended', activation_count: 0 });
    expect((await sale.limit(9)).json).toMatchObject({ status: 'suspended', activation_limit: 9 });
  });
});

describe('the limit of a license', () => {
  test('that is lowered ejects nobody and blocks new seats, until enough have left', async () => {
    for (const device of ['laptop', 'desk', 'tablet']) await sale.app('activate', device);
    expect(await sale.limit(1)).toMatchObject({ status: 200, json: { activation_limit: 1, activation_count: 3 } });
    expect((await sale.app('validate', 'tablet')).json).toMatchObject({ valid: true, device_activated: true, activation_limit: 1 });
    expect((await sale.app('activate', 'tablet')).json.code).toBe('already_activated');
    const taken = async () => expect(await sale.app('activate', 'phone')).toMatchObject(error(409, 'activation_limit_exceeded'));
    await taken();
    await sale.app('deactivate', 'laptop');
    await taken();
    await sale.app('deactivate', 'desk');
    await taken();
    await sale.app('deactivate', 'tablet');
    expect((await sale.app('activate', 'phone')).json.code).toBe('activated');
    await seats(sale, 1);
  });

  test('that is raised lets more in at the next call', async () => {
    const single = await shop.sell({ activationLimit: 1 });
    await single.app('activate', 'laptop');
    expect((await single.app('activate', 'desk')).status).toBe(409);
    expect((await single.limit(2)).json).toMatchObject({ activation_limit: 2 });
    expect((await single.app('activate', 'desk')).json).toMatchObject({ code: 'activated', activation_limit: 2, activation_count: 2 });
    expect((await single.app('activate', 'phone')).status).toBe(409);
  });

  test('is recorded with what it was, and once', async () => {
    for (let times = 0; times < 2; times += 1) expect((await sale.limit(5)).json.activation_limit).toBe(5);
    expect(await scene.auditOf(sale.license.id)).toMatchObject([
      { actor: 'alice', action: 'license.change_limit', before: { activationLimit: 3 }, after: { activationLimit: 5 } },
    ]);
    expect((await sale.limit(3)).json.activation_limit).toBe(3);
    expect(await sale.stored()).toEqual(sale.license);
  });

  test.each([1, 100_000])('may be %s', async (limit) => {
    expect(await sale.limit(limit)).toMatchObject({ status: 200, json: { activation_limit: limit } });
  });

  test.each([0, 100_001, 1.5, '3', undefined])('may not be %j', async (limit) => {
    expect(await sale.limit(limit)).toMatchObject(error(400, 'invalid_request'));
    expect(await sale.stored()).toEqual(sale.license);
  });

  test('stays when the key is replaced', async () => {
    await sale.limit(7);
    await sale.replaceKey();
    expect((await sale.show()).json.license).toMatchObject({ activation_limit: 7, activation_count: 0 });
  });
});

describe('the end of updates of a license', () => {
  const issuedAt = '2026-01-31T09:00:00.000Z';
  const updatesUntil = '2027-01-31T09:00:00.000Z';
  const latest = '2126-01-07T09:00:00.000Z';
  let limited: typeof sale;
  beforeEach(async () => {
    limited = await shop.sell({ activationLimit: 3, issuedAt, updatesUntil });
  });

  test('is moved later, in any precision, and apps hear of it at the next call', async () => {
    const { json } = await limited.extend('2027-06-30T00:00:00.5Z');
    expect(json).toMatchObject({ updates_until: '2027-06-30T00:00:00.500Z', activation_limit: 3 });
    await limited.app('activate', 'laptop');
    const validated = (await limited.app('validate', 'laptop')).json;
    expect(validated).toMatchObject({ updates_until: json.updates_until });
    expect(decodeJwt(validated.lease)).toMatchObject({ updates_until: Date.parse('2027-06-30T00:00:00Z') / 1000 });
    expect((await limited.extend(latest)).json).toMatchObject({ updates_until: latest });
    await limited.replaceKey();
    expect((await limited.show()).json.license).toMatchObject({ updates_until: latest });
  });

  test('is recorded and told of once, together with a limit that is changed by the same request', async () => {
    const log = createEventLog({ table: scene.table });
    for (let times = 0; times < 2; times += 1)
      expect((await limited.extend(latest, { activation_limit: 5 })).json).toMatchObject({ updates_until: latest, activation_limit: 5 });
    const records = (await scene.auditOf(limited.license.id)).toSorted((a, b) => (a.action < b.action ? -1 : 1));
    expect(records).toMatchObject([
      { actor: 'alice', action: 'license.change_limit', before: { activationLimit: 3 }, after: { activationLimit: 5 } },
      { actor: 'alice', action: 'license.extend_updates', before: { updatesUntil }, after: { updatesUntil: latest } },
    ]);
    const told = (await log.recordedOf(limited.license.id)).map(({ type, data }) => ({ type, ...data }));
    const { id: licenseId, orderId, productId } = limited.license;
    const changed = { activationLimit: 5, updatesUntil: latest, cause: 'seller_changed' };
    expect(told).toEqual([{ type: 'license.changed', licenseId, orderId, productId, ...changed }]);
  });

  test('that it has already changes nothing', async () => {
    expect(await limited.extend(updatesUntil)).toMatchObject({ status: 200, json: { updates_until: updatesUntil } });
    expect(await limited.stored()).toEqual(limited.license);
    expect(await scene.auditOf(limited.license.id)).toEqual([]);
  });

  test.each([
    '2027-01-31T08:59:59.999Z',
    '2126-01-07T09:00:00.001Z',
    '2027-06-30',
    '2027-06-30T09:00:00',
    '2027-06-30T09:00:00+09:00',
    '2027-02-30T09:00:00.000Z',
    1_814_346_000,
    null,
  ])('may not be %j, nor is the limit beside it changed then', async (end) => {
    const reply = await limited.extend(end, { activation_limit: 5 });
    expect(reply).toMatchObject(error(400, 'invalid_request'));
    expect(reply.json.message).toMatch(/^updates_until /);
    expect(await limited.stored()).toEqual(limited.license);
  });

  test('is given to no license that has none', async () => {
    expect(await sale.extend(latest)).toMatchObject(error(400, 'invalid_request'));
    expect((await sale.limit(9)).json).not.toHaveProperty('updates_until');
    expect(await sale.stored()).toEqual({ ...sale.license, activationLimit: 9 });
  });
});
