import { describe, expect, test } from '@jest/globals';
import { type AuditAction, type AuditRecord, auditActions } from '../../shared/audit/audit.ts';
import { newId } from '../../shared/ids.ts';
import { type BuyerMoves, movesLeft, noBuyerMoves, withFreedSeat, withReplacedKey } from '../../shared/licenses/buyers/buyer-moves.ts';
import { type CoveringLicense, coversRelease, extendedUpdatesUntil, initialUpdatesUntil } from '../../shared/licenses/coverage.ts';
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
} from '../../shared/licenses/license.ts';
import { deviceHashOf } from '../../shared/licenses/license-lookup.ts';
import { answerWithoutLicense, describeLicense, unusableCode } from '../../shared/licenses/runtime-license.ts';
import { auditEntries, deviceEntries, type HistoryEntry, historyActor, seatsFreedIn } from '../../shared/order-history/history.ts';
import { firstCells } from '../architecture/readme-page.ts';
import { sampleLicense } from '../support/samples/licenses.ts';

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

const daysAgo = (days: number) => new Date(now.getTime() - days * 24 * 3600_000).toISOString();
const released = (...days: number[]): BuyerMoves => ({ ...noBuyerMoves(newId('license')), releasedAt: days.map(daysAgo), revision: 3 });

describe('the moves of a buyer', () => {
  test.each([
    ['none', [], 5, undefined],
    ['one', [3], 4, daysAgo(3 - 30)],
    ['some, in whatever order they were recorded', [3, 20, 7], 2, daysAgo(20 - 30)],
    ['as many as there are', [1, 2, 3, 4, 5], 0, daysAgo(5 - 30)],
    ['more than there are', [1, 2, 3, 4, 5, 6, 7], 0, daysAgo(7 - 30)],
    ['some that are over', [31, 40, 2], 4, daysAgo(2 - 30)],
    ['one that is over at this moment', [30, 2], 4, daysAgo(2 - 30)],
    ['one that is over in a moment', [30 - 2e-8, 2], 3, daysAgo(-2e-8)],
    ['some that are all over', [30, 31], 5, undefined],
  ])('after %s', (_, days, left, resetAt) => {
    expect(movesLeft(released(...days), 5, now)).toEqual({ movesLeft: left, ...(resetAt && { movesResetAt: resetAt }) });
  });

  test('are none where none are granted', () => {
    expect(movesLeft(noBuyerMoves(newId('license')), 0, now)).toEqual({ movesLeft: 0 });
    expect(() => withFreedSeat(released(), 0, now)).toThrow(expect.objectContaining({ code: 'moves_exhausted' }));
  });

  test('gain a release, keep those that count and forget the others', () => {
    const before = { ...released(31, 30, 29), keyReplacedAt: daysAgo(40) };
    expect(withFreedSeat(before, 2, now)).toEqual({ ...before, releasedAt: [daysAgo(29), daysAgo(0)] });
    expect(() => withFreedSeat(before, 1, now)).toThrow(expect.objectContaining({ code: 'moves_exhausted' }));
  });

  test('gain no move by a replaced key, which is possible once in 30 days', () => {
    const before = released(1, 2, 3, 4, 5);
    const after = withReplacedKey(before, now);
    expect(after).toEqual({ ...before, keyReplacedAt: now.toISOString() });
    for (const days of [0, 1, 29]) {
      const recently = { ...before, keyReplacedAt: daysAgo(days) };
      expect(() => withReplacedKey(recently, now)).toThrow(expect.objectContaining({ code: 'moves_exhausted' }));
    }
    expect(withReplacedKey({ ...before, keyReplacedAt: daysAgo(30) }, now)).toEqual(after);
  });
});

const at = '2026-05-01T10:00:00.000Z';
const later = '2026-05-01T10:00:00.120Z';

