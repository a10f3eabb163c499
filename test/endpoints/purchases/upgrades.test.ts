import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { licenseKey } from '../../../shared/db/keys.ts';
import { newId } from '../../../shared/ids.ts';
import { addProduct } from '../../../shared/products/product-repository.ts';
import { sampleProduct } from '../../support/samples/sample-product.ts';
import { type AdditionScene, startAdditionScene } from '../../support/scenes/licenses/addition-scene.ts';

let scene: AdditionScene;
beforeAll(async () => {
  scene = await startAdditionScene();
});
afterAll(() => scene.fakeProvider.stop());

const outcome = ({ status, json }: { status: number; json: any }) => [status, json.code];

describe('an upgrade', () => {
  test('opens a checkout for the quantity of the order, under the terms of the other product', async () => {
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
  });

  test('may cost nothing', async () => {
    const { product, token } = await scene.buy();
    const to = await scene.offerUpgrade(product, 0);
    const { status, json } = await scene.upgrade(token, to.id);
    expect([status, json.amount]).toEqual([201, 0]);
    expect((await scene.sessionOf(json.checkout_url)).payment_intent).toBeNull();
  });

  test('that is pending is given again, to fifty at once too, whatever it costs by then, and after a decline', async () => {
    const { product, token } = await scene.buy();
    const to = await scene.offerUpgrade(product, 1500);
    const all = await Promise.all(Array.from({ length: 50 }, () => scene.upgrade(token, to.id)));
    expect(all.map(outcome)).toEqual(all.map(() => [201, undefined]));
    const [first] = all.map(({ json }) => json);
    expect(new Set(all.map(({ json }) => JSON.stringify(json))).size).toBe(1);
    await scene.changeProduct(to.id, { upgradesFrom: [{ productId: product.id, priceAmount: 99_999_999 }], activationLimit: 100_000 });
    expect((await scene.upgrade(token, to.id)).json).toEqual(first);
    await scene.atProvider(first.checkout_url, 'decline');
    await scene.changeOrder(first.order_id, () => ({ status: 'payment_failed', paymentStatus: 'failed' }));
    expect((await scene.upgrade(token, to.id)).json).toEqual(first);
    await scene.changeProduct(to.id, { status: 'suspended' });
    expect(outcome(await scene.upgrade(token, to.id))).toEqual([403, 'checkout_not_available']);
  });

  test('is another once the session is over', async () => {
    const { product, token } = await scene.buy();
    const to = await scene.offerUpgrade(product, 1500);
    const first = (await scene.upgrade(token, to.id)).json;
    await scene.atProvider(first.checkout_url, 'expire');
    await scene.changeProduct(to.id, { upgradesFrom: [{ productId: product.id, priceAmount: 1600 }] });
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
    expect((await scene.complete(await scene.tokenOf(first.order_id))).json.license.status).toBe('active');
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
    const revoked = { ...license, revokedAt: new Date().toISOString() };
    await scene.table.write({ put: { Item: { ...licenseKey(license.lookup), ...revoked } } });
    expect(outcome(await scene.upgrade(token, to.id))).toEqual([403, 'license_not_usable']);
    await scene.table.write({ put: { Item: { ...licenseKey(license.lookup), ...license } } });

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
      { product_id: to.id, slug: to.slug, name: to.name, amount: 98_000_000 },
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
