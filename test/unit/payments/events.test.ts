import { describe, expect, test } from '@jest/globals';
import { disputeStateOf, EventEnvelope, parseEvent } from '../../../shared/payments/events/parse-event.ts';
import { declineEvent, disputeEvent, paymentIdOf, refundEvent, sessionEvent } from '../../support/samples/provider-events.ts';
import { sampleOrder } from '../../support/scenes/projection-harness.ts';

const order = sampleOrder({ amount: 3400, currency: 'USD' });
const paymentIntentId = paymentIdOf(order);
const parsed = (event: object, endpoint: 'platform' | 'connect' = 'platform') =>
  parseEvent(EventEnvelope.parse(event), endpoint, (plain) => `sealed ${plain}`);
const refund = (type: string, change: object) => ({
  ...{ id: 'evt_1', object: 'event', type, livemode: false },
  data: { object: { id: 're_1', charge: 'ch_1', payment_intent: paymentIntentId, ...change } },
});
const thin = {
  ...{ id: 'evt_1', object: 'v2.core.event', type: 'v2.core.account.updated', livemode: false },
  related_object: { id: 'acct_1Abc' },
};
const unpaid = (payment_status: string) => sessionEvent(order, 'completed', { payment_status });
const dispute = (type: 'created' | 'updated' | 'closed', status: string) => disputeEvent(order, type, status);

/** One event of each type that counts, and what is known by it. */
const counting: [object, object][] = [
  [sessionEvent(order, 'completed'), { kind: 'session', outcome: 'paid', sealedBuyerEmail: 'sealed Buyer@Example.com' }],
  [unpaid('no_payment_required'), { kind: 'session', outcome: 'paid', amount: 3400, currency: 'usd', orderId: order.id }],
  [unpaid('unpaid'), { kind: 'session', outcome: 'processing', paymentIntentId, sessionId: order.checkoutSessionId }],
  [unpaid('on_its_way'), { kind: 'session', outcome: 'processing', mode: 'payment' }],
  [sessionEvent(order, 'async_payment_succeeded'), { kind: 'session', outcome: 'paid', paymentIntentId }],
  [sessionEvent(order, 'async_payment_failed'), { kind: 'session', outcome: 'async_failed' }],
  [sessionEvent(order, 'expired'), { kind: 'session', outcome: 'expired', paymentIntentId: undefined }],
  [declineEvent(order), { kind: 'decline', paymentIntentId, orderId: order.id, amount: 3400, currency: 'usd' }],
  [refundEvent(order, 1700), { kind: 'refund', paymentIntentId, amount: 3400, refundedAmount: 1700, chargeId: `ch_${order.id}` }],
  [refund('refund.failed', {}), { kind: 'failed-refund', paymentIntentId, chargeId: 'ch_1' }],
  [refund('refund.updated', { status: 'failed' }), { kind: 'failed-refund', paymentIntentId, chargeId: 'ch_1' }],
  [refund('refund.updated', { status: 'canceled', charge: null }), { kind: 'failed-refund', paymentIntentId, chargeId: undefined }],
  [dispute('created', 'needs_response'), { kind: 'dispute', state: 'open', paymentIntentId, disputeId: `du_${order.id}`, amount: 3400 }],
  [dispute('updated', 'under_review'), { kind: 'dispute', state: 'open', chargeId: `ch_${order.id}` }],
  [dispute('closed', 'lost'), { kind: 'dispute', state: 'lost' }],
];

test.each(counting)('of %j is kept what we use', (event, payload) => {
  expect(parsed(event)).toMatchObject(payload);
});

describe('an event never counts', () => {
  test.each<[string, object, 'platform' | 'connect']>([
    ['of live mode', { livemode: true }, 'platform'],
    ['of a mode that we do not know', { livemode: 'false' }, 'platform'],
    ['of a connected account', { account: 'acct_other' }, 'platform'],
    ['of our own account as a connected one', { account: 'acct_test' }, 'platform'],
    ['of a type that we do not handle', { type: 'customer.created' }, 'platform'],
    ['at the endpoint of accounts', {}, 'connect'],
  ])('%s, whatever its type', (_, envelope, endpoint) => {
    for (const [event] of counting) expect(parsed({ ...event, ...envelope }, endpoint)).toEqual({ kind: 'ignored' });
  });

  test.each(['pending', 'requires_action', 'succeeded', 'of_another_kind', null, undefined])('of a refund that is %s', (status) => {
    expect(parsed(refund('refund.updated', { status }))).toEqual({ kind: 'ignored' });
  });
});

const notIds = ['ch_1/../../v1/balance', 'ch_1?expand=x', 'ch_1#', 'ch_', 'ch-1', 'cus_1', 'ch_\u00e9', ' ch_1', 'ch_1\n'];
test.each(notIds)('an id of the form %j is none', (charge) => {
  expect(parsed(refund('refund.failed', { charge }))).toEqual({ kind: 'unreadable' });
  const about = { ...thin, related_object: { id: charge.replace('ch', 'acct') } };
  expect(parsed(about)).toMatchObject({ kind: 'account', accountId: undefined });
});

test.each([
  ...['acct_1Abc', 'org_6Sfo/acct_1Abc'].map((context) => [context, context]),
  ...[null, undefined, '', 7, 'acct_1\r\nX-Evil: 1', 'acct 1', '../acct_1', 'acct_1/'].map((context) => [context, undefined]),
])('an account event with the context %j is in the context %j', (context, kept) => {
  expect(parsed({ ...thin, context }, 'connect')).toMatchObject({ kind: 'account', accountId: 'acct_1Abc', context: kept });
});

test.each([
  ['needs_response', 'open'],
  ['under_review', 'open'],
  ['anything_new', 'open'],
  ['won', 'won'],
  ['lost', 'lost'],
  ['prevented', 'prevented'],
  ['warning_closed', 'won'],
  ['warning_needs_response', 'inquiry'],
  ['warning_under_review', 'inquiry'],
])('a dispute with the provider’s status %s is %s', (status, state) => {
  expect(disputeStateOf(status)).toBe(state);
});
