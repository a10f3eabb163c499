import { keyringText } from '../../support/samples/licenses.ts';
import { type Call, d, differ, newCaller, shows } from './setting-effects.ts';

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
