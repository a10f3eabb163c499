import { expect, test } from '@jest/globals';
import { eventually, offerProduct, type StackHarness } from '../../support/scenes/stack-harness.ts';

const tokenIn = (text: string) => /#token=([\w.-]+)/.exec(text)?.[1] ?? '';

/** A buyer who comes back for more. */
export function describeAdditions(stackOf: () => StackHarness): void {
  const ask = (path: string, body: object) => stackOf().call('POST', `/v1${path}`, { body });
  const codeOf = (call: Promise<unknown>) =>
    call.then(
      () => 'none',
      (error: Error) => /"code":"(\w+)"/.exec(error.message)?.[1],
    );

  /** Pays; resolves to the token of the redirect, once it shows the purchase. */
  async function pay({ checkout_url: url }: { checkout_url: string }): Promise<string> {
    const session = new URL(url).pathname.split('/').at(-1) ?? '';
    const paid = await stackOf().provider(`/test/checkout/${session}/pay`, { email: 'comes-back@example.com' });
    const token = tokenIn(paid.redirect_url);
    await eventually('the purchase shows', 60, () => ask('/purchases/complete', { token }).catch(() => undefined));
    return token;
  }

  const show = (token: string) => ask('/purchases/complete', { token });

  test('a buyer adds seats and updates to a license, and upgrades it once', async () => {
    const stack = stackOf();
    const base = await offerProduct(stack, { name: 'Tuner', updates_days: 100, addition_prices: { seat: 500, updates: 700 } });
    const upgradeFor = (price_amount: number) => ({ upgrades_from: [{ product_id: base.id, price_amount }] });
    const pro = await offerProduct(stack, { name: 'Tuner Pro', ...upgradeFor(900) });
    const tooCheap = await offerProduct(stack, { name: 'Tuner Mini', ...upgradeFor(10) });
    const soldOut = await offerProduct(stack, { name: 'Tuner Plug-in', license_issuance_mode: 'imported_csv', ...upgradeFor(900) });
    const token = await pay(await ask(`/public/products/${base.slug}/checkout`, {}));
    const shown = await eventually('the license shows', 60, async () => {
      const purchase = await show(token);
      return purchase.license?.license_key === undefined ? undefined : purchase;
    });
    expect(shown.offers).toMatchObject({ seat: { unit_amount: 500 }, updates: { amount: 700, days: 100 } });
    const offered = async () => (await show(token)).offers.upgrades.map((one: { product_id: string }) => one.product_id).sort();
    expect(await offered()).toEqual([pro.id, tooCheap.id].sort());

    expect((await show(await pay(await ask('/purchases/additions', { token, kind: 'seats', quantity: 2 })))).order.kind).toBe('seats');
    await pay(await ask('/purchases/additions', { token, kind: 'updates' }));
    await eventually('the license has more', 60, async () => {
      const { license } = await show(token);
      return (license.activation_limit === 5 && license.updates_until > shown.license.updates_until) || undefined;
    });

    expect(await codeOf(ask('/purchases/upgrades', { token, product_id: tooCheap.id }))).toBe('price_not_chargeable');
    expect(await codeOf(ask('/purchases/upgrades', { token, product_id: soldOut.id }))).toBe('checkout_not_available');
    const upgraded = await pay(await ask('/purchases/upgrades', { token, product_id: pro.id }));
    expect((await show(upgraded)).license).toMatchObject({ activation_limit: 3, status: 'active' });
    expect(await codeOf(ask('/purchases/upgrades', { token, product_id: pro.id }))).toBe('already_upgraded');
    expect(await offered()).toEqual([tooCheap.id]);
  });
}
