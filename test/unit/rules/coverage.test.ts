import { expect, test } from '@jest/globals';
import { type CoveringLicense, coversRelease, extendedUpdatesUntil, initialUpdatesUntil } from '../../../shared/licenses/coverage.ts';

const issuedAt = '2026-01-31T09:00:00.123Z';
const updatesUntil = '2027-01-31T09:00:00.123Z';

test.each([
  [0, issuedAt],
  [365, updatesUntil],
  [36_499, '2126-01-06T09:00:00.123Z'],
  [36_500, undefined],
])('%i days of updates end at %s', (days, until) => {
  expect(initialUpdatesUntil(issuedAt, days)).toBe(until);
});

test.each([updatesUntil, '2027-01-31T09:00:00.124Z', '2126-01-07T09:00:00.123Z'])('an end of updates may move to %s', (wanted) => {
  expect(extendedUpdatesUntil({ issuedAt, updatesUntil }, wanted)).toBe(wanted);
});

test.each([
  [updatesUntil, '2027-01-31T09:00:00.122Z'],
  [updatesUntil, '2126-01-07T09:00:00.124Z'],
  [undefined, '2027-01-31T09:00:00.123Z'],
])('an end of updates, %s, may not move to %s', (present, wanted) => {
  expect(() => extendedUpdatesUntil({ issuedAt, updatesUntil: present }, wanted)).toThrow(/^updates_until /);
});

const license: CoveringLicense = { status: 'active', features: ['pro', 'sync'], updatesUntil };
const release = { coveredAt: updatesUntil, requiresFeatures: ['pro'] };

test.each<[string, boolean, Partial<CoveringLicense>, Partial<typeof release>]>([
  ['covers a release of its last moment', true, {}, {}],
  ['does not cover one a millisecond later', false, {}, { coveredAt: '2027-01-31T09:00:00.124Z' }],
  ['covers any time without an end', true, { updatesUntil: undefined }, { coveredAt: '2999-12-31T23:59:59.999Z' }],
  ['covers what requires all that it has', true, {}, { requiresFeatures: ['sync', 'pro'] }],
  ['does not cover what requires one feature more', false, {}, { requiresFeatures: ['pro', 'teams'] }],
  ['covers what requires nothing without any feature', true, { features: [] }, { requiresFeatures: [] }],
  ['covers nothing while it is not active', false, { status: 'suspended' }, {}],
])('a license %s', (_rule, covers, licensed, released) => {
  expect(coversRelease({ ...license, ...licensed }, { ...release, ...released })).toBe(covers);
});
