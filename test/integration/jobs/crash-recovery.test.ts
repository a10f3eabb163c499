import { describe, expect, test } from '@jest/globals';
import { listAudit } from '../../../shared/audit/audit-repository.ts';
import { createSdkDynamo } from '../../../shared/db/dynamo/sdk-dynamo.ts';
import { createTable } from '../../../shared/db/table.ts';
import { newId } from '../../../shared/ids.ts';
import { takeDueJobs } from '../../../shared/jobs/due-job-repository.ts';
import { findMailsOfOrder } from '../../../shared/mail/outbox/mail-repository.ts';
import type { Order } from '../../../shared/orders/order.ts';
import { stride } from '../../support/depth.ts';
import { type CrashPlan, crashPoints, createCrashPlan, createStorm } from '../../support/engines/faults.ts';
import { createTestTable } from '../../support/engines/test-table.ts';
import { declineEvent, disputeEvent, refundEvent, sessionEvent } from '../../support/samples/provider-events.ts';
import { createEventLog } from '../../support/scenes/events/event-log.ts';
import { keepEventsOf } from '../../support/scenes/events/keep-events.ts';
import { createMailer, createProjectionHarness, type ProjectionHarness, toSqsEvent } from '../../support/scenes/projection-harness.ts';
import { seededRandom } from '../../support/seeded-random.ts';

