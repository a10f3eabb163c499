import { describe, expect, test } from '@jest/globals';
import {
  activationIdOf,
  type Device,
  deviceHashOfActivation,
  firstActivationTime,
  isActive,
  type License,
  statusOf,
  toActivation,
  toIssuedLicense,
} from '../../../shared/licenses/license.ts';
import { deviceHashOf } from '../../../shared/licenses/license-lookup.ts';
import { answerWithoutLicense, describeLicense, unusableCode } from '../../../shared/licenses/runtime-license.ts';
import { firstCells } from '../../architecture/readme-page.ts';
import { sampleLicense } from '../../support/samples/licenses.ts';

const now = new Date('2026-01-31T09:00:00.000Z');
const before = '2026-01-31T08:59:59.999Z';
const after = '2026-01-31T09:00:00.001Z';

const active = sampleLicense({ activationLimit: 3, activationCount: 1, issuedAt: before }).license;

/** What stops a license, and as which status, the first that holds. */
const facts: [Partial<License>, string][] = [
  [{ revokedAt: before, revokedBy: 'root' }, 'revoked'],
  [{ paymentHold: 'refunded' }, 'refunded'],
  [{ paymentHold: 'disputed' }, 'disputed'],
  [{ suspendedAt: before }, 'suspended'],
  [{ expiresAt: before }, 'expired'],
  [{}, 'active'],
];

test('the status of a license is the first that holds, as its README lists them, for every combination', () => {
  expect(firstCells('shared/licenses/README.md', 'status')).toEqual(facts.map(([, status]) => status));
  for (let bits = 0; bits < 2 ** facts.length; bits += 1) {
    const held = facts.filter((_fact, index) => bits & (1 << index));
    // A payment holds a license for one reason at a time.
    if (held.filter(([fact]) => fact.paymentHold).length > 1) continue;
    const license = Object.assign({ ...active }, ...held.map(([fact]) => fact)) as License;
    const expected = held[0]?.[1] ?? 'active';
    expect(statusOf(license, now)).toBe(expected);
    expect(unusableCode(license, now)).toBe(expected === 'active' ? undefined : `license_${expected}`);
    expect(describeLicense(license, now, 'valid')).toMatchObject({ valid: expected === 'active', status: expected });
    expect(toIssuedLicense(license, now)).toMatchObject({ status: expected, licenseKeyHint: active.keyHint });
  }
});

test('a license is expired from the instant it ends', () => {
  const statuses = [before, now.toISOString(), after].map((expiresAt) => statusOf({ ...active, expiresAt }, now));
  expect(statuses).toEqual(['expired', 'expired', 'active']);
});

test('the license of a test key is marked wherever it shows, and no other', () => {
  const ofTestKey = { ...active, orderId: undefined };
  expect(toIssuedLicense(ofTestKey, now).test).toBe(true);
  expect(describeLicense(ofTestKey, now, 'valid').test).toBe(true);
  expect(toIssuedLicense(active, now)).not.toHaveProperty('test');
});

test('a device that was read with a seat is counted, whatever the license knew of it', () => {
  const countOf = (activationCount: number, hasSeat?: boolean) =>
    describeLicense({ ...active, activationCount }, now, 'valid', hasSeat).activationCount;
  expect([countOf(0, true), countOf(2, true), countOf(0, false), countOf(2)]).toEqual([1, 2, 0, 2]);
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
  expect(answerWithoutLicense('license_not_found', now)).toEqual({ valid: false, code: 'license_not_found', checkedAt: now.toISOString() });
});

describe('devices', () => {
  const device: Device = { lookup: '1.hash', deviceHash: deviceHashOf('laptop', 'KEY'), activatedAt: before };

  test('one has a seat until it is freed', () => {
    expect([undefined, device, { ...device, deactivatedAt: before }].map(isActive)).toEqual([false, true, false]);
  });

  test('one that took a seat again was activated first when it took the first', () => {
    const first = '2026-01-01T00:00:00.000Z';
    expect([device, { ...device, firstActivatedAt: first }].map(firstActivationTime)).toEqual([before, first]);
  });

  test('the id of an activation leads back to its device', () => {
    expect(toActivation(device)).toEqual({ id: `act_${device.deviceHash}`, activatedAt: before });
    expect(deviceHashOfActivation(activationIdOf(device))).toBe(device.deviceHash);
  });
});
