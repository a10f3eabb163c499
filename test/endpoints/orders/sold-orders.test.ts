import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { decodeJwt } from 'jose';
import { sealText } from '../../../shared/crypto/sealed-text.ts';
import { newId } from '../../../shared/ids.ts';
import { readPayment, replacePayment } from '../../../shared/payments/payment-repository.ts';
import { readContents } from '../../support/engines/table-contents.ts';
import { encryptionKeys } from '../../support/samples/licenses.ts';
import { createEventLog } from '../../support/scenes/events/event-log.ts';
import { type DeskScene, openDeskScene, type Sale, type Shop } from '../../support/scenes/licenses/sales-scene.ts';

let scene: DeskScene;
let shop: Shop;
let owner: string;
let sale: Sale;
let owners = 0;
beforeAll(async () => {
  scene = await openDeskScene();
});
beforeEach(async () => {
  owners += 1;
  owner = `owner-${owners}`;
  shop = await scene.openShop(owner);
  sale = await shop.sell({ activationLimit: 3 });
});

const error = (status: number, code: string) => ({ status, json: { code } });
const codeOf = async (one: Sale, device: string) => (await one.app('validate', device)).json.code;
const seats = async (one: Sale, count: number) => expect(await one.seats()).toEqual({ activationCount: count, active: count });

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
    await scene.seatMany(crowd.license, 3, 40);
    scene.takeRequestCounts();
    const pages = [await crowd.show()];
    expect(scene.takeRequestCounts()).toEqual({ GetItem: 6, Query: 1 + 3 });
    while (pages.at(-1)?.json.next_cursor) pages.push(await crowd.show(`?limit=30&cursor=${pages.at(-1)?.json.next_cursor}`));
    const shown = pages.map(({ json }): { id: string; name: string }[] => json.license.activations);
    expect(shown.map(({ length }) => length)).toEqual([50, 30, 30, 10]);
    expect(new Set(shown.flat().map(({ id }) => id)).size).toBe(120);
    expect(new Set(shown.flat().map(({ name }) => name))).toEqual(new Set(shown.flat().map((_, at) => `device ${at + 1}`)));
    for (const query of ['limit=0', 'limit=101', 'cursor=abc', `cursor=${pages[0]?.json.next_cursor}&cursor=x`]) {
      expect(await crowd.show(`?${query}`)).toMatchObject(error(400, 'invalid_request'));
    }
    expect(await sale.show(`?cursor=${pages[0]?.json.next_cursor}`)).toMatchObject(error(400, 'invalid_request'));
  });

  test('shows the devices of a former key as freed, and the limit as it was', async () => {
    await sale.app('activate', 'laptop');
    await sale.limit(7);
    await sale.replaceKey();
    const { license } = (await sale.show()).json;
    const activations = [{ deactivated_at: scene.now().toISOString() }];
    expect(license).toMatchObject({ activation_limit: 7, activation_count: 0, activations });
  });

  test.each([
    ['', 0],
    [', with what was given back', 400],
  ])('has the invoice that its buyer and admins are shown%s', async (_, refundedAmount) => {
    const paymentIntentId = `pi_of_${refundedAmount}`;
    const payment = await readPayment(scene.table, paymentIntentId);
    const refundTimes = { [refundedAmount]: scene.now().toISOString() };
    await scene.table.write(replacePayment(payment, { ...payment, charge: { ...payment.charge, refundedAmount, refundTimes } }));
    const partly = refundedAmount > 0 && ({ status: 'partially_refunded', paymentStatus: 'partially_refunded' } as const);
    const terms = { registrationNumber: 'T1234567890123', sellerName: 'Minato K.K.', taxPercent: 8 };
    const invoiced = await shop.sell({}, { invoice: terms, paymentIntentId, ...partly });
    const { invoice } = (await invoiced.ask('complete')).json.order;
    const refunds = partly ? [{ amount: 400, tax_amount: 29, refunded_at: scene.now().toISOString() }] : undefined;
    expect(invoice).toMatchObject({ registration_number: 'T1234567890123', tax_percent: 8 });
    expect(invoice.refunds).toEqual(refunds);
    expect([(await invoiced.show()).json.invoice, (await scene.readAsAdmin(`/${invoiced.id}`)).json.invoice]).toEqual([invoice, invoice]);
  });
});

