import { issueTestLicense } from '../../support/samples/licenses.ts';
import { createRuntimeHarness } from '../licenses/runtime-harness.ts';

const device = 'device';
const licensesAtATime = 16;

/** Our validate with its device, through the deployed handler from event to answer, of so many licenses with one device each: without a lease, and with one. */
export async function createOwn(count: number) {
  const plain = await createLicenses(count, { offlineDays: 0 });
  const leased = await createLicenses(count, { offlineDays: 14 });
  return { 'ours, from event to answer': plain, 'ours, with a signed lease': leased };
}

async function createLicenses(count: number, { offlineDays }: { offlineDays: number }) {
  const { table, license, event, call } = await createRuntimeHarness();
  const keys: string[] = [];
  const issue = async () => {
    const { key } = await issueTestLicense(table, { productId: license.productId, offlineDays });
    await call(event('activate', device, key));
    return key;
  };
  while (keys.length < count) {
    keys.push(...(await Promise.all(Array.from({ length: Math.min(licensesAtATime, count - keys.length) }, issue))));
  }
  return async (index: number): Promise<boolean> => {
    const { body = '' } = await call(event('validate', device, keys[index]));
    return body.includes('"valid":true');
  };
}
