import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { jobKey } from '../../../shared/db/keys.ts';
import { jobId } from '../../../shared/jobs/new-job.ts';
import type { Order } from '../../../shared/orders/order.ts';
import { addSeller, getSellerOfUser, linkAccount } from '../../../shared/sellers/seller-repository.ts';
import { accountStates } from '../../support/samples/account-states.ts';
import { disputeEvent, paymentIdOf, refundEvent, sessionEvent } from '../../support/samples/provider-events.ts';
import { sampleSeller } from '../../support/samples/sample-seller.ts';
import { createProjectionHarness, type ProjectionHarness } from '../../support/scenes/projection-harness.ts';
import { type StubProvider, startStubProvider } from '../../support/scenes/stub-provider.ts';

const freshId = (prefix: string) => `${prefix}_${randomBytes(9).toString('hex')}`;

let provider: StubProvider;
let harness: ProjectionHarness;
let clock = 0;

beforeAll(async () => {
  provider = await startStubProvider();
  harness = await createProjectionHarness({ provider: provider.client, now: () => new Date(Date.now() + clock) });
});
afterAll(() => provider.stop());
beforeEach(() => {
  provider.objects.clear();
  provider.requests.length = 0;
  harness.queue.take();
});

const statusOf = async (order: Order) => (await harness.show(order.id)).order.status;
const jobOf = (eventId: string) => harness.table.get(jobKey(jobId({ kind: 'project-event', eventId })));

const reportOfRefund = (type: string, order: Order, refund: object) => ({
  id: freshId('evt'),
  object: 'event',
  type,
  livemode: false,
  data: { object: { id: freshId('re'), object: 'refund', charge: `ch_${order.id}`, payment_intent: paymentIdOf(order), ...refund } },
});

const charge = (order: Order, refunded: number) => ({
  id: `ch_${order.id}`,
  object: 'charge',
  payment_intent: paymentIdOf(order),
  amount_refunded: refunded,
});

/** An order that was paid and refunded in full, by a charge of this name. */
async function refundedOrder(chargeId = (order: Order) => `ch_${order.id}`): Promise<Order> {
  const order = await harness.sell();
  await harness.deliver(refundEvent(order, 1200, { id: chargeId(order) }));
  expect(await statusOf(order)).toBe('refunded');
  return order;
}

describe('an updated refund', () => {
  test('that failed has what is refunded by the charge', async () => {
    const order = await refundedOrder();
    for (const [refunded, expected] of [
      [300, 'partially_refunded'],
      [0, 'paid'],
    ] as const) {
      provider.objects.set(`/v1/charges/ch_${order.id}`, charge(order, refunded));
      await harness.deliver(reportOfRefund('refund.updated', order, { status: 'failed' }));
      expect(await statusOf(order)).toBe(expected);
    }
  });

  test('without its charge leads to the charge of the payment', async () => {
    const order = await refundedOrder();
    const intent = { id: paymentIdOf(order), object: 'payment_intent', latest_charge: charge(order, 0) };
    provider.objects.set(`/v1/payment_intents/${paymentIdOf(order)}`, intent);
    await harness.deliver(reportOfRefund('refund.updated', order, { status: 'canceled', charge: null }));
    expect(await statusOf(order)).toBe('paid');
  });

  test('of a charge that the provider cannot show now is tried again', async () => {
    const event = reportOfRefund('refund.updated', await harness.sell(), { status: 'failed' });
    await harness.deliver(event);
    expect(await jobOf(event.id)).toMatchObject({ state: 'waiting', attempts: 1 });
  });
});

describe('a charge that is called a payment (py_…)', () => {
  const named = (order: Order) => ({ charge: `py_${order.id}`, payment_intent: null });

  test.each(['du', 'dp'])('is disputed like any other, by a dispute %s_…', async (prefix) => {
    const order = await harness.sell();
    provider.objects.set(`/v1/charges/py_${order.id}`, { ...charge(order, 0), id: `py_${order.id}` });
    const id = freshId(prefix);
    await harness.deliver(disputeEvent(order, 'created', 'needs_response', { id, ...named(order) }));
    expect(await statusOf(order)).toBe('disputed');
    await harness.deliver(disputeEvent(order, 'closed', 'won', { id, ...named(order) }));
    expect(await statusOf(order)).toBe('paid');
  });

  test('is refunded like any other, and has refunds that fail (pyr_…)', async () => {
    const order = await refundedOrder(({ id }) => `py_${id}`);
    provider.objects.set(`/v1/charges/py_${order.id}`, { ...charge(order, 0), id: `py_${order.id}` });
    await harness.deliver(reportOfRefund('refund.failed', order, { id: freshId('pyr'), ...named(order) }));
    expect(await statusOf(order)).toBe('paid');
  });
});

