import { routes } from '../../functions/licenses/routes.ts';
import { createHandler } from '../../shared/http/create-handler.ts';
import { createLicenseRepository } from '../../shared/licenses/license-repository.ts';
import { createRuntimeService } from '../../shared/licenses/runtime-service.ts';
import { createLogger } from '../../shared/logger.ts';
import { createTestTable } from '../support/engines/test-table.ts';
import { httpEvent } from '../support/http/http-event.ts';
import { issueTestLicense, keyringOf } from '../support/samples/licenses.ts';

/** A license with two seats, found under the older of two peppers, behind the real handler. */
export async function openRuntimeShop() {
  const engine = await createTestTable();
  const { table } = engine;
  const services = createRuntimeService({ table, licenses: createLicenseRepository({ table }), peppers: keyringOf('2', '1') });
  const handle = createHandler({ routes, services, logger: createLogger({}) });
  const { key, license } = await issueTestLicense(table, { activationLimit: 2 });

  const event = (verb: string, device?: string, licenseKey = key) => {
    const body = { product_id: license.productId, license_key: licenseKey, device_fingerprint: device };
    return httpEvent(routes, 'POST', `/v1/licenses/${verb}`, { body });
  };
  return { ...engine, license, event, call: (request: ReturnType<typeof event>) => handle(request, {} as never) };
}
