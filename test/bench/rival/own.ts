import { pathToFileURL } from 'node:url';
import { routes } from '../../../functions/licenses/routes.ts';
import { httpEvent } from '../../support/http/http-event.ts';
import { issueTestLicense } from '../../support/samples/licenses.ts';
import { bundleLicenses, createLicenseTable } from '../licenses/bundles.ts';

const device = 'device';
const licensesAtATime = 16;

/** Our validate with its device, through the deployed bundle from event to answer, of so many licenses with one device each: without a lease, and with one. */
export async function createOwn(count: number) {
  const bundles = await bundleLicenses();
  const { table, peppers, productId, environment } = await createLicenseTable(bundles.settingNames);
  Object.assign(process.env, environment);
  const { handler } = await import(pathToFileURL(bundles.deployed).href);
  bundles.discard();
  const call = async (verb: string, key: string | undefined): Promise<string> => {
    const body = { product_id: productId, license_key: key, device_fingerprint: device };
    return (await handler(httpEvent(routes, 'POST', `/v1/licenses/${verb}`, { body }), {})).body;
  };

  async function createLicenses({ offlineDays }: { offlineDays: number }) {
    const keys: string[] = [];
    const issue = async () => {
      const { key } = await issueTestLicense(table, { peppers, productId, offlineDays });
      await call('activate', key);
      return key;
    };
    while (keys.length < count) {
      keys.push(...(await Promise.all(Array.from({ length: Math.min(licensesAtATime, count - keys.length) }, issue))));
    }
    return async (index: number) => (await call('validate', keys[index])).includes('"valid":true');
  }
  return {
    'ours, from event to answer': await createLicenses({ offlineDays: 0 }),
    'ours, with a signed lease': await createLicenses({ offlineDays: 14 }),
  };
}
