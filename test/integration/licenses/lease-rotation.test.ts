import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import { verifyLease } from '../../../infra/documents/clients/license-client.ts';
import { leaseKeyIdOf, leaseKeysOf } from '../../support/samples/leases.ts';
import { issueTestLicense } from '../../support/samples/licenses.ts';
import { startLicenseFleet } from '../../support/scenes/licenses/license-fleet.ts';

jest.setTimeout(180_000);
const instances = 4;
const refreshSeconds = 300;
const device = 'desk';
const daySeconds = 86_400;

/** A lease as the app that asked for it has it, and the instance that gave it. */
interface Given {
  instance: number;
  lease: string;
  nonce: string;
  productId: string;
  kid: string | undefined;
}

describe('the rotation of the lease keys', () => {
  let cloud: Awaited<ReturnType<typeof startLicenseFleet>>;
  beforeEach(async () => {
    cloud = await startLicenseFleet({ instances, keys: ['l1'] });
  });
  afterEach(() => cloud.stop());

  let asked = 0;
  /** What one instance gives to a new buyer and to one who comes back, both in flight at once. */
  async function ask(instance: number): Promise<Given[]> {
    const call = cloud.fleet[instance]!;
    const { key, license } = await issueTestLicense(cloud.table, { offlineDays: 90 });
    const request = async (verb: 'activate' | 'validate') => {
      asked += 1;
      const [nonce, productId] = [`nonce-${asked}`, license.productId];
      const body = { product_id: productId, license_key: key, device_fingerprint: device, nonce };
      const { status, json } = await call('POST', `/v1/licenses/${verb}`, { body });
      expect({ status, valid: json.valid, lease: typeof json.lease }).toEqual({ status: 200, valid: true, lease: 'string' });
      return { instance, lease: json.lease, nonce, productId, kid: decodeProtectedHeader(json.lease).kid };
    };
    const first = await request('activate');
    return [first, ...(await Promise.all([request('validate'), request('activate')]))];
  }

  /** Everything that the fleet gives while `change` falls into it. */
  async function underLoad(change: () => void = () => undefined): Promise<Given[]> {
    const replies = Promise.all(cloud.fleet.map((_, instance) => ask(instance)));
    change();
    return (await replies).flat();
  }

  /** Whether the lease holds for an app that was built with these keys, now: by its own client and by another library. */
  async function holds({ lease, nonce, productId }: Given, ...pinned: string[]): Promise<boolean> {
    const keys = pinned.map((version) => leaseKeysOf(version).current.publicKey);
    const expected = { keys, issuer: cloud.issuer, productId, fingerprint: device, nonce, now: Math.floor(Date.now() / 1000) };
    const { verdict } = await verifyLease(lease, expected);
    const other = await jwtVerify(lease, createLocalJWKSet({ keys }), {
      algorithms: ['ES256'],
      typ: 'license-lease+jwt',
      issuer: cloud.issuer,
      audience: productId,
      currentDate: new Date(),
    }).then(
      () => true,
      () => false,
    );
    expect(other).toBe(verdict === 'valid');
    return other;
  }

  const published = async () => {
    const replies = await Promise.all(cloud.fleet.map((call) => call('GET', '/.well-known/jwks.json')));
    return replies.map(({ json }) => json.keys.map(({ kid }: { kid: string }) => kid) as string[]);
  };

  const instancesWith = (given: readonly Given[], version: string) =>
    new Set(given.filter(({ kid }) => kid === leaseKeyIdOf(version)).map(({ instance }) => instance)).size;

  /** How many instances signed with the key of this version, in each round. */
  const mixes: number[] = [];

  /** Stores the keys amid the load, and walks on until every instance has read them; resolves to all that was given. */
  async function rotateTo(...versions: string[]): Promise<Given[]> {
    mixes.length = 0;
    const given = await underLoad(() => cloud.storeKeys(...versions));
    // Less than the time between two instances, so that each mix of those that know and those that do not is met.
    for (let passed = 0; passed <= refreshSeconds; passed += 50) {
      cloud.pass(50);
      const now = await underLoad();
      const signing = new Set(now.map(({ kid }) => kid));
      for (const kids of await published()) expect(kids).toEqual(expect.arrayContaining([...signing]));
      for (const each of now) expect(await holds(each, 'l1', 'l2')).toBe(true);
      mixes.push(instancesWith(now, 'l2'));
      // No instance goes back, or signs with both.
      expect(instancesWith(now, 'l1') + instancesWith(now, 'l2')).toBe(instances);
      given.push(...now);
    }
    expect(await published()).toEqual(Array(instances).fill(versions.map(leaseKeyIdOf)));
    return given;
  }

  test('is never noticed by an app that pinned both keys, and by one that pinned the old key from the switch on', async () => {
    const staged = await rotateTo('l1', 'l2');
    expect(instancesWith(staged, 'l2')).toBe(0);
    for (const each of staged) expect(await holds(each, 'l1')).toBe(true);

    // Months, in which the versions that know only the old key go out of use.
    cloud.pass(120 * daySeconds);
    const [last] = await underLoad();
    // Again each reads its keys at a time of its own.
    cloud.pass(refreshSeconds);
    for (const call of cloud.fleet) {
      cloud.pass(refreshSeconds / instances);
      await call('GET', '/.well-known/jwks.json');
    }
    const switched = await rotateTo('l2', 'l1', 'l3');
    for (const each of switched) expect(await holds(each, 'l1')).toBe(each.kid === leaseKeyIdOf('l1'));
    expect([instancesWith(switched, 'l1'), instancesWith(switched, 'l2')]).toEqual([instances, instances]);
    // Each mix of those that sign with the old key and those that sign with the new one.
    expect([...new Set(mixes)]).toEqual([0, 1, 2, 3, 4]);

    const retired = await rotateTo('l2', 'l3');
    for (const each of retired) expect(await holds(each, 'l1')).toBe(false);

    // What was signed before the switch holds to its end, wherever the keys are by then.
    const { exp = 0 } = decodeJwt(last!.lease);
    cloud.pass(exp - 1 - Date.now() / 1000);
    expect([await holds(last!, 'l1', 'l2'), await holds(last!, 'l2')]).toEqual([true, false]);
    cloud.pass(1);
    expect(await holds(last!, 'l1', 'l2')).toBe(false);
  });
});
