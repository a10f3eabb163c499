import { beforeAll, describe, expect, test } from '@jest/globals';
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

const paid = (o: Order) => sessionEvent(o, 'completed');
const refunded = (amount: number) => (o: Order) => refundEvent(o, amount);
const disputed = (o: Order) => disputeEvent(o, 'created', 'needs_response');
const closed = (status: 'won' | 'lost') => (o: Order) => disputeEvent(o, 'closed', status);

/** Delivers these events of the provider about one order; what its seller is told, but for the ids of order and product. */
async function tellOf(...happened: ((order: Order) => unknown)[]) {
  const order = await harness.addOrder();
  for (const eventOf of happened) await harness.deliver(eventOf(order));
  return toldOf(order);
}

async function toldOf({ id: orderId, productId, sellerId }: Order) {
  const recorded = await events.recordedOf(sellerId);
  return recorded.map((event) => {
    expect(event.data).toMatchObject({ orderId, productId });
    const { orderId: _, productId: __, licenseId: ___, ...rest } = told(event) as Record<string, unknown>;
    return rest;
  });
}

const sale = (status: string) => ({ status, amount: 1200, currency: 'JPY', kind: 'license', quantity: 1 });
const isPaid = { type: 'order.paid', ...sale('paid') };
const issued = { type: 'license.issued', status: 'active', licenseIssuanceMode: 'generated_server_validated', activationLimit: 2 };
const turns = (previousStatus: string, status: string) => ({ type: 'license.status_changed', previousStatus, status });
const isRefunded = (amountRefunded: number, status: string) => ({ type: 'order.refunded', ...sale(status), amountRefunded });
const isDisputed = { type: 'order.disputed', ...sale('disputed') };
const isClosed = (outcome: 'won' | 'lost', status: string) => ({ type: 'order.dispute_closed', ...sale(status), outcome });

describe('what the seller is told of a sale', () => {
  test('nothing while it is not paid', async () => {
    expect(await tellOf(declineEvent, (o) => sessionEvent(o, 'expired'))).toEqual([]);
    expect(await tellOf((o) => sessionEvent(o, 'completed', { payment_status: 'unpaid' }), disputed, refunded(400))).toEqual([]);
  });

  test('that it is paid and its license issued, once however often the provider says so', async () => {
    expect(await tellOf(paid, paid)).toEqual([isPaid, issued]);
    const twice = await harness.addOrder();
    const event = paid(twice);
    for (let time = 0; time < 2; time += 1) await harness.deliver(event);
    expect(await toldOf(twice)).toEqual([isPaid, issued]);
    const order = await harness.addOrder();
    await harness.deliver(paid(order));
    const { license } = await harness.show(order.id);
    expect((await events.recordedOf(license?.id ?? '')).map(({ type }) => type)).toEqual(['license.issued']);
  });

  test('each further amount that is refunded, and that all of it is', async () => {
    const all = [isRefunded(400, 'partially_refunded'), isRefunded(1200, 'refunded'), turns('active', 'refunded')];
    expect(await tellOf(paid, refunded(400), refunded(400), refunded(1200), refunded(400))).toEqual([isPaid, issued, ...all]);
    expect(await tellOf(paid, refunded(1200), refunded(400))).toEqual([isPaid, issued, ...all.slice(1)]);
  });

  test('what happened to the payment before it was known to be paid', async () => {
    const refundedLicense = { ...issued, status: 'refunded' };
    expect(await tellOf(refunded(1200), paid)).toEqual([{ ...isPaid, ...sale('refunded') }, isRefunded(1200, 'refunded'), refundedLicense]);
    expect(await tellOf(disputed, paid)).toEqual([{ ...isPaid, ...sale('disputed') }, isDisputed, { ...issued, status: 'disputed' }]);
  });

  test('that it is disputed, and how that ended', async () => {
    const opened = [isPaid, issued, isDisputed, turns('active', 'disputed')];
    expect(await tellOf(paid, disputed, disputed)).toEqual(opened);
    expect(await tellOf(paid, disputed, closed('lost'), closed('lost'))).toEqual([...opened, isClosed('lost', 'disputed')]);
    expect(await tellOf(paid, disputed, closed('won'), closed('won'), disputed)).toEqual([
      ...opened,
      isClosed('won', 'paid'),
      turns('disputed', 'active'),
    ]);
  });

  test('of a dispute of what is refunded whole, without a change of the license', async () => {
    expect((await tellOf(paid, refunded(1200), disputed, closed('won'))).slice(4)).toEqual([
      { ...isDisputed, ...sale('refunded') },
      isClosed('won', 'refunded'),
    ]);
  });

  test('of a dispute of what is revoked, without a change of the license', async () => {
    const order = await harness.addOrder();
    await harness.deliver(paid(order));
    const { order: sold } = await harness.show(order.id);
    if (!sold.licenseId) throw new Error('There is no license.');
    await revokeLicense(harness, 'admin', sold.licenseId);
    await harness.deliver(disputed(order));
    await harness.deliver(closed('won')(order));
    expect((await toldOf(order)).slice(2)).toEqual([turns('active', 'revoked'), isDisputed, isClosed('won', 'paid')]);
  });
});

test('in any order, repeated and at once: each transition is told once, and statuses follow from each other', async () => {
  const known = [paid, refunded(400), refunded(1200), disputed, closed('lost')];
  await fc.assert(
    fc.asyncProperty(
      fc.shuffledSubarray(
        known.flatMap((_, at) => [at, at]),
        { minLength: 10 },
      ),
      fc.boolean(),
      async (order, atOnce) => {
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
      },
    ),
    { numRuns: tries(20) },
  );
}, 120_000);
