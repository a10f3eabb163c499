import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { licenseKey } from '../../../shared/db/keys.ts';
import { newId } from '../../../shared/ids.ts';
import type { License } from '../../../shared/licenses/license.ts';
import { addProduct } from '../../../shared/products/product-repository.ts';
import { sampleProduct } from '../../support/samples/sample-product.ts';
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

  test('that is pending is given again, to ten at once too; another quantity, price, currency or number of days is another', async () => {
    const { product, token } = await scene.buy(offered);
    const all = await Promise.all(Array.from({ length: 10 }, () => scene.add(token, { kind: 'seats', quantity: 2 })));
    const first = all[0]!.json;
    for (const { status, json } of all) expect([status, json]).toEqual([201, first]);
    expect((await scene.add(token, { kind: 'seats', quantity: 1 })).json.order_id).not.toBe(first.order_id);
    const updates = (await scene.add(token, { kind: 'updates' })).json;
    expect(updates.order_id).not.toBe(first.order_id);
    await scene.changeProduct(product.id, { updatesDays: 90 });
    expect((await scene.add(token, { kind: 'updates' })).json.order_id).not.toBe(updates.order_id);
    expect((await scene.add(token, { kind: 'seats', quantity: 2 })).json).toEqual(first);
    await scene.changeProduct(product.id, { updatesDays: 365 });
    expect((await scene.add(token, { kind: 'updates' })).json).toEqual(updates);

    await scene.changeProduct(product.id, { currency: 'GBP' });
    const dearer = (await scene.add(token, { kind: 'seats', quantity: 2 })).json;
    expect(dearer).toMatchObject({ amount: 1400, currency: 'GBP' });
    await scene.changeProduct(product.id, { additionPrices: { seat: 1400 } });
    expect((await scene.add(token, { kind: 'seats', quantity: 1 })).json.order_id).not.toBe(dearer.order_id);
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

  test('is sold again once it is paid, whether or not that was heard of, and needs no stock', async () => {
    const { product, token } = await scene.buy(offered);
    const first = (await scene.add(token)).json;
    await scene.atProvider(first.checkout_url, 'pay');
    const second = (await scene.add(token)).json;
    await scene.pay(second.checkout_url);
    await scene.changeProduct(product.id, { licenseIssuanceMode: 'imported_csv' });
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
    const { product, license, token } = await scene.buy(offered);
    const endingIn = (days: number) => changeLicense(license, { updatesUntil: new Date(Date.now() + days * dayMs).toISOString() });
    await endingIn(36_500 - 364);
    expect(outcome(await scene.add(token, { kind: 'updates' }))).toEqual([400, 'invalid_request']);
    await endingIn(36_500 - 366);
    expect((await scene.add(token, { kind: 'updates' })).status).toBe(201);
    const { updatesUntil: _, ...endless } = license;
    await scene.table.write({ put: { Item: { ...licenseKey(license.lookup), ...endless } } });
    expect(outcome(await scene.add(token, { kind: 'updates' }))).toEqual([400, 'addition_not_offered']);
    await endingIn(1);
    await scene.changeProduct(product.id, { updatesDays: 36_500 });
    expect(outcome(await scene.add(token, { kind: 'updates' }))).toEqual([400, 'addition_not_offered']);
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
      expect([path, outcome(await scene.call('POST', `/v1/purchases/${path}`, { body: { token } }))]).toEqual([path, refused]);
    }
    expect(outcome(await scene.add(token))).toEqual(refused);
    expect(outcome(await scene.upgrade(token, newId('product')))).toEqual(refused);

    const updates = (await scene.add(sold, { kind: 'updates', locale: 'en' })).json;
    await scene.pay(updates.checkout_url);
    expect((await scene.complete(await scene.tokenOf(updates.order_id))).json.added).toBe('365 days of updates');
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

describe('an upgrade', () => {
  test('opens a checkout for the quantity of the order, under the terms of the other product, also for nothing', async () => {
    const { product, order, license, token } = await scene.buy({ activationLimit: 2 }, { quantity: 4, locale: 'ja' });
    const to = await scene.offerUpgrade(product, 1500, { activationLimit: 5, features: ['pro'], currency: 'USD', maxQuantity: 1 });
    const reply = await scene.upgrade(token, to.id);
    expect([reply.status, reply.headers['cache-control']]).toEqual([201, 'no-store']);
    expect(reply.json).toMatchObject({ quantity: 4, unit_amount: 1500, amount: 6000, currency: 'USD' });
    const { order: upgrade } = await scene.show(reply.json.order_id);
    expect(upgrade).toMatchObject({
      ...{ kind: 'upgrade', quantity: 4, unitAmount: 1500, upgradedFrom: { orderId: order.id, licenseId: license.id } },
      ...{ locale: 'ja', productId: to.id, applicationFeeAmount: 600, terms: { activationLimit: 5, features: ['pro'] } },
    });
    expect(await scene.sessionOf(reply.json.checkout_url)).toMatchObject({ amount_total: 6000, customer_email: null });
    const free = await scene.upgrade(token, (await scene.offerUpgrade(product, 0)).id);
    expect([free.status, free.json.amount]).toEqual([201, 0]);
    expect((await scene.sessionOf(free.json.checkout_url)).payment_intent).toBeNull();
  });

  test('that is pending is given again, to ten at once too, whatever it costs by then, and after a decline, and is another once the session is over', async () => {
    const { product, token } = await scene.buy();
    const to = await scene.offerUpgrade(product, 1500);
    const all = await Promise.all(Array.from({ length: 10 }, () => scene.upgrade(token, to.id)));
    const first = all[0]!.json;
    for (const { status, json } of all) expect([status, json]).toEqual([201, first]);
    await scene.changeProduct(to.id, { upgradesFrom: [{ productId: product.id, priceAmount: 99_999_999 }], activationLimit: 100_000 });
    expect((await scene.upgrade(token, to.id)).json).toEqual(first);
    await scene.atProvider(first.checkout_url, 'decline');
    await scene.changeOrder(first.order_id, () => ({ status: 'payment_failed', paymentStatus: 'failed' }));
    expect((await scene.upgrade(token, to.id)).json).toEqual(first);
    await scene.changeProduct(to.id, { status: 'suspended' });
    expect(outcome(await scene.upgrade(token, to.id))).toEqual([403, 'checkout_not_available']);
    const after = await scene.offerUpgrade(product, 800);
    const delayed = (await scene.upgrade(token, after.id)).json;
    const failed = { status: 'payment_failed', paymentStatus: 'failed', checkout: { asyncFailedAt: new Date().toISOString() } } as const;
    await scene.changeOrder(delayed.order_id, () => failed);
    expect((await scene.upgrade(token, after.id)).json.order_id).not.toBe(delayed.order_id);

    await scene.atProvider(first.checkout_url, 'expire');
    const upgradesFrom = [{ productId: product.id, priceAmount: 1600 }];
    await scene.changeProduct(to.id, { upgradesFrom, activationLimit: 1, status: 'approved' });
    const second = (await scene.upgrade(token, to.id)).json;
    expect([second.amount, second.order_id === first.order_id]).toEqual([1600, false]);
  });

  test('is sold once, from the payment at the provider on, until the whole payment goes back', async () => {
    const { product, token } = await scene.buy();
    const [to, other] = [await scene.offerUpgrade(product, 1500), await scene.offerUpgrade(product, 900)];
    await scene.atProvider((await scene.upgrade(token, other.id)).json.checkout_url, 'pay');
    expect(outcome(await scene.upgrade(token, other.id))).toEqual([403, 'already_upgraded']);
    const first = (await scene.upgrade(token, to.id)).json;
    await scene.pay(first.checkout_url, 'payer@example.com');
    const ofUpgrade = await scene.tokenOf(first.order_id);
    expect((await scene.complete(ofUpgrade)).json.license.status).toBe('active');
    const heldBy = { orderId: newId('order'), why: 'disputed', since: new Date().toISOString() } as const;
    await scene.changeOrder(first.order_id, () => ({ heldBy }));
    expect((await scene.complete(ofUpgrade)).json.order).toMatchObject({ status: 'paid', amount_refunded: 0, held: { why: 'disputed' } });
    for (const status of ['paid', 'partially_refunded', 'disputed'] as const) {
      await scene.changeOrder(first.order_id, () => ({ status }));
      await scene.changeProduct(to.id, { status: 'suspended' });
      expect(outcome(await scene.upgrade(token, to.id))).toEqual([403, 'already_upgraded']);
      await scene.changeProduct(to.id, { status: 'approved' });
      expect((await scene.complete(token)).json.offers.upgrades).toMatchObject([{ product_id: other.id }]);
    }
    await scene.changeOrder(first.order_id, () => ({ status: 'refunded' }));
    expect((await scene.complete(token)).json.offers.upgrades).toHaveLength(2);
    const second = await scene.upgrade(token, to.id);
    expect([second.status, second.json.order_id === first.order_id]).toEqual([201, false]);
  });

  test('is refused for the token, the body, the license, the offer, the sale and its limit, in this order', async () => {
    const { product, license, token } = await scene.buy({}, { quantity: 2 });
    const to = await scene.offerUpgrade(product, 60_000_000, { activationLimit: 50_001, status: 'draft' });
    expect(outcome(await scene.upgrade(`${token.slice(0, -4)}AAAA`, 7))).toEqual([403, 'completion_token_invalid']);
    expect(outcome(await scene.upgrade(await scene.tokenOf(newId('order')), 7))).toEqual([404, 'order_not_found']);
    expect(outcome(await scene.upgrade(token, 7))).toEqual([400, 'invalid_request']);
    await changeLicense(license, { revokedAt: new Date().toISOString() });
    expect(outcome(await scene.upgrade(token, to.id))).toEqual([403, 'license_not_usable']);
    await changeLicense(license, {});

    const foreign = sampleProduct({ status: 'approved', upgradesFrom: [{ productId: product.id, priceAmount: 1 }] });
    await scene.table.transact(addProduct(foreign));
    const unlisted = await scene.offerUpgrade(to, 1);
    const codes = await scene.offerUpgrade(product, 1, { licenseIssuanceMode: 'imported_csv' });
    await scene.changeProduct(product.id, { upgradesFrom: [{ productId: product.id, priceAmount: 1 }] });
    for (const id of [foreign.id, unlisted.id, codes.id, product.id, newId('product'), 'prd_', '', 'x'.repeat(100)]) {
      expect([id.slice(0, 40), outcome(await scene.upgrade(token, id))]).toEqual([id.slice(0, 40), [400, 'upgrade_not_offered']]);
    }
    expect(outcome(await scene.upgrade(token, 'x'.repeat(101)))).toEqual([400, 'invalid_request']);
    const draft = await scene.upgrade(token, to.id);
    expect([...outcome(draft), draft.json.message.split(':')[0]]).toEqual([403, 'checkout_not_available', 'not_approved']);
    await scene.changeProduct(to.id, { status: 'approved' });
    expect(outcome(await scene.upgrade(token, to.id))).toEqual([400, 'invalid_request']);
    await scene.changeProduct(to.id, { activationLimit: 50_000 });
    expect(outcome(await scene.upgrade(token, to.id))).toEqual([400, 'price_not_chargeable']);
    expect((await scene.complete(token)).json.offers).toBeUndefined();
    await scene.changeProduct(to.id, { upgradesFrom: [{ productId: product.id, priceAmount: 49_000_000 }] });
    expect((await scene.complete(token)).json.offers.upgrades).toMatchObject([
      { product_id: to.id, slug: to.slug, name: to.name, amount: 98_000_000, activation_limit: 100_000 },
    ]);
  });

  test('to imported codes needs one in stock', async () => {
    const { product, token } = await scene.buy();
    const to = await scene.offerUpgrade(product, 1500, { licenseIssuanceMode: 'imported_csv' });
    const reply = await scene.upgrade(token, to.id);
    expect([...outcome(reply), reply.json.message.split(':')[0]]).toEqual([403, 'checkout_not_available', 'out_of_stock']);
    expect((await scene.complete(token)).json.offers).toBeUndefined();
  });
});
