import { beforeAll, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { revokeLicense } from '../../../shared/licenses/license-service.ts';
import type { Order } from '../../../shared/orders/order.ts';
import { tries } from '../../support/depth.ts';
import { declineEvent, disputeEvent, refundEvent, sessionEvent } from '../../support/samples/provider-events.ts';
import { createEventLog, told } from '../../support/scenes/events/event-log.ts';
import { createProjectionHarness, type ProjectionHarness } from '../../support/scenes/projection-harness.ts';

let harness: ProjectionHarness;
let events: ReturnType<typeof createEventLog>;
beforeAll(async () => {
  harness = await createProjectionHarness();
  events = createEventLog({ table: harness.table });
});

type EventOf = (order: Order) => unknown;
const unpaid: EventOf = (o) => sessionEvent(o, 'completed', { payment_status: 'unpaid' });
const expired: EventOf = (o) => sessionEvent(o, 'expired');
const paid: EventOf = (o) => sessionEvent(o, 'completed');
const refunded = (amount: number): EventOf => {
  return (o) => refundEvent(o, amount);
};
const disputed: EventOf = (o) => disputeEvent(o, 'created', 'needs_response');
const won: EventOf = (o) => disputeEvent(o, 'closed', 'won');
const lost: EventOf = (o) => disputeEvent(o, 'closed', 'lost');

/** What its seller is told of an order, but for the ids of order and product. */
async function toldOf({ id: orderId, productId, sellerId }: Order) {
  const recorded = await events.recordedOf(sellerId);
  return recorded.map((event) => {
    expect(event.data).toMatchObject({ orderId, productId });
    const { orderId: _, productId: __, licenseId: ___, ...rest } = told(event) as Record<string, unknown>;
    return rest;
  });
}

const sale = (status: string) => ({ status, amount: 1200, currency: 'JPY', kind: 'license', quantity: 1 });
const isPaid = (status = 'paid') => ({ type: 'order.paid', ...sale(status) });
const issued = (status = 'active') => {
  return { type: 'license.issued', status, licenseIssuanceMode: 'generated_server_validated', activationLimit: 2 };
};
const turns = (previousStatus: string, status: string) => ({ type: 'license.status_changed', previousStatus, status });
const isRefunded = (amountRefunded: number, status: string) => ({ type: 'order.refunded', ...sale(status), amountRefunded });
const isDisputed = (status = 'disputed') => ({ type: 'order.disputed', ...sale(status) });
const isClosed = (outcome: 'won' | 'lost', status: string) => ({ type: 'order.dispute_closed', ...sale(status), outcome });

const toRefunded = [isRefunded(1200, 'refunded'), turns('active', 'refunded')];
const opened = [isPaid(), issued(), isDisputed(), turns('active', 'disputed')];

test.each<[string, EventOf[], object[]]>([
  ['nothing while it is not paid', [declineEvent, expired, unpaid, disputed, refunded(400)], []],
  [
    'each further amount that is refunded',
    [paid, paid, refunded(400), refunded(400)],
    [isPaid(), issued(), isRefunded(400, 'partially_refunded')],
  ],
  ['that all of it is refunded', [paid, refunded(1200), refunded(400)], [isPaid(), issued(), ...toRefunded]],
  ['what was refunded before', [refunded(1200), paid], [isPaid('refunded'), isRefunded(1200, 'refunded'), issued('refunded')]],
  ['what was disputed before', [disputed, paid], [isPaid('disputed'), isDisputed(), issued('disputed')]],
  ['that a dispute was lost', [paid, disputed, lost, lost], [...opened, isClosed('lost', 'disputed')]],
  ['that one was won', [paid, disputed, won, won, disputed], [...opened, isClosed('won', 'paid'), turns('disputed', 'active')]],
  [
    'of a dispute of what is refunded whole, without a change of the license',
    [paid, refunded(1200), disputed, won],
    [isPaid(), issued(), ...toRefunded, isDisputed('refunded'), isClosed('won', 'refunded')],
  ],
])('the seller is told of a sale %s', async (_, happened, expected) => {
  const order = await harness.addOrder();
  for (const eventOf of happened) await harness.deliver(eventOf(order));
  expect(await toldOf(order)).toEqual(expected);
});

test('the seller is told of a dispute of what is revoked, without a change of the license', async () => {
  const order = await harness.addOrder();
  await harness.deliver(paid(order));
  const { license } = await harness.show(order.id);
  if (!license) throw new Error('There is no license.');
  await revokeLicense(harness, 'admin', license.id);
  await harness.deliver(disputed(order));
  await harness.deliver(won(order));
  expect((await toldOf(order)).slice(2)).toEqual([turns('active', 'revoked'), isDisputed(), isClosed('won', 'paid')]);
  const ofLicense = (await events.recordedOf(license.id)).map(({ type }) => type);
  expect(ofLicense).toEqual(['license.issued', 'license.status_changed']);
});

test('in any order, repeated and at once: each transition is told once, and statuses follow from each other', async () => {
  const known = [paid, refunded(400), refunded(1200), disputed, lost];
  const twice = known.flatMap((_, at) => [at, at]);
  await fc.assert(
    fc.asyncProperty(fc.shuffledSubarray(twice, { minLength: 10 }), fc.boolean(), async (order, atOnce) => {
      const sold = await harness.addOrder();
      const sent = known.map((eventOf) => eventOf(sold));
      if (atOnce) await Promise.all(order.map((at) => harness.deliver(sent[at])));
      for (const at of order) await harness.deliver(sent[at]);
      const all = await toldOf(sold);
      const of = (type: string) => all.filter((event) => event['type'] === type);
      const once = ['order.paid', 'license.issued', 'order.disputed', 'order.dispute_closed'];
      expect(once.map((type) => of(type).length)).toEqual([1, 1, 1, 1]);
      const amounts = of('order.refunded').map((event) => Number(event['amountRefunded']));
      expect([[400, 1200], [1200]]).toContainEqual(amounts);
      const statuses = [of('license.issued')[0]?.['status'], ...of('license.status_changed').map(({ status }) => status)];
      expect(of('license.status_changed').map((event) => event['previousStatus'])).toEqual(statuses.slice(0, -1));
      expect(statuses.at(-1)).toBe('refunded');
      expect(new Set(statuses).size).toBe(statuses.length);
    }),
    { numRuns: tries(20) },
  );
}, 120_000);
