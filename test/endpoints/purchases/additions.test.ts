import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { licenseKey } from '../../../shared/db/keys.ts';
import { newId } from '../../../shared/ids.ts';
import type { License } from '../../../shared/licenses/license.ts';
import { type AdditionScene, startAdditionScene } from '../../support/scenes/licenses/addition-scene.ts';

let scene: AdditionScene;
beforeAll(async () => {
  scene = await startAdditionScene();
});
afterAll(() => scene.fakeProvider.stop());

const dayMs = 24 * 3600_000;
const offered = { additionPrices: { seat: 700, updates: 1900 }, updatesDays: 365, currency: 'Usd', priceAmount: 4800 };
const outcome = ({ status, json }: { status: number; json: any }) => [status, json.code];

/** Writes the license as if something had happened to it. */
const changeLicense = (license: License, change: Partial<License>) =>
  scene.table.write({ put: { Item: { ...licenseKey(license.lookup), ...license, ...change } } });

describe('an addition', () => {
  test('opens a checkout at the live price, of an order that names the license and no buyer', async () => {
    const { product, order, license, token } = await scene.buy({ ...offered, additionPrices: {} }, { locale: 'ja' });
    await scene.changeProduct(product.id, { ...offered, currency: 'EUR', updatesDays: 90 });
    const reply = await scene.add(token, { kind: 'seats', quantity: 3 });
    expect([reply.status, reply.headers['cache-control']]).toEqual([201, 'no-store']);
    expect(reply.json).toMatchObject({ quantity: 3, unit_amount: 700, amount: 2100, currency: 'EUR' });
    const { order: addition } = await scene.show(reply.json.order_id);
    expect(addition).toMatchObject({
      ...{ kind: 'seats', quantity: 3, unitAmount: 700, addedTo: { orderId: order.id, licenseId: license.id } },
      ...{ locale: 'ja', status: 'pending', applicationFeeAmount: 210, productId: product.id },
    });
    expect(addition.terms.updatesDays).toBe(90);
    const session = await scene.sessionOf(reply.json.checkout_url);
    expect(session).toMatchObject({ client_reference_id: addition.id, amount_total: 2100, customer_email: null });

    const updates = await scene.add(token, { kind: 'updates' });
    expect(updates.json).toMatchObject({ quantity: 1, amount: 1900 });
    expect((await scene.show(updates.json.order_id)).order.kind).toBe('updates');
  });

  test('that is pending is given again, to fifty at once too; another quantity, price or currency is another', async () => {
    const { product, token } = await scene.buy(offered);
    const all = await Promise.all(Array.from({ length: 50 }, () => scene.add(token, { kind: 'seats', quantity: 2 })));
    expect(new Set(all.map(outcome).map(([status]) => status))).toEqual(new Set([201]));
    expect(new Set(all.map(({ json }) => JSON.stringify(json))).size).toBe(1);
    const first = all[0]!.json;
    expect((await scene.add(token, { kind: 'seats', quantity: 1 })).json.order_id).not.toBe(first.order_id);
    expect((await scene.add(token, { kind: 'updates' })).json.order_id).not.toBe(first.order_id);
    expect((await scene.add(token, { kind: 'seats', quantity: 2 })).json).toEqual(first);

    await scene.changeProduct(product.id, { currency: 'GBP' });
    const dearer = (await scene.add(token, { kind: 'seats', quantity: 2 })).json;
    expect(dearer).toMatchObject({ amount: 1400, currency: 'GBP' });
    await scene.changeProduct(product.id, { additionPrices: { seat: 701 } });
    const dearest = (await scene.add(token, { kind: 'seats', quantity: 2 })).json;
    expect(dearest).toMatchObject({ amount: 1402 });
    expect((await scene.add(token, { kind: 'seats', quantity: 2 })).json).toEqual(dearest);
    expect(new Set([first, dearer, dearest].map(({ order_id }) => order_id)).size).toBe(3);

    await scene.changeProduct(product.id, { additionPrices: { seat: 700 } });
    expect((await scene.add(token, { kind: 'seats', quantity: 2, locale: 'en' })).json).toEqual(dearer);
    const english = await scene.add(token, { kind: 'seats', quantity: 9, locale: 'en' });
    expect((await scene.show(english.json.order_id)).order.locale).toBe('en');
  });

  test('is sold again once it is paid, whether or not that was heard of', async () => {
    const { token } = await scene.buy(offered);
    const first = (await scene.add(token)).json;
    await scene.atProvider(first.checkout_url, 'pay');
    const second = (await scene.add(token)).json;
    await scene.pay(second.checkout_url);
    const third = (await scene.add(token)).json;
    expect(new Set([first.order_id, second.order_id, third.order_id]).size).toBe(3);
  });

  test('is refused for the token, the body, the license, the offer, the sale, and what the license would have, in this order', async () => {
    const { product, license, token } = await scene.buy({ ...offered, licenseIssuanceMode: 'generated_server_validated' });
    const stranger = await scene.tokenOf(newId('order'));
    const wrong = { kind: 'seats', quantity: 101 };
    expect(outcome(await scene.add(`${token.slice(0, -4)}AAAA`, wrong))).toEqual([403, 'completion_token_invalid']);
    expect(outcome(await scene.add(stranger, { kind: 'none' }))).toEqual([404, 'order_not_found']);
    for (const sent of ['no token', undefined, 7]) expect(outcome(await scene.add(sent))).toEqual([400, 'invalid_request']);

    await changeLicense(license, { revokedAt: new Date().toISOString() });
    for (const body of [wrong, { kind: 'seats', quantity: 0 }, { kind: 'updates', quantity: 2 }, { kind: 'license' }, {}]) {
      expect(outcome(await scene.add(token, body))).toEqual([400, 'invalid_request']);
    }
    await scene.changeProduct(product.id, { additionPrices: {} });
    expect(outcome(await scene.add(token))).toEqual([403, 'license_not_usable']);
    await changeLicense(license, { activationLimit: 100_000 });
    await scene.changeProduct(product.id, { status: 'suspended' });
    expect(outcome(await scene.add(token))).toEqual([400, 'addition_not_offered']);
    await scene.changeProduct(product.id, { additionPrices: { seat: 50_000_000 } });
    const unsold = await scene.add(token, { kind: 'seats', quantity: 2 });
    expect(outcome(unsold)).toEqual([403, 'checkout_not_available']);
    expect(unsold.json.message).toMatch(/^suspended: /);
    await scene.changeProduct(product.id, { status: 'published' });
    expect(outcome(await scene.add(token, { kind: 'seats', quantity: 2 }))).toEqual([400, 'price_not_chargeable']);
    expect(outcome(await scene.add(token))).toEqual([400, 'invalid_request']);
    await changeLicense(license, { activationLimit: 99_998 });
    await scene.changeProduct(product.id, { additionPrices: { seat: 500 } });
    expect(outcome(await scene.add(token, { kind: 'seats', quantity: 2 }))).toEqual([201, undefined]);
  });

  test('of updates is not offered for a license without end, and ends at most 36,500 days from now', async () => {
    const { license, token } = await scene.buy(offered);
    const endingIn = (days: number) => changeLicense(license, { updatesUntil: new Date(Date.now() + days * dayMs).toISOString() });
    await endingIn(36_500 - 364);
    expect(outcome(await scene.add(token, { kind: 'updates' }))).toEqual([400, 'invalid_request']);
    await endingIn(36_500 - 366);
    expect((await scene.add(token, { kind: 'updates' })).status).toBe(201);
    const { updatesUntil: _, ...endless } = license;
    await scene.table.write({ put: { Item: { ...licenseKey(license.lookup), ...endless } } });
    expect(outcome(await scene.add(token, { kind: 'updates' }))).toEqual([400, 'addition_not_offered']);
  });

  test('needs no stock', async () => {
    const { order, license, product } = await scene.buy(offered);
    await scene.changeProduct(product.id, { licenseIssuanceMode: 'imported_csv' });
    expect((await scene.add(await scene.tokenOf(order.id))).status).toBe(201);
    expect(license.activationLimit).toBe(1);
  });
});

