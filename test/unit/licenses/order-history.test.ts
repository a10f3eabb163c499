import { describe, expect, test } from '@jest/globals';
import { type AuditAction, type AuditRecord, auditActions } from '../../../shared/audit/audit.ts';
import { activationIdOf, type Device, type License } from '../../../shared/licenses/license.ts';
import { auditEntries, deviceEntries, type HistoryEntry, historyActor, seatsFreedIn } from '../../../shared/order-history/history.ts';
import { sampleLicense } from '../../support/samples/licenses.ts';

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