test('the end of a session that an order was never bound to leaves the order alone', async () => {
  const order = await harness.addOrder();
  const event = sessionEvent(order, 'expired', { id: 'cs_test_abandoned' });
  await harness.deliver(event);
  expect(await harness.deliver(event)).toMatchObject({ processed: true });
  expect((await harness.show(order.id)).order).toMatchObject({ status: 'pending', checkoutSessionId: order.checkoutSessionId });
  await harness.deliver(sessionEvent(order, 'expired'));
  expect(await statusOf(order)).toBe('expired');
});

describe('an account event', () => {
  /** An account that the provider shows in this state, and the seller's onboarding by it. */
  async function sellerWithAccount(shown?: keyof typeof accountStates) {
    const accountId = freshId('acct');
    const seller = sampleSeller({ paymentConnectedAccountId: accountId, paymentOnboardingStatus: 'onboarding_started' });
    await harness.table.transact([...addSeller(seller), linkAccount(seller.id, accountId)]);
    const path = `/v2/core/accounts/${accountId}`;
    const show = (state: keyof typeof accountStates) => provider.objects.set(path, { ...accountStates[state], id: accountId });
    if (shown !== undefined) show(shown);
    return { accountId, path, show, now: () => getSellerOfUser(harness.table, seller.ownerUserId) };
  }

  const thin = (type: string, fields: object) => ({
    id: freshId('evt_test'),
    object: 'v2.core.event',
    type,
    livemode: false,
    created: '2026-10-31T04:00:00.000Z',
    ...fields,
  });
  const about = (accountId: string) => ({ related_object: { id: accountId, type: 'v2.core.account', url: '/evil' } });
  const contextsSent = () => provider.requests.map(({ path, headers }) => [path, headers['stripe-context']]);

  test('is followed in its context', async () => {
    const { accountId, path, now } = await sellerWithAccount('enabled');
    await harness.deliver(thin('v2.core.account[requirements].updated', { ...about(accountId), context: 'org_6Sfo/acct_1Abc' }), 'connect');
    expect(contextsSent()).toEqual([[path, 'org_6Sfo/acct_1Abc']]);
    expect((await now()).paymentOnboardingStatus).toBe('payouts_enabled');
  });

  test('that a user returned from onboarding is retrieved in its context, and so is the account', async () => {
    const { accountId, path, now } = await sellerWithAccount('new');
    const event = thin('v2.core.account_link.returned', { context: 'acct_1Abc' });
    provider.objects.set(`/v2/core/events/${event.id}`, { ...event, data: { account_id: accountId } });
    await harness.deliver(event);
    expect(contextsSent()).toEqual([`/v2/core/events/${event.id}`, path].map((asked) => [asked, 'acct_1Abc']));
    expect(await now()).toMatchObject({ paymentOnboardingStatus: 'requirements_due', onboardingReturnedAt: expect.any(String) });
  });

  test.each(['v2.core.account_link.returned', 'v2.core.account.updated'])(
    '%s of what the provider does not show yet is tried again',
    async (type) => {
      const { accountId, show, now } = await sellerWithAccount();
      const event = thin(type, type.includes('link') ? {} : about(accountId));
      await harness.deliver(event);
      expect(await jobOf(event.id)).toMatchObject({ state: 'waiting', attempts: 1, lastFailure: 'account_unknown' });

      provider.objects.set(`/v2/core/events/${event.id}`, { ...event, data: { account_id: accountId } });
      show('enabled');
      clock += 6000;
      await harness.deliver(event);
      expect(await jobOf(event.id)).toBeUndefined();
      expect((await now()).paymentOnboardingStatus).toBe('payouts_enabled');
    },
  );

  test('of what the provider never shows ends in a dead job with a reason of its own', async () => {
    const event = thin('v2.core.account_link.returned', {});
    await harness.deliver(event);
    clock += 25 * 3600_000;
    await harness.deliver(event);
    expect(await jobOf(event.id)).toMatchObject({ state: 'dead', lastFailure: 'account_unknown' });
    clock = 0;
  });

  test('of an account of no seller here is not followed', async () => {
    const event = thin('v2.core.account.updated', about(freshId('acct')));
    await harness.deliver(event);
    expect(await harness.deliver(event)).toMatchObject({ processed: true });
    expect(provider.requests).toEqual([]);
  });
});