test.each(['suspended', 'rejected'] as const)('a seller that is %s reads everything and changes nothing', async (status) => {
  await sale.app('activate', 'laptop');
  await shop.review(status);
  const before = await readContents(scene);
  const changes = [
    () => sale.releaseSeat('laptop'),
    () => sale.suspend(),
    () => sale.reinstate(),
    () => sale.limit(7),
    () => sale.resend(),
  ];
  for (const change of changes) expect(await change()).toMatchObject(error(403, 'seller_not_eligible'));
  expect(await sale.releaseSeat('unknown')).toMatchObject(error(404, 'activation_not_found'));
  expect((await sale.show()).status).toBe(200);
  expect((await shop.ask('GET', '')).status).toBe(200);
  expect(await readContents(scene)).toEqual(before);
  await shop.review('approved_limited');
  expect((await sale.limit(4)).status).toBe(200);
});

test('a seat is released once, also where deactivation is forbidden, and uses up none of the buyer’s releases', async () => {
  const strict = await shop.sell({ activationLimit: 1, deactivationAllowed: false });
  await strict.app('activate', 'laptop');
  for (let times = 0; times < 2; times += 1) {
    expect(await strict.releaseSeat('laptop')).toMatchObject({ status: 200, json: { id: strict.license.id, activation_count: 0 } });
  }
  await seats(strict, 0);
  expect(await strict.audited()).toEqual([`${owner} license.release_activation`]);
  expect((await strict.devices()).json.moves_left).toBe(5);
  expect(await codeOf(strict, 'desk')).toBe('valid');
  expect((await strict.app('activate', 'desk')).json.code).toBe('activated');
});

test('a link is mailed again, and recorded; an order that has no address or was never paid is refused', async () => {
  const id = newId('order');
  const sealedBuyerEmail = sealText('bob@example.com', id, encryptionKeys);
  const billed = await shop.sell({}, { id, sealedBuyerEmail });
  const sent = scene.queue.sent.length;
  expect(await billed.resend()).toMatchObject({ status: 202, json: {} });
  expect(scene.queue.sent.slice(sent)).toEqual([expect.stringContaining(`send-mail:${billed.id}`)]);
  expect(await scene.auditOf(billed.id)).toMatchObject([{ actor: owner, action: 'order.resend_link', targetId: billed.id }]);
  expect(await sale.resend()).toMatchObject(error(400, 'invalid_request'));
  const pending = await shop.sell({}, { status: 'pending', checkout: {}, licenseId: undefined });
  expect(await pending.resend()).toMatchObject(error(400, 'order_not_paid'));
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
    expect(suspended).toMatchObject({ actor: owner, action: 'license.suspend', before, after, note: 'Unpaid invoice.' });
    expect(reinstated).toMatchObject({ actor: owner, action: 'license.reinstate', before: after, after: before });
  });

  test('stays so when it is suspended again, which is recorded once; the same of reinstating', async () => {
    expect((await sale.reinstate()).json.status).toBe('active');
    const first = await sale.suspend({ reason: '' });
    const stored = await sale.stored();
    scene.passDays(1);
    expect(await sale.suspend({ reason: 'second' })).toMatchObject({ status: 200, json: first.json });
    expect(await sale.stored()).toEqual(stored);
    for (let times = 0; times < 2; times += 1) expect((await sale.reinstate()).json.status).toBe('active');
    expect(await sale.audited()).toEqual([`${owner} license.reinstate`, `${owner} license.suspend`]);
    expect(await sale.stored()).toEqual(sale.license);
  });

  test.each([
    ['revoked', (one: Sale) => one.admin('POST', '/revoke')],
    ['disputed', (one: Sale) => one.hold('disputed')],
  ] as const)('that is %s shows that, and is suspended again when that ends', async (status, stop) => {
    await sale.app('activate', 'laptop');
    await sale.suspend();
    expect((await sale.releaseSeat('laptop')).json).toMatchObject({ status: 'suspended', activation_count: 0 });
    expect((await sale.limit(9)).json).toMatchObject({ status: 'suspended', activation_limit: 9 });
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
});

