import { getProduct, replaceProduct } from '../../../shared/products/product-repository.ts';
import type { RequestOptions } from '../../support/http/http-event.ts';
import { keyringText } from '../../support/samples/licenses.ts';
import { type Call, countUntilLimited, d, differ, type Effect, newCaller, shows } from './setting-effects.ts';

/** What each setting changes by which the purchases function lets buyers help themselves. */
export const buyerEffects = {
  LICENSE_PEPPERS: async () => {
    const call = await d.http('purchases', { LICENSE_PEPPERS: keyringText('p2', 'p1'), RATE_LIMIT_COMPLETE: '0' });
    const { json } = await call('POST', '/v1/purchases/replace-key', { body: { token: d.other.token } });
    const validate = { body: { product_id: d.other.product.id, license_key: json.license.license_key } };
    await differ('licenses', async (ask) => (await ask('POST', '/v1/licenses/validate', validate)).json.code, [
      [{ LICENSE_PEPPERS: keyringText('p2') }, 'valid'],
      [{ LICENSE_PEPPERS: keyringText('p1') }, 'license_not_found'],
    ]);
  },
  BUYER_MOVES: shows(
    async (call: Call) =>
      (await call('POST', '/v1/purchases/devices', { body: { token: d.own.token }, sourceIp: newCaller() })).json.moves_left,
    { default: 5, '3': 3, '0': 0 },
  ),
};

const path = '/v1/purchases/additions';
let asked = 0;

/** So many seats at once as nobody has asked for: no checkout of so many is open. */
const ask = (): [string, string, RequestOptions] => {
  asked += 1;
  return ['POST', path, { body: { token: d.own.token, kind: 'seats', quantity: asked } }];
};

async function sellSeats(): Promise<void> {
  const product = await getProduct(d.table, d.own.product.id);
  if (product.additionPrices.seat !== undefined) return;
  const sold = { ...product, additionPrices: { seat: 4800 }, revision: product.revision + 1 };
  await d.table.transact(replaceProduct(product, sold));
}

const bothLimits: Record<string, Effect> = {
  RATE_LIMIT_CHECKOUT: shows((call) => countUntilLimited(call, 'POST', path), { 2: 2, 3: 3, default: 10, 0: 30 }),
  RATE_LIMIT_COMPLETE: (name) =>
    differ(name, (call) => countUntilLimited(call, 'POST', path), [
      [{ RATE_LIMIT_CHECKOUT: '0' }, 30],
      [{ RATE_LIMIT_CHECKOUT: '0', RATE_LIMIT_COMPLETE: '4' }, 4],
      [{ RATE_LIMIT_CHECKOUT: '0', RATE_LIMIT_COMPLETE: '0' }, Number.POSITIVE_INFINITY],
    ]),
};

interface Checkouts {
  effects: (ask: () => [string, string, RequestOptions], limited: () => [string, string]) => Record<string, Effect>;
  /** What the provider is asked when this is called. */
  checkoutAt: (call: Call, method: string, target: string, options: RequestOptions) => Promise<Record<string, string> | undefined>;
}

/** What each setting changes of the function that sells more for a license. */
export function additionEffects({ effects, checkoutAt }: Checkouts): Record<string, Effect> {
  const feeShare = async (call: Call) => {
    const told = (await checkoutAt(call, ...ask())) ?? {};
    const total = Number(told['line_items[0][price_data][unit_amount]']) * Number(told['line_items[0][quantity]']);
    return Number(told['payment_intent_data[application_fee_amount]']) / total;
  };
  const all: Record<string, Effect> = {
    ...effects(ask, () => ['POST', path]),
    ...bothLimits,
    PLATFORM_FEE_BPS: shows(feeShare, { default: 0.1, '250': 0.025 }),
    TABLE_NAME: (name) =>
      differ(name, async (call) => (await call(...ask())).status, [
        [{}, 201],
        [{ TABLE_NAME: d.emptyTable }, 404],
      ]),
  };
  const afterOffer = (effect: Effect): Effect => {
    return async (name, setting) => {
      await sellSeats();
      await effect(name, setting);
    };
  };
  return Object.fromEntries(Object.entries(all).map(([setting, effect]) => [setting, afterOffer(effect)]));
}
