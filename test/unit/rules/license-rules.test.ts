import { describe, expect, test } from '@jest/globals';
import { newId } from '../../../shared/ids.ts';
import {
  activationIdOf,
  type Device,
  deviceHashOfActivation,
  isActive,
  type License,
  statusOf,
  toIssuedLicense,
} from '../../../shared/licenses/license.ts';
import { deviceHashOf, licenseLookups, pepperVersionOf } from '../../../shared/licenses/license-lookup.ts';
import { describeLicense, obstacleOf, withoutLicense } from '../../../shared/licenses/runtime-license.ts';
import { keyringOf } from '../../support/samples/licenses.ts';

const now = new Date('2026-01-31T09:00:00.000Z');
const before = '2026-01-31T08:59:59.999Z';
const after = '2026-01-31T09:00:00.001Z';

const active: License = {
  id: newId('license'),
  lookup: '1.hash',
  sealedKey: 'sealed',
  keyHint: 'ABCD',
  orderId: newId('order'),
  productId: newId('product'),
  sellerId: newId('seller'),
  licenseIssuanceMode: 'generated_server_validated',
  activationLimit: 3,
  activationCount: 1,
  features: ['pro'],
  deactivationAllowed: true,
  offlineDays: 14,
  offlineFileDays: 0,
  issuedAt: before,
};

/** What stops a license, and as which status, the first that holds. */
const facts: [Partial<License>, string][] = [
  [{ revokedAt: before, revokedBy: 'root' }, 'revoked'],
  [{ paymentHold: 'refunded' }, 'refunded'],
  [{ paymentHold: 'disputed' }, 'disputed'],
  [{ suspendedAt: before }, 'suspended'],
  [{ expiresAt: before }, 'expired'],
  [{}, 'active'],
];

test('the status of a license is the first that holds, for every combination', () => {
  for (let bits = 0; bits < 2 ** facts.length; bits += 1) {
    const held = facts.filter((_fact, index) => bits & (1 << index));
    // A payment holds a license for one reason at a time.
    if (held.filter(([fact]) => fact.paymentHold).length > 1) continue;
    const license = Object.assign({ ...active }, ...held.map(([fact]) => fact)) as License;
    const expected = held[0]?.[1] ?? 'active';
    expect(statusOf(license, now)).toBe(expected);
    expect(obstacleOf(license, now)).toBe(expected === 'active' ? undefined : `license_${expected}`);
    expect(describeLicense(license, now, 'valid')).toMatchObject({ valid: expected === 'active', status: expected });
    expect(toIssuedLicense(license, now)).toMatchObject({ status: expected, licenseKeyHint: 'ABCD' });
  }
});

test('a license is expired from the instant it ends', () => {
  expect(statusOf({ ...active, expiresAt: after }, now)).toBe('active');
  expect(statusOf({ ...active, expiresAt: now.toISOString() }, now)).toBe('expired');
  expect(statusOf({ ...active, expiresAt: before }, now)).toBe('expired');
});

test('an answer has the facts of the license and nothing of the buyer or the key', () => {
  expect(describeLicense({ ...active, expiresAt: after }, now, 'activated', true)).toEqual({
    valid: true,
    code: 'activated',
    checkedAt: now.toISOString(),
    licenseId: active.id,
    status: 'active',
    activationLimit: 3,
    activationCount: 1,
    features: ['pro'],
    issuedAt: before,
    expiresAt: after,
    deviceActivated: true,
  });
  expect(withoutLicense('license_not_found', now)).toEqual({ valid: false, code: 'license_not_found', checkedAt: now.toISOString() });
});

describe('devices', () => {
  const device: Device = { lookup: '1.hash', deviceHash: deviceHashOf('laptop', 'KEY'), activatedAt: before };

  test('one has a seat until it is freed', () => {
    expect(isActive(undefined)).toBe(false);
    expect(isActive(device)).toBe(true);
    expect(isActive({ ...device, deactivatedAt: before })).toBe(false);
  });

  test('one is told apart by its fingerprint and the key', () => {
    const hashes = [deviceHashOf('laptop', 'KEY'), deviceHashOf('tablet', 'KEY'), deviceHashOf('laptop', 'OTHER')];
    expect(new Set(hashes).size).toBe(3);
    expect(deviceHashOf('laptop', 'KEY')).toBe(hashes[0]);
    for (const hash of hashes) expect(hash).toMatch(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
  });

  test('the id of an activation leads back to its device', () => {
    expect(deviceHashOfActivation(activationIdOf(device))).toBe(device.deviceHash);
  });
});

describe('lookups', () => {
  const peppers = keyringOf('2', '1');

  test('are one for each pepper, the current one’s first', () => {
    const lookups = licenseLookups('prd_1', 'KEY', peppers);
    expect(lookups.map(pepperVersionOf)).toEqual(['2', '1']);
    expect(new Set(lookups.map((lookup) => lookup.split('.')[1])).size).toBe(2);
  });

  test('differ by product and key, wherever one ends and the other begins', () => {
    const of = (product: string, key: string) => licenseLookups(product, key, peppers)[0];
    expect(new Set([of('prd_1', 'KEY'), of('prd_2', 'KEY'), of('prd_1', 'YEK'), of('prd_1K', 'EY')]).size).toBe(4);
  });
});
