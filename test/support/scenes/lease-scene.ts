import { licenseKey } from '../../../shared/db/keys.ts';
import type { License } from '../../../shared/licenses/license.ts';
import { getLicense, listDevices } from '../../../shared/licenses/license-repository.ts';
import { leaseKeyIdOf, requestCodeOf } from '../samples/leases.ts';
import { issueTestLicense, keyringText } from '../samples/licenses.ts';
import { type Environment, openMarket } from './market.ts';

export type LeaseScene = Awaited<ReturnType<typeof openLeaseScene>>;

const issuer = 'https://licenses.example.com';

/** Buyers, and what their apps ask with these versions of lease keys, at one moment. */
export async function openLeaseScene({ keys = ['l1'], changes = {}, at }: SceneOptions = {}) {
  const own = {
    PUBLIC_BASE_URL: `${issuer}/`,
    LICENSE_PEPPERS: keyringText('1'),
    LEASE_KEYS: keyringText(...keys),
    RATE_LIMIT_OFFLINE: '0',
  };
  const market = await openMarket({ at, environment: { ...own, ...changes } });
  const { table, call } = market;

  return {
    ...market,
    issuer,
    keyId: leaseKeyIdOf(keys[0] ?? ''),
    /** The same, after its keys were changed. */
    withKeys: (versions: readonly string[]) => market.open({ LEASE_KEYS: keyringText(...versions) }),
    ask: (verb: 'validate' | 'activate' | 'deactivate', body: unknown) => call('POST', `/v1/licenses/${verb}`, { body }),
    activateOffline: (product: string, key: string, device: string, more: object = {}) =>
      call('POST', '/v1/licenses/offline-activations', {
        body: { license_key: key, request_code: requestCodeOf({ p: product, d: device, ...more }) },
      }),
    async buy(facts: Parameters<typeof issueTestLicense>[1] = {}) {
      const { key, license } = await issueTestLicense(table, facts);
      const request = { product_id: license.productId, license_key: key };
      market.takeRequestCounts();
      return { license, key, request, on: (device: string) => ({ ...request, device_fingerprint: device }) };
    },
    /** Facts of a license that no endpoint of this function sets. */
    async change(license: License, facts: Partial<License>) {
      const [current] = await table.batchGet([licenseKey(license.lookup)]);
      await table.transact([{ put: { Item: { ...current, ...licenseKey(license.lookup), ...facts } } }]);
    },
    async forget(license: License, ...names: (keyof License)[]) {
      const [current = {}] = await table.batchGet([licenseKey(license.lookup)]);
      const left = Object.fromEntries(Object.entries(current).filter(([name]) => !names.some((gone) => gone === name)));
      await table.transact([{ put: { Item: { ...left, ...licenseKey(license.lookup) } } }]);
    },
    /** The labels of its devices, as admins see them. */
    labelsOf: async (license: License) => (await listDevices(table, license, { limit: 10 })).items.map(({ deviceLabel }) => deviceLabel),
    seatsOf: async (license: License) => (await getLicense(table, license.id)).activationCount,
  };
}

interface SceneOptions {
  keys?: readonly string[];
  changes?: Environment;
  at?: string | undefined;
}
