import { expect, test } from '@jest/globals';
import { eventually, offerProduct } from '../../support/scenes/stack-harness.ts';
import { anyone, codeOf, pay, sessionOf, stack } from './desk.ts';

/** A buyer who comes back for more. */
export function describeAdditions(): void {
  const ask = (path: string, body: object) => anyone('POST', `/v1${path}`, body);
  const show = (token: string) => ask('/purchases/complete', { token });
  /** Pays; resolves to the token of the redirect. */
  const payFor = async ({ checkout_url: url }: { checkout_url: string }, isLicensed = false) =>
    (await pay(sessionOf(url), 'comes-back@example.com', isLicensed)).token;

  test('a buyer adds seats and updates to a license, and upgrades it once', async () => {
    const base = await offerProduct(stack, { name: 'Tuner', updates_days: 100, addition_prices: { seat: 500, updates: 700 } });
    const upgradeFor = (price_amount: number) => ({ upgrades_from: [{ product_id: base.id, price_amount }] });
    const pro = await offerProduct(stack, { name: 'Tuner Pro', ...upgradeFor(900) });
    const tooCheap = await offerProduct(stack, { name: 'Tuner Mini', ...upgradeFor(10) });
    const soldOut = await offerProduct(stack, { name: 'Tuner Plug-in', license_issuance_mode: 'imported_csv', ...upgradeFor(900) });
    const token = await payFor(await ask(`/public/products/${base.slug}/checkout`, {}), true);
    const shown = await show(token);
    expect(shown.offers).toMatchObject({ seat: { unit_amount: 500 }, updates: { amount: 700, days: 100 } });
    const offered = async () => (await show(token)).offers.upgrades.map((one: { product_id: string }) => one.product_id).sort();
    expect(await offered()).toEqual([pro.id, tooCheap.id].sort());

    expect((await show(await payFor(await ask('/purchases/additions', { token, kind: 'seats', quantity: 2 })))).order.kind).toBe('seats');
    await payFor(await ask('/purchases/additions', { token, kind: 'updates' }));
    await eventually('the license has more', 60, async () => {
      const { license } = await show(token);
      return (license.activation_limit === 5 && license.updates_until > shown.license.updates_until) || undefined;
    });

    expect(await codeOf(ask('/purchases/upgrades', { token, product_id: tooCheap.id }))).toBe('price_not_chargeable');
    expect(await codeOf(ask('/purchases/upgrades', { token, product_id: soldOut.id }))).toBe('checkout_not_available');
    const upgraded = await payFor(await ask('/purchases/upgrades', { token, product_id: pro.id }));
    expect((await show(upgraded)).license).toMatchObject({ activation_limit: 3, status: 'active' });
    expect(await codeOf(ask('/purchases/upgrades', { token, product_id: pro.id }))).toBe('already_upgraded');
    expect(await offered()).toEqual([tooCheap.id]);
  });
}
