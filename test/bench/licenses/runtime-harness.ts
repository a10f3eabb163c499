import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Context } from 'aws-lambda';
import { compose } from '../../../functions/licenses/compose.ts';
import { settingNames } from '../../../functions/licenses/declaration.ts';
import { routes } from '../../../functions/licenses/routes.ts';
import { createLogger } from '../../../shared/logging/logger.ts';
import type { Faults } from '../../support/engines/faults.ts';
import { createTestTable } from '../../support/engines/test-table.ts';
import { httpEvent } from '../../support/http/http-event.ts';
import { requestCodeOf } from '../../support/samples/leases.ts';
import { issueTestLicense, keyringOf } from '../../support/samples/licenses.ts';
import { sampleSettings } from '../../support/samples/sample-settings.ts';

/** A license, of two seats unless it is said otherwise, and one of the same product that gives no leases, found under the older of two peppers, behind the real handler. */
export async function createRuntimeHarness({
  faults,
  client,
  activationLimit = 2,
}: {
  faults?: Faults;
  /** Makes the requests to the table, where it is given. */
  client?: DynamoDBClient;
  activationLimit?: number;
} = {}) {
  const engine = await createTestTable({ faults, ...(client && { client }) });
  const { table } = engine;
  const settings = {
    ...sampleSettings(settingNames, { TABLE_NAME: engine.tableName, RATE_LIMIT_UNKNOWN_KEYS: '0' }),
    LICENSE_PEPPERS: keyringOf('2', '1'),
  };
  const handle = compose({ settings, logger: createLogger({}), table });
  const { key, license } = await issueTestLicense(table, { activationLimit, offlineFileDays: 30 });
  const leaseless = await issueTestLicense(table, { productId: license.productId, activationLimit: 2, offlineDays: 0 });

  const event = (verb: string, device?: string, licenseKey = key) => {
    const body = { product_id: license.productId, license_key: licenseKey, device_fingerprint: device };
    return httpEvent(routes, 'POST', `/v1/licenses/${verb}`, { body });
  };
  const offlineEvent = (device: string) => {
    const body = { license_key: key, request_code: requestCodeOf({ p: license.productId, d: device }) };
    return httpEvent(routes, 'POST', '/v1/licenses/offline-activations', { body });
  };
  return {
    ...engine,
    license,
    leaselessKey: leaseless.key,
    signingKey: settings.LEASE_KEYS.current.privateKey,
    event,
    offlineEvent,
    call: (request: ReturnType<typeof event>) => handle(request, {} as Context),
  };
}
