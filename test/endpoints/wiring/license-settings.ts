import { decodeJwt, decodeProtectedHeader } from 'jose';
import { newId } from '../../../shared/ids.ts';
import { leaseKeyIdOf } from '../../support/samples/leases.ts';
import { keyringText } from '../../support/samples/licenses.ts';
import { type Call, countUntilLimited, d, differ, limit, originSecret, refusals, stage, table, twice } from './setting-effects.ts';

const unknownKey = { product_id: newId('product'), license_key: 'LIC1-UNKNOWN-KEY' };

/** What each setting of the licenses function changes. */
export const licenseEffects = {
  STAGE: stage('licenses'),
  ...refusals('licenses', twice('POST', '/v1/licenses/validate', unknownKey), { RATE_LIMIT_UNKNOWN_KEYS: '1' }),
  ORIGIN_SECRET: originSecret('licenses', 'RATE_LIMIT_OFFLINE', 'POST', '/v1/licenses/offline-activations'),
  RATE_LIMIT_OFFLINE: limit('licenses', 'RATE_LIMIT_OFFLINE', 10, 'POST', '/v1/licenses/offline-activations'),
  PUBLIC_BASE_URL: () =>
    differ('licenses', async (call) => decodeJwt(await leased(call)).iss, [
      [{ PUBLIC_BASE_URL: 'https://shop.example/' }, 'https://shop.example'],
      [{ PUBLIC_BASE_URL: 'https://other.example' }, 'https://other.example'],
    ]),
  LEASE_KEYS: () =>
    differ('licenses', async (call) => decodeProtectedHeader(await leased(call)).kid, [
      [{}, leaseKeyIdOf('l1')],
      [{ LEASE_KEYS: keyringText('l2', 'l1') }, leaseKeyIdOf('l2')],
    ]),
  RATE_LIMIT_UNKNOWN_KEYS: () =>
    differ('licenses', (call) => countUntilLimited(call, 'POST', '/v1/licenses/validate', { body: unknownKey }), [
      [{ RATE_LIMIT_UNKNOWN_KEYS: '2' }, 2],
      [{ RATE_LIMIT_UNKNOWN_KEYS: '3' }, 3],
      [{ RATE_LIMIT_UNKNOWN_KEYS: '0' }, Number.POSITIVE_INFINITY],
    ]),
  TABLE_NAME: table('licenses', validated, 'valid', 'license_not_found'),
  LICENSE_PEPPERS: () =>
    differ('licenses', validated, [
      [{}, 'valid'],
      [{ LICENSE_PEPPERS: keyringText('p2') }, 'license_not_found'],
      [{ LICENSE_PEPPERS: keyringText('p2', 'p1') }, 'valid'],
    ]),
};

async function validated(call: Call) {
  const body = { product_id: d.own.product.id, license_key: d.own.key };
  return (await call('POST', '/v1/licenses/validate', { body })).json.code;
}
async function leased(call: Call): Promise<string> {
  const body = { product_id: d.own.product.id, license_key: d.own.key, device_fingerprint: 'desk' };
  return (await call('POST', '/v1/licenses/activate', { body })).json.lease;
}