describe('the limit of a license', () => {
  test('that is lowered ejects nobody and blocks new seats, until enough have left or it is raised', async () => {
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
    expect((await sale.limit(2)).json).toMatchObject({ activation_limit: 2 });
    expect((await sale.app('activate', 'desk')).json).toMatchObject({ code: 'activated', activation_limit: 2, activation_count: 2 });
  });

  test('is recorded with what it was, and once', async () => {
    for (let times = 0; times < 2; times += 1) expect((await sale.limit(5)).json.activation_limit).toBe(5);
    expect(await scene.auditOf(sale.license.id)).toMatchObject([
      { actor: owner, action: 'license.change_limit', before: { activationLimit: 3 }, after: { activationLimit: 5 } },
    ]);
    expect((await sale.limit(3)).json.activation_limit).toBe(3);
    expect(await sale.stored()).toEqual(sale.license);
  });

  test('is one device to 100,000', async () => {
    for (const limit of [0, 100_001, 1.5, '3', undefined]) {
      expect(await sale.limit(limit)).toMatchObject(error(400, 'invalid_request'));
    }
    expect(await sale.stored()).toEqual(sale.license);
    for (const limit of [1, 100_000]) expect(await sale.limit(limit)).toMatchObject({ status: 200, json: { activation_limit: limit } });
  });
});

describe('the end of updates of a license', () => {
  const issuedAt = '2026-01-31T09:00:00.000Z';
  const updatesUntil = '2027-01-31T09:00:00.000Z';
  const latest = '2126-01-07T09:00:00.000Z';
  let limited: Sale;
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
      { actor: owner, action: 'license.change_limit', before: { activationLimit: 3 }, after: { activationLimit: 5 } },
      { actor: owner, action: 'license.extend_updates', before: { updatesUntil }, after: { updatesUntil: latest } },
    ]);
    const told = (await log.recordedOf(limited.license.id)).map(({ type, data }) => ({ type, ...data }));
    const { id: licenseId, orderId, productId } = limited.license;
    const changed = { activationLimit: 5, updatesUntil: latest, cause: 'seller_changed' };
    expect(told).toEqual([{ type: 'license.changed', licenseId, orderId, productId, ...changed }]);
  });

  test('may not be earlier, later than in a hundred years, or no moment, nor is the limit beside it changed then', async () => {
    for (const end of [
      ...['2027-01-31T08:59:59.999Z', '2126-01-07T09:00:00.001Z', '2027-06-30', '2027-06-30T09:00:00', '2027-06-30T09:00:00+09:00'],
      ...['2027-02-30T09:00:00.000Z', 1_814_346_000, null],
    ]) {
      const reply = await limited.extend(end, { activation_limit: 5 });
      expect([end, reply]).toMatchObject([end, error(400, 'invalid_request')]);
      expect(reply.json.message).toMatch(/^updates_until /);
    }
    // As it is already.
    expect(await limited.extend(updatesUntil)).toMatchObject({ status: 200, json: { updates_until: updatesUntil } });
    expect(await limited.stored()).toEqual(limited.license);
    expect(await scene.auditOf(limited.license.id)).toEqual([]);
  });

  test('is given to no license that has none', async () => {
    expect(await sale.extend(latest)).toMatchObject(error(400, 'invalid_request'));
    expect((await sale.limit(9)).json).not.toHaveProperty('updates_until');
    expect(await sale.stored()).toEqual({ ...sale.license, activationLimit: 9 });
  });
});