/** What happens, the order's status at the end, and what its seller is told of. */
const kinds: [string, (order: Order) => unknown[], string, string[]][] = [
  ['a payment', (o) => [sessionEvent(o, 'completed')], 'paid', ['order.paid', 'license.issued']],
  [
    'a delayed payment',
    (o) => [sessionEvent(o, 'completed', { payment_status: 'unpaid' }), sessionEvent(o, 'async_payment_succeeded')],
    'paid',
    ['order.paid', 'license.issued'],
  ],
  [
    'a payment that met an earlier refund',
    (o) => [refundEvent(o, 1200), sessionEvent(o, 'completed')],
    'refunded',
    ['order.paid', 'order.refunded', 'license.issued'],
  ],
  [
    'a refund',
    (o) => [sessionEvent(o, 'completed'), refundEvent(o, 1200)],
    'refunded',
    ['order.paid', 'license.issued', 'order.refunded', 'license.status_changed'],
  ],
  [
    'a dispute',
    (o) => [sessionEvent(o, 'completed'), disputeEvent(o, 'created', 'needs_response')],
    'disputed',
    ['order.paid', 'license.issued', 'order.disputed', 'license.status_changed'],
  ],
  [
    'a won dispute',
    (o) => [sessionEvent(o, 'completed'), disputeEvent(o, 'created', 'needs_response'), disputeEvent(o, 'closed', 'won')],
    'paid',
    ['order.paid', 'license.issued', 'order.disputed', 'license.status_changed', 'order.dispute_closed', 'license.status_changed'],
  ],
  ['a failed attempt', (o) => [declineEvent(o)], 'payment_failed', []],
  ['an expiry', (o) => [sessionEvent(o, 'expired')], 'expired', []],
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
/** What follows a sale: the orders that do, given what was sold, and what happens to them and to it. */
const sequels: [string, (parent: NonNullable<Order['addedTo']>) => Partial<Order>, (order: Order, sold: Order) => unknown[]][] = [
  [
    'an addition that is refunded',
    (addedTo) => ({ kind: 'seats', quantity: 4, addedTo }),
    (o) => [sessionEvent(o, 'completed'), refundEvent(o, 1200)],
  ],
  [
    'an upgrade of what is disputed',
    (upgradedFrom) => ({ kind: 'upgrade', upgradedFrom }),
    (o, sold) => [sessionEvent(o, 'completed'), disputeEvent(sold, 'created', 'needs_response')],
  ],
];

describe('a process that dies at any of its outside calls', () => {
  test.each(kinds)(
    'neither doubles nor loses any effect of %s',
    async (_, eventsOf, status, told) => {
      const plan = createCrashPlan();
      const service = await createMortalService(plan);

      const probe = await service.addOrder();
      plan.revive();
      await service.live(eventsOf(probe));
      const calls = plan.calls;
      expect(calls).toBeGreaterThan(3);
      await expectSettled(service, probe, status, told, 1);

      for (const { call, when } of crashPoints(calls, stride)) {
        plan.revive();
        const order = await service.addOrder();
        const events = eventsOf(order);
        service.mailbox.length = 0;
        plan.crashAt(call, when);
        await service.live(events).catch(() => {});
        const mailedUnmarked = plan.lastEffect === 'SendEmail';
        await service.restart();
        // The provider repeats an event that was not acknowledged, and may repeat one that was.
        await service.live(events);
        await expectSettled(service, order, status, told, mailedUnmarked ? 2 : 1);
      }
    },
    120_000,
  );

  test.each(sequels)(
    'neither doubles nor loses any effect of %s',
    async (_, changeOf, eventsOf) => {
      const plan = createCrashPlan();
      const service = await createMortalService(plan);

      const probe = await sellWith(service, changeOf);
      plan.revive();
      await service.live(eventsOf(...probe));
      const calls = plan.calls;
      const expected = await effectsOn(service, probe);

      for (const { call, when } of crashPoints(calls, stride)) {
        plan.revive();
        const orders = await sellWith(service, changeOf);
        const events = eventsOf(...orders);
        plan.crashAt(call, when);
        await service.live(events).catch(() => {});
        await service.restart();
        await service.live(events);
        expect(await effectsOn(service, orders)).toEqual(expected);
        expect(await takeDueJobs(service, { evenIfLeased: true })).toEqual([]);
      }
    },
    180_000,
  );

  async function sellWith(service: MortalService, changeOf: (typeof sequels)[number][1]): Promise<[Order, Order]> {
    const sold = await service.addOrder();
    await service.live([sessionEvent(sold, 'completed')]);
    const { licenseId = newId('license') } = (await service.show(sold.id)).order;
    const { sellerId } = sold;
    return [await service.addOrder({ sellerId, ...changeOf({ orderId: sold.id, licenseId }) }), sold];
  }

  /** All that is left of what happened to the orders, without ids and times. */
  async function effectsOn(service: MortalService, orders: readonly Order[]) {
    const states = await Promise.all(
      orders.map(async ({ id }) => {
        const { order, license } = await service.show(id);
        const audits = await Promise.all([id, license?.id ?? 'none'].map((targetId) => listAudit(service.table, { targetId, limit: 50 })));
        const mails = await findMailsOfOrder(service.table, id);
        return {
          status: order.status,
          inheritedHold: order.inheritedHold,
          upgrades: order.upgrades?.length,
          hold: license?.paymentHold,
          limit: license?.activationLimit,
          actions: audits.flatMap(({ items }) => items.map(({ action }) => action)).sort(),
          // A link may have gone out before a dispute, or after it.
          mails: mails.map(({ kind, state }) => (kind === 'completion' && state === 'withheld' ? kind : `${kind} ${state}`)).sort(),
        };
      }),
    );
    const told = await service.events.kept(orders[0]?.sellerId ?? newId('seller'));
    return { states, told: told.map(({ type }) => type) };
  }

  async function expectSettled(service: MortalService, order: Order, status: string, told: string[], mostMails: number) {
    const { order: final, license, mail } = await service.show(order.id);
    expect(final.status).toBe(status);
    const wasPaid = final.checkout.paidAt !== undefined;
    expect(license !== undefined).toBe(wasPaid);
    expect(mail !== undefined).toBe(wasPaid);
    expect(mail?.state).not.toBe('pending');
    // A refund is mailed by itself, whether or not the link went out before it.
    const ofRefund = status === 'refunded' ? 1 : 0;
    expect(service.mailbox.length).toBeLessThanOrEqual(mostMails + ofRefund);
    expect(service.mailbox.length).toBeGreaterThanOrEqual((mail?.state === 'sent' ? 1 : 0) + ofRefund);
    const issued = await listAudit(service.table, { targetId: final.licenseId ?? 'none', limit: 20 });
    expect(issued.items.filter((record) => record.action === 'license.issue')).toHaveLength(wasPaid ? 1 : 0);
    expect((await service.events.kept(order.sellerId)).map(({ type }) => type)).toEqual(told);
    expect(await takeDueJobs(service, { evenIfLeased: true })).toEqual([]);
  }
});

test('collisions and throttling of 30 % of all calls end in the same state, and cause no reply but 503', async () => {
  const storm = createStorm(0.3, seededRandom());
  const { table } = await createTestTable({ faults: storm });
  const harness: ProjectionHarness = await createProjectionHarness({ table });
  const order = await retry(() => harness.addOrder());
  const events = [
    sessionEvent(order, 'completed'),
    refundEvent(order, 400),
    disputeEvent(order, 'created', 'needs_response'),
    disputeEvent(order, 'closed', 'won'),
  ];
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