const record = (action: AuditAction, states: Pick<AuditRecord, 'before' | 'after'> = {}, actor = 'root'): AuditRecord => ({
  id: 'aud_1',
  at,
  actor,
  action,
  targetId: 'ord_1',
  note: 'Said by an admin.',
  ...states,
});
const toldOf = (...records: AuditRecord[]) => auditEntries(records, 'alice').map(({ place: _, at: __, ...told }) => told);

describe('who acted', () => {
  test.each([
    ['alice', 'seller'],
    ['token:tok_1', 'seller'],
    ['root', 'admin'],
    ['alice2', 'admin'],
    ['buyer', 'buyer'],
    ['provider', 'provider'],
    ['operator', 'service'],
    ['mail-sender', 'service'],
    ['event-projector', 'service'],
  ])('%s is told as %s', (actor, told) => {
    expect(historyActor(actor, 'alice')).toBe(told);
  });
});

describe('what a history tells of an audit record', () => {
  /** Status, status of the payment and, in a record that is not older, the amount that is refunded. */
  const states = (text: string) => {
    const [status = '', paymentStatus = '', amountRefunded] = text.split(' ');
    return { status, paymentStatus, ...(amountRefunded !== undefined && { amountRefunded: Number(amountRefunded) }) };
  };
  const partly = (amount?: number) => ['partially_refunded', 'partially_refunded', ...(amount ? [amount] : [])].join(' ');
  const refund = (before?: number, after?: number) => [{ action: 'payment.refunded', ...(after !== undefined && { before, after }) }];
  const move = (before: string | number, after: string | number) => [{ action: 'order.update_status', before, after }];

  test.each<[string, string, string, object[]]>([
    ['a payment that arrived, which the order tells', 'pending pending 0', 'paid succeeded 0', []],
    ['the same in an older record', 'expired failed', 'paid succeeded', []],
    ['a first refund', 'paid succeeded 0', partly(500), refund(0, 500)],
    ['a further refund', partly(500), partly(700), refund(500, 700)],
    ['a refund that was known before the order was', 'pending pending 0', 'refunded refunded 1200', refund(0, 1200)],
    ['a refund in an older record', 'paid succeeded', 'refunded refunded', refund()],
    ['a refund that failed', 'refunded refunded 1200', 'paid succeeded 0', move('refunded', 'paid')],
    ['one of several that failed', partly(700), partly(500), move(700, 500)],
    ['a dispute', 'paid succeeded 0', 'disputed disputed 0', move('paid', 'disputed')],
    ['a dispute that was lost', 'disputed disputed 0', 'disputed lost 0', move('disputed', 'lost')],
    ['one that was won after a refund', 'disputed disputed', partly(), move('disputed', 'partially_refunded')],
    ['a session that expired', 'pending pending 0', 'expired failed 0', move('pending', 'expired')],
  ])('%s', (_, before, after, told) => {
    const update = record('order.update_status', { before: states(before), after: states(after) }, 'provider');
    expect(toldOf(update)).toEqual(told.map((each) => ({ ...each, actor: 'provider' })));
  });

  test.each([
    ['license.count_addition', 3, 5, { before: 3, after: 5 }],
    ['license.uncount_addition', 5, 3, { before: 5, after: 3 }],
    ['license.count_addition', 4, 4, {}],
  ])('%s, with the limit where it moved from %i to %i', (action, before, after, told) => {
    const limits = { before: { activationLimit: before }, after: { activationLimit: after, orderId: 'ord_2' } };
    expect(toldOf({ ...record('license.hold', limits, 'provider'), action })).toEqual([{ action, actor: 'provider', ...told }]);
  });

  test.each<[AuditAction, AuditRecord['before'], AuditRecord['after'], object]>([
    ['license.suspend', { status: 'active', suspended: false }, { status: 'suspended' }, { before: 'active', after: 'suspended' }],
    ['license.reinstate', { status: 'suspended' }, { status: 'active' }, { before: 'suspended', after: 'active' }],
    ['license.revoke', { status: 'active' }, { status: 'revoked' }, { before: 'active', after: 'revoked' }],
    ['license.hold', { paymentHold: 'none' }, { paymentHold: 'disputed' }, { before: 'none', after: 'disputed' }],
    ['license.change_limit', { activationLimit: 3 }, { activationLimit: 7 }, { before: 3, after: 7 }],
    ['license.extend_updates', { updatesUntil: at }, { updatesUntil: later }, {}],
    ['license.replace_key', { licenseKeyHint: 'ABCD' }, { licenseKeyHint: 'EFGH' }, {}],
    ['order.record_mail_report', undefined, { mailId: 'issuance', outcome: 'suppressed' }, { after: 'suppressed' }],
  ])('%s', (action, before, after, told) => {
    expect(toldOf(record(action, { before, after }))).toEqual([{ action, actor: 'admin', ...told }]);
  });

  test('a mail that came back, and a seat that was released by hand, under names of their own; the issue of the license not at all', () => {
    expect(
      toldOf(
        record('order.record_mail_report', { after: { mailId: 'issuance', outcome: 'bounced', bounce: 'permanent' } }, 'mail-sender'),
        record('license.release_activation', { before: { activationId: 'act_1', active: true } }, 'alice'),
        record('license.issue', { after: { orderId: 'ord_1', paymentHold: 'none' } }, 'provider'),
      ),
    ).toEqual([
      { action: 'mail.bounced', actor: 'service', after: 'permanent' },
      { action: 'activation.released', actor: 'seller' },
    ]);
  });

  test('nothing but words of state and numbers, whatever a record holds under whichever name', () => {
    const values = ['bob@example.com', 'LIC1-7K3QD', 'Bob’s laptop', 'act_0123456789', 'two words', at, true, 'x'.repeat(41)];
    for (const action of auditActions) {
      for (const value of values) {
        const state = new Proxy({}, { get: () => value, has: () => true });
        for (const { before, after } of toldOf(record(action, { before: state, after: state }))) {
          expect([before, after]).toEqual([undefined, undefined]);
        }
      }
    }
  });
});

