import { compose } from '../../../functions/licenses/compose.ts';
import { settingNames } from '../../../functions/licenses/declaration.ts';
import { routes } from '../../../functions/licenses/routes.ts';
import { licenseKey } from '../../../shared/db/keys.ts';
import type { License } from '../../../shared/licenses/license.ts';
import { getLicense, listDevices } from '../../../shared/licenses/license-repository.ts';
import { createLogger } from '../../../shared/logging/logger.ts';
import { createTestTable } from '../engines/test-table.ts';
import { createCaller } from '../http/http-event.ts';
import { leaseKeyIdOf, requestCodeOf } from '../samples/leases.ts';
import { issueTestLicense, keyringText } from '../samples/licenses.ts';
import { sampleSettings } from '../samples/sample-settings.ts';

export type LeaseScene = Awaited<ReturnType<typeof openLeaseScene>>;

/** Buyers, and the endpoints of the licenses function with these versions of lease keys, at one moment. */
export async function openLeaseScene({ keys = ['l1'], changes = {}, at = '2026-02-01T00:00:00.000Z' }: SceneOptions = {}) {
  const engine = await createTestTable();
  const { table } = engine;
  const issuer = 'https://licenses.example.com';
  const clock = { at: new Date(at) };
  const lines: string[] = [];
  const environment = {
    TABLE_NAME: engine.tableName,
    PUBLIC_BASE_URL: `${issuer}/`,
    LICENSE_PEPPERS: keyringText('1'),
    RATE_LIMIT_OFFLINE: '0',
    ...changes,
  };
  const logger = createLogger({}, (line) => lines.push(line));
  const withKeys = (versions: readonly string[]) => {
    const settings = sampleSettings(settingNames, { ...environment, LEASE_KEYS: keyringText(...versions) });
    return createCaller(compose({ settings, logger, table, now: () => clock.at }), routes);
  };
  const call = withKeys(keys);

  return {
    ...engine,
    issuer,
    keyId: leaseKeyIdOf(keys[0] ?? ''),
    clock,
    now: () => clock.at,
    /** What was logged. */
    lines,
    call,
    /** The same function, after its keys were changed. */
    withKeys,
    ask: (verb: 'validate' | 'activate' | 'deactivate', body: unknown) => call('POST', `/v1/licenses/${verb}`, { body }),
    activateOffline: (product: string, key: string, device: string, more: object = {}) =>
      call('POST', '/v1/licenses/offline-activations', {
        body: { license_key: key, request_code: requestCodeOf({ p: product, d: device, ...more }) },
      }),
    async buy(facts: Parameters<typeof issueTestLicense>[1] = {}) {
      const { key, license } = await issueTestLicense(table, facts);
      const request = { product_id: license.productId, license_key: key };
      engine.takeRequestCounts();
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
  changes?: Parameters<typeof sampleSettings>[1];
  at?: string;
}
