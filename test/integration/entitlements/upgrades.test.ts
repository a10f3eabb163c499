import { beforeAll, describe, expect, test } from '@jest/globals';
import { listAudit } from '../../../shared/audit/audit-repository.ts';
import { heldOrderKey, jobKey } from '../../../shared/db/keys.ts';
import { jobId } from '../../../shared/jobs/new-job.ts';
import { revokeLicense } from '../../../shared/licenses/license-service.ts';
import { findMailsOfOrder } from '../../../shared/mail/outbox/mail-repository.ts';
import { findHeldOrders } from '../../../shared/orders/held-order-repository.ts';
import type { Order } from '../../../shared/orders/order.ts';
import { replaceOrder } from '../../../shared/orders/order-repository.ts';
import { createTestTable } from '../../support/engines/test-table.ts';
import { createInterleaver, inEveryOrder } from '../../support/interleave.ts';
import { disputeEvent, refundEvent, sessionEvent } from '../../support/samples/provider-events.ts';
import { createEventLog, told } from '../../support/scenes/events/event-log.ts';
import {
  createMailer,
  createProjectionHarness,
  type ProjectionHarness,
  sampleOrder,
  toSqsEvent,
} from '../../support/scenes/projection-harness.ts';
import { createTableCheck } from '../../support/scenes/releases/table-check.ts';

const interleaver = createInterleaver();
let harness: ProjectionHarness;
let findFaults: () => Promise<string[]>;
let events: ReturnType<typeof createEventLog>;
const clock = new Date('2026-03-01T10:00:00.250Z');
const now = () => clock;
beforeAll(async () => {
  const made = await createTestTable({ faults: interleaver });
  findFaults = createTableCheck(made.tableName);
  harness = await createProjectionHarness({ table: made.table, now });
  events = createEventLog({ table: harness.table, now });
});

const at = (time: string) => ({ created: Date.parse(time) / 1000 });
const toldOf = async ({ order }: { order: Order }) =>
  (await events.recordedOf(order.sellerId)).map((event) => told(event) as Record<string, unknown>);