describe('what a history tells of a device', () => {
  const { license } = sampleLicense();
  const device: Device = { lookup: license.lookup, deviceHash: 'h'.repeat(26), deviceLabel: 'Bob’s laptop', activatedAt: at };
  const released = { ...device, deactivatedAt: later };
  const audited = (released: string, id: string = activationIdOf(device)) =>
    seatsFreedIn([{ ...record('license.release_activation', { before: { activationId: id, active: true } }), at: released }]);
  const tell = (
    of: Device,
    { releases = audited('', 'act_none'), ...facts }: Partial<License> & { releases?: ReturnType<typeof audited> } = {},
  ) => deviceEntries(of, { ...license, ...facts }, releases).map(({ at, action, actor }: HistoryEntry) => [at, action, actor]);
  const first = '2026-01-01T00:00:00.000Z';
  const created = [at, 'activation.created', 'app'];
  const byApp = [created, [later, 'activation.released', 'app']];
  const replacedAt = (time: string) => ({ formerKeys: [{ lookup: device.lookup, replacedAt: time }] });

  test.each<[string, Device, Parameters<typeof tell>[1], unknown[]]>([
    ['one that has its seat', device, {}, [created]],
    ['one that took it again', { ...device, firstActivatedAt: first }, {}, [[first, 'activation.created', 'app'], created]],
    ['one that its app deactivated', released, {}, byApp],
    ['one whose release an audit record tells', released, { releases: audited(later) }, [created]],
    ['the same, which was recorded a moment later', released, { releases: audited('2026-05-01T10:00:00.121Z') }, [created]],
    ['one that was released by hand once before', released, { releases: audited(at) }, byApp],
    ['another’s audit record', released, { releases: audited(later, 'act_other') }, byApp],
    ['one that lost its seat with its key', released, replacedAt(later), [created, [later, 'activation.released', 'buyer']]],
    ['one of a former key that its app had deactivated before', released, replacedAt('2026-06-01T00:00:00.000Z'), byApp],
  ])('%s', (_, of, facts, told) => {
    expect(tell(of, facts)).toEqual(told);
  });
});
