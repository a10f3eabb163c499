import { expect, test } from '@jest/globals';
import { listAudit } from '../../../shared/audit/audit-repository.ts';
import { createSdkDynamo } from '../../../shared/db/dynamo/sdk-dynamo.ts';
import { createTable } from '../../../shared/db/table.ts';
import { newId } from '../../../shared/ids.ts';
import { takeDueJobs } from '../../../shared/jobs/due-job-repository.ts';
import { findMailsOfOrder } from '../../../shared/mail/outbox/mail-repository.ts';
import type { Order } from '../../../shared/orders/order.ts';
import { type CrashPlan, crashPoints, createCrashPlan, createStorm } from '../../support/engines/faults.ts';
import { createTestTable } from '../../support/engines/test-table.ts';
import { declineEvent, disputed, expired, paid, refundEvent, sessionEvent, unpaid, won } from '../../support/samples/provider-events.ts';
import { createEventLog } from '../../support/scenes/events/event-log.ts';
import { keepEventsOf } from '../../support/scenes/events/keep-events.ts';
import { createMailer, createProjectionHarness, type ProjectionHarness, toSqsEvent } from '../../support/scenes/projection-harness.ts';

/** What happens to an order, and, where it follows a sale, what kind of an order it is, and what happens to what was sold. */
type Story = [
  what: string,
  eventsOf: (order: Order, sold?: Order) => unknown[],
  followUp?: (sold: NonNullable<Order['addedTo']>) => Partial<Order>,
];
const stories: Story[] = [
  ['a payment', (order) => [paid(order)]],
  ['a delayed payment', (order) => [unpaid(order), sessionEvent(order, 'async_payment_succeeded')]],
  ['a payment that met an earlier refund', (order) => [refundEvent(order, 1200), paid(order)]],
  ['a refund', (order) => [paid(order), refundEvent(order, 1200)]],
  ['a won dispute', (order) => [paid(order), disputed(order), won(order)]],
  ['a failed attempt', (order) => [declineEvent(order)]],
  ['an expiry', (order) => [expired(order)]],
  [
    'an addition that is refunded',
    (order) => [paid(order), refundEvent(order, 1200)],
    (addedTo) => ({ kind: 'seats', quantity: 4, addedTo }),
  ],
  [
    'an upgrade of what is disputed',
    (order, sold = order) => [paid(order), disputed(sold)],
    (upgradedFrom) => ({ kind: 'upgrade', upgradedFrom }),
  ],
];

/** Receiver, projector, publisher and mail worker as one process that can be killed. */
async function createMortalService(plan: CrashPlan) {
  const { table, tableName } = await createTestTable({ faults: plan });
  const harness = await createProjectionHarness({ table, outside: plan });
  const mailbox: string[] = [];
  const events = createEventLog({ table, stream: createTable({ tableName, dynamo: createSdkDynamo() }), sender: harness.queue });
  const mailer = createMailer(harness, { send: ({ to }) => plan.call('SendEmail', async () => void mailbox.push(to)) });

  async function work(): Promise<void> {
    for (let round = 0; round < 6 && harness.queue.sent.length > 0; round += 1) {
      const jobIds = harness.queue.sent.splice(0);
      const of = (...kinds: string[]) => toSqsEvent(jobIds.filter((id) => kinds.includes(id.slice(0, id.indexOf(':')))));
      await harness.project(of('project-event', 'serve-waiting-orders', 'issue-license', 'follow-hold'));
      await mailer(of('send-mail'));
      await events.work(of('publish-event'));
    }
    await events.publish();
  }

  return {
    ...harness,
    async addOrder(change: Partial<Order> = {}) {
      const order = await harness.addOrder(change);
      await keepEventsOf(table, order.sellerId);
      return order;
    },
    mailbox,
    events,
    async live(events: readonly unknown[]): Promise<void> {
      for (const event of events) {
        await harness.receiveEvent('platform', event);
        await work();
      }
    },
    /** A restart: the queue is empty, and the sweeper sends every waiting job. */
    async restart(): Promise<void> {
      plan.revive();
      harness.queue.sent.length = 0;
      const due = await takeDueJobs(harness, { evenIfLeased: true });
      harness.queue.sent.push(...due.map((job) => job.id));
      await work();
    },
  };
}

type MortalService = Awaited<ReturnType<typeof createMortalService>>;

