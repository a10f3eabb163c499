import { decodeJwt, decodeProtectedHeader } from 'jose';
import { newId } from '../../../shared/ids.ts';
import { leaseKeyIdOf } from '../../support/samples/leases.ts';
import { keyringText } from '../../support/samples/licenses.ts';
import { type Call, countUntilLimited, d, limit, originSecret, refusals, shows, stage, table, twice } from './setting-effects.ts';

const unknownKey = { product_id: newId('product'), license_key: 'LIC1-UNKNOWN-KEY' };

/** What each setting of the licenses function changes. */
export const licenseEffects = {
  STAGE: stage,
  ...refusals(twice('POST', '/v1/licenses/validate', unknownKey), { RATE_LIMIT_UNKNOWN_KEYS: '1' }),
  ORIGIN_SECRET: originSecret('RATE_LIMIT_OFFLINE', 'POST', '/v1/licenses/offline-activations'),
  RATE_LIMIT_OFFLINE: limit(10, 'POST', '/v1/licenses/offline-activations'),
  PUBLIC_BASE_URL: shows(async (call) => decodeJwt(await leased(call)).iss, {
    'https://shop.example/': 'https://shop.example',
    'https://other.example': 'https://other.example',
  }),
  LEASE_KEYS: shows(async (call) => decodeProtectedHeader(await leased(call)).kid, {
    default: leaseKeyIdOf('l1'),
    [keyringText('l2', 'l1')]: leaseKeyIdOf('l2'),
  }),
  TOKEN_KEYS: shows(async (call) => decodeProtectedHeader(await ticketed(call)).kid, {
    default: 't1',
    [keyringText('t2', 't1')]: 't2',
  }),
  RATE_LIMIT_UNKNOWN_KEYS: shows((call) => countUntilLimited(call, 'POST', '/v1/licenses/validate', { body: unknownKey }), {
    '2': 2,
    '3': 3,
    '0': Number.POSITIVE_INFINITY,
  }),
  TABLE_NAME: table(validated, 'valid', 'license_not_found'),
  LICENSE_PEPPERS: shows(validated, { default: 'valid', [keyringText('p2')]: 'license_not_found', [keyringText('p2', 'p1')]: 'valid' }),
};

async function validated(call: Call) {
  const body = { product_id: d.own.product.id, license_key: d.own.key };
  return (await call('POST', '/v1/licenses/validate', { body })).json.code;
}
async function leased(call: Call): Promise<string> {
  const body = { product_id: d.own.product.id, license_key: d.own.key, device_fingerprint: 'desk' };
  return (await call('POST', '/v1/licenses/activate', { body })).json.lease;
}
async function ticketed(call: Call): Promise<string> {
  const body = { product_id: d.own.product.id, license_key: d.own.key, device_fingerprint: 'desk', update_feed: true };
  return (await call('POST', '/v1/licenses/activate', { body })).json.update_feed_url.split('/').at(-1);
}