describe('the token of an addition', () => {
  test('shows what was added and nothing of the license, and opens nothing of it', async () => {
    const { license, order, token: sold } = await scene.buy(offered, { locale: 'ja' });
    const added = (await scene.add(sold, { kind: 'seats', quantity: 3 })).json;
    await scene.pay(added.checkout_url, 'payer@example.com');
    const token = await scene.tokenOf(added.order_id);
    const { status, json, text } = await scene.complete(token);
    expect(status).toBe(200);
    expect(json).toMatchObject({ added: '3 追加席', files: [], order: { kind: 'seats', quantity: 3, unit_amount: 700, amount: 2100 } });
    expect(Object.keys(json).sort()).toEqual(['added', 'expires_at', 'files', 'order', 'product']);
    expect(text).not.toContain(license.id);
    expect(text).not.toContain(order.id);
    expect((await scene.complete(sold)).json.license).toMatchObject({ id: license.id, activation_limit: 4 });

    const refused = [403, 'license_not_usable'];
    const device = `act_${'a'.repeat(43)}`;
    for (const path of ['devices', `devices/${device}/release`, 'replace-key', 'releases', `files/${newId('file')}/download-intent`]) {
      expect([path, outcome(await scene.purchaseCall('POST', `/v1/purchases/${path}`, { body: { token } }))]).toEqual([path, refused]);
    }
    expect(outcome(await scene.add(token))).toEqual(refused);
    expect(outcome(await scene.upgrade(token, newId('product')))).toEqual(refused);
  });

  test('says how long the updates are longer', async () => {
    const { token } = await scene.buy(offered);
    const { order_id, checkout_url } = (await scene.add(token, { kind: 'updates' })).json;
    await scene.pay(checkout_url);
    expect((await scene.complete(await scene.tokenOf(order_id))).json.added).toBe('365 days of updates');
  });
});

describe('the buyer’s page', () => {
  test('offers what can be added now, at the live price', async () => {
    const { product, license, token } = await scene.buy({ ...offered, additionPrices: {} });
    const offers = async () => (await scene.complete(token)).json.offers;
    expect(await offers()).toBeUndefined();
    await scene.changeProduct(product.id, { ...offered, updatesDays: 90 });
    const seat = { unit_amount: 700, currency: 'Usd' };
    expect(await offers()).toEqual({ seat, updates: { amount: 1900, currency: 'Usd', days: 90 } });
    await changeLicense(license, { updatesUntil: new Date(Date.now() + 36_450 * dayMs).toISOString() });
    expect(await offers()).toEqual({ seat });
    await changeLicense(license, { suspendedAt: new Date().toISOString() });
    expect(await offers()).toBeUndefined();
  });
});