describe('an upgrade', () => {
  /** Delivers an event, and lets every job that it causes run, and those that these cause. */
  async function settle(event: unknown): Promise<void> {
    await harness.receiveEvent('platform', event);
    await workOn();
  }
  async function workOn(): Promise<void> {
    for (let round = 0; round < 5 && harness.queue.sent.length > 0; round += 1) {
      await harness.project(toSqsEvent(harness.queue.sent.splice(0).filter((id) => !id.startsWith('send-mail'))));
    }
  }
  const payAndSettle = (order: Order) => settle(sessionEvent(order, 'completed'));

  async function sellAndSettle(change: Partial<Order> = {}) {
    const order = await harness.addOrder(change);
    await payAndSettle(order);
    return (await harness.show(order.id)).order;
  }
  const upgradeOf = ({ id: orderId, licenseId, sellerId }: Order, change: Partial<Order> = {}) => {
    if (!licenseId) throw new Error('It has no license.');
    const terms = { ...sampleOrder().terms, productName: 'Sample App 2', activationLimit: 5 };
    return harness.addOrder({ kind: 'upgrade', quantity: 2, sellerId, terms, upgradedFrom: { orderId, licenseId }, ...change });
  };
  const noticesTo = async ({ id }: Order) => (await findMailsOfOrder(harness.table, id)).filter(({ kind }) => kind !== 'completion');
  const holdOf = async ({ id }: Order) => (await harness.show(id)).license?.paymentHold;

  /** A license, its upgrade, and the upgrade of that. */
  async function chain() {
    const first = await sellAndSettle();
    const second = await upgradeOf(first);
    await payAndSettle(second);
    const third = await upgradeOf((await harness.show(second.id)).order);
    await payAndSettle(third);
    return [first, second, third] as const;
  }

  test('operators are told of a hold that nothing follows, and of an upgrade that the order before it does not know', async () => {
    const [first, second] = await chain();
    await harness.receiveEvent('platform', refundEvent(first, 1200));
    // While a job is to follow it, nothing is wrong.
    await harness.project(harness.queue.take());
    const follow = { kind: 'follow-hold', orderId: second.id } as const;
    const ofHolds = async () => (await findFaults()).filter((fault) => /held|upgrade/.test(fault));
    expect(await ofHolds()).toEqual([]);
    const job = await harness.table.get(jobKey(jobId(follow)));
    await harness.table.write({ delete: { Key: jobKey(jobId(follow)) } });
    expect(await ofHolds()).toEqual([expect.stringContaining(`${second.id} is held as ${first.id} is not, and no job follows it`)]);
    await harness.table.write({ put: { Item: { ...job } } });
    await harness.project(toSqsEvent([jobId(follow)]));
    const { order } = await harness.show(second.id);
    const { since = '' } = order.heldBy ?? {};
    const spoilings: [Partial<Order>, fault: string][] = [
      [{ upgrades: [] }, ', which does not say so'],
      [{ heldBy: { orderId: second.id, why: 'refunded', since } }, `${second.id} is held as ${first.id} is not, and no job follows it`],
    ];
    for (const [change, fault] of spoilings) {
      const now = (await harness.show(second.id)).order;
      await harness.table.transact([replaceOrder(now, { ...now, ...change })]);
      expect(await ofHolds()).toEqual([expect.stringContaining(fault)]);
      const spoilt = (await harness.show(second.id)).order;
      await harness.table.transact([replaceOrder(spoilt, { ...spoilt, upgrades: order.upgrades, heldBy: order.heldBy })]);
    }
    const place = heldOrderKey(order.sellerId, since, second.id);
    await harness.table.write({ delete: { Key: place } });
    expect(await ofHolds()).toEqual([expect.stringContaining(`${second.id} is paid but held, and is not in the list of`)]);
    await harness.table.write({ put: { Item: { ...place, orderId: second.id, since } } });
  });

  test('that was free is told by a mail that is free to whoever causes it', async () => {
    const first = await sellAndSettle();
    await payAndSettle(await upgradeOf(first, { amount: 0 }));
    const notices = await noticesTo(first);
    expect(notices).toMatchObject([{ kind: 'license_upgraded', cause: 'free' }]);
  });

  test('gets a license of its own, of which the order before it and its buyer are told', async () => {
    const first = await sellAndSettle();
    const upgrade = await upgradeOf(first);
    await payAndSettle(upgrade);
    const { order, license } = await harness.show(upgrade.id);
    expect(license).toMatchObject({ activationLimit: 10, productId: upgrade.productId });
    expect(license?.id).not.toBe(first.licenseId);
    const { order: before, license: old } = await harness.show(first.id);
    expect(before.upgrades).toEqual([{ orderId: upgrade.id, productId: upgrade.productId }]);
    expect(old?.paymentHold).toBeUndefined();
    const notices = await noticesTo(first);
    expect(notices).toMatchObject([{ kind: 'license_upgraded', cause: 'payment', upgrade: { productName: 'Sample App 2' } }]);
    const upgradedFrom = { orderId: first.id, licenseId: first.licenseId };
    expect((await toldOf({ order: first })).slice(2)).toMatchObject([
      { type: 'order.paid', orderId: order.id, kind: 'upgrade', quantity: 2 },
      { type: 'license.issued', orderId: order.id, upgradedFrom },
    ]);
    // It does not follow a revocation.
    await revokeLicense(harness, 'admin', first.licenseId!);
    await settle(refundEvent(first, 400));
    expect((await harness.show(upgrade.id)).license).toEqual(license);
  });

  test('is held as each order before it, and comes back with it, which is told as a hold of its own is', async () => {
    const [first, second, third] = await chain();
    await settle(disputeEvent(first, 'created', 'needs_response'));
    const holds = () => Promise.all([first, second, third].map(holdOf));
    const causes = () => Promise.all([second, third].map(async ({ id }) => (await harness.show(id)).order.heldBy));
    const byFirst = { orderId: first.id, why: 'disputed', since: expect.anything() };
    expect(await holds()).toEqual(['disputed', 'disputed', 'disputed']);
    expect(await causes()).toEqual([byFirst, byFirst]);
    await settle(refundEvent(second, 1200));
    expect(await holds()).toEqual(['disputed', 'refunded', 'refunded']);
    expect(await causes()).toEqual([byFirst, byFirst]);
    await settle(disputeEvent(first, 'closed', 'won'));
    expect(await holds()).toEqual([undefined, 'refunded', 'refunded']);
    expect(await causes()).toEqual([undefined, { ...byFirst, orderId: second.id, why: 'refunded' }]);
    const { license, order } = await harness.show(third.id);
    expect(order.status).toBe('paid');
    const moves = (await toldOf({ order: first })).filter(
      ({ type, licenseId }) => type === 'license.status_changed' && licenseId === license?.id,
    );
    expect(moves.map(({ previousStatus, status }) => [previousStatus, status])).toEqual([
      ['active', 'disputed'],
      ['disputed', 'refunded'],
    ]);
    const { items } = await listAudit(harness.table, { targetId: license?.id ?? '', limit: 10 });
    expect(items.filter(({ action }) => action === 'license.hold')).toHaveLength(2);
  });

  test('paid but held is told to its buyer, and to its seller until it is given back', async () => {
    const [first, second, third] = await chain();
    const free = await upgradeOf(first, { amount: 0 });
    await payAndSettle(free);
    const heldOnes = async () => (await findHeldOrders(harness.table, first.sellerId, 9)).map(({ orderId, since }) => [orderId, since]);
    const refundedAt = '2026-03-03T00:00:00.000Z';
    await settle(refundEvent(second, 1200, {}, at(refundedAt)));
    expect(await heldOnes()).toEqual([[third.id, refundedAt]]);
    await settle(disputeEvent(first, 'created', 'needs_response', {}, at('2026-03-04T00:00:00.000Z')));
    expect(await heldOnes()).toEqual([[third.id, '2026-03-04T00:00:00.000Z']]);
    const notices = (await Promise.all([third, free].map(noticesTo))).flat();
    expect(notices.map(({ kind }) => kind)).toEqual(['upgrade_held_refunded', 'upgrade_held_disputed']);
    await settle(disputeEvent(first, 'closed', 'won', {}, at('2026-03-05T00:00:00.000Z')));
    expect(await heldOnes()).toEqual([[third.id, refundedAt]]);
    await settle(refundEvent(third, 500));
    expect(await heldOnes()).toHaveLength(1);
    await settle(refundEvent(third, 1200));
    expect(await heldOnes()).toEqual([]);
  });

  test('of a license that is held when it is paid is held too, and its mail waits until the hold is lifted', async () => {
    const first = await sellAndSettle();
    const upgrade = await upgradeOf(first);
    await settle(disputeEvent(first, 'created', 'needs_response'));
    await payAndSettle(upgrade);
    expect(await holdOf(upgrade)).toBe('disputed');
    expect((await noticesTo(upgrade)).map(({ kind }) => kind)).toEqual(['upgrade_held_disputed']);
    expect(await findHeldOrders(harness.table, upgrade.sellerId, 9)).toMatchObject([{ orderId: upgrade.id }]);
    const mailbox: string[] = [];
    const mailer = createMailer(harness, { send: async ({ subject }) => void mailbox.push(subject) });
    const mail = toSqsEvent([`send-mail:${upgrade.id}/issuance`]);
    await mailer(mail);
    expect((await harness.show(upgrade.id)).mail?.state).toBe('withheld');
    await settle(disputeEvent(first, 'closed', 'won'));
    expect(await holdOf(upgrade)).toBeUndefined();
    await mailer(mail);
    expect([(await harness.show(upgrade.id)).mail?.state, mailbox.length]).toEqual(['sent', 1]);
  });

  test('and a refund of what it was upgraded from at once end as held, in every order of their requests', async () => {
    const orders = await inEveryOrder(async (picks) => {
      const first = await sellAndSettle();
      const upgrade = await upgradeOf(first);
      await harness.receiveEvent('platform', sessionEvent(upgrade, 'completed'));
      await harness.receiveEvent('platform', refundEvent(first, 1200));
      const jobs = harness.queue.sent.splice(0).filter((id) => id.startsWith('project-event'));
      await interleaver.run<unknown>(
        picks,
        jobs.map((id) => () => harness.project(toSqsEvent([id]))),
      );
      await workOn();
      expect([await holdOf(first), await holdOf(upgrade)]).toEqual(['refunded', 'refunded']);
      expect((await harness.show(first.id)).order.upgrades).toHaveLength(1);
    });
    expect(orders).toBeGreaterThanOrEqual(3);
  });
});