/** A new order, and the sale that it follows, if it follows one. */
async function begin(service: MortalService, followUp: Story[2]): Promise<[Order, Order?]> {
  const sold = await service.addOrder();
  if (!followUp) return [sold];
  await service.live([paid(sold)]);
  const { licenseId = newId('license') } = (await service.show(sold.id)).order;
  return [await service.addOrder({ sellerId: sold.sellerId, ...followUp({ orderId: sold.id, licenseId }) }), sold];
}

/** All that is left of what happened to the orders, without ids and times, and how many mails say that they were sent. */
async function effectsOn(service: MortalService, orders: readonly (Order | undefined)[]) {
  let sent = 0;
  const states = [];
  for (const { id } of orders.filter((order) => order !== undefined)) {
    const { order, license } = await service.show(id);
    const audits = await Promise.all([id, license?.id ?? 'none'].map((targetId) => listAudit(service.table, { targetId, limit: 50 })));
    const mails = await findMailsOfOrder(service.table, id);
    sent += mails.filter(({ state }) => state === 'sent').length;
    states.push({
      ...{ status: order.status, inheritedHold: order.inheritedHold, upgrades: order.upgrades?.length },
      ...{ hold: license?.paymentHold, limit: license?.activationLimit },
      actions: audits.flatMap(({ items }) => items.map(({ action }) => action)).sort(),
      // A link may have gone out before a hold, or waits for its end.
      mails: mails.map(({ kind, state }) => (kind === 'completion' && state === 'withheld' ? `${kind} sent` : `${kind} ${state}`)).sort(),
    });
  }
  const told = await service.events.kept(orders[0]?.sellerId ?? newId('seller'));
  return { effects: { states, told: told.map(({ type }) => type) }, sent };
}

test.each(stories)(
  'a process that dies at any of its outside calls neither doubles nor loses any effect of %s',
  async (...[, eventsOf, followUp]: Story) => {
    const plan = createCrashPlan();
    const service = await createMortalService(plan);
    const whole = await begin(service, followUp);
    plan.revive();
    await service.live(eventsOf(...whole));
    const { calls } = plan;
    const { effects } = await effectsOn(service, whole);

    for (const { call, when } of crashPoints(calls)) {
      plan.revive();
      const orders = await begin(service, followUp);
      const events = eventsOf(...orders);
      const before = followUp ? (await effectsOn(service, orders)).sent : 0;
      service.mailbox.length = 0;
      plan.crashAt(call, when);
      await service.live(events).catch(() => {});
      const isMailedUnmarked = plan.lastEffect === 'SendEmail';
      await service.restart();
      // The provider repeats an event that was not acknowledged, and may repeat one that was.
      await service.live(events);
      const after = await effectsOn(service, orders);
      expect(after.effects).toEqual(effects);
      // Of two mails at once one may be marked and the other not.
      const mails = after.effects.states.flatMap((state) => state.mails).length;
      const unmarked = service.mailbox.length - (after.sent - before);
      expect([unmarked >= 0, unmarked <= (isMailedUnmarked || mails > 1 ? 1 : 0)]).toEqual([true, true]);
      expect(await takeDueJobs(service, { evenIfLeased: true })).toEqual([]);
    }
  },
  180_000,
);

test('collisions and throttling of 30 % of all calls end in the same state, and cause no reply but 503', async () => {
  const storm = createStorm(0.3, Math.random);
  const { table } = await createTestTable({ faults: storm });
  const harness: ProjectionHarness = await createProjectionHarness({ table });
  const order = await retry(() => harness.addOrder());
  const events = [paid(order), refundEvent(order, 400), disputed(order), won(order)];
  for (const event of events) {
    await retry(() => harness.receiveEvent('platform', event));
    await harness.project(harness.queue.take());
  }
  storm.calm();
  for (let round = 0; round < 10; round += 1) {
    const due = await takeDueJobs(harness, { evenIfLeased: true });
    await harness.project(toSqsEvent(due.map((job) => job.id).filter((id) => id.startsWith('project-event'))));
  }
  expect((await harness.show(order.id)).order.status).toBe('partially_refunded');

  async function retry<T>(attempt: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await attempt();
      } catch (error) {
        expect(error).toMatchObject({ code: 'dependency_unavailable' });
      }
    }
  }
});
