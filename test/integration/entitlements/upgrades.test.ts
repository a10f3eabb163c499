import { beforeAll, describe, expect, test } from '@jest/globals';
import { listAudit } from '../../../shared/audit/audit-repository.ts';
import { jobKey } from '../../../shared/db/keys.ts';
import { jobId } from '../../../shared/jobs/new-job.ts';
import { revokeLicense } from '../../../shared/licenses/license-service.ts';
import { findMailsOfOrder } from '../../../shared/mail/outbox/mail-repository.ts';
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
let events: ReturnType<typeof createEventLog>;
let findFaults: () => Promise<string[]>;
beforeAll(async () => {
  const made = await createTestTable({ faults: interleaver });
  findFaults = createTableCheck(made.tableName);
  harness = await createProjectionHarness({ table: made.table });
  events = createEventLog({ table: harness.table });
});

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
const pay = (order: Order) => settle(sessionEvent(order, 'completed'));

async function sell(change: Partial<Order> = {}) {
  const order = await harness.addOrder(change);
  await pay(order);
  return (await harness.show(order.id)).order;
}
const upgradeOf = ({ id: orderId, licenseId, sellerId }: Order, change: Partial<Order> = {}) => {
  if (!licenseId) throw new Error('It has no license.');
  const terms = { ...sampleOrder().terms, productName: 'Sample App 2', activationLimit: 5 };
  return harness.addOrder({ kind: 'upgrade', quantity: 2, sellerId, terms, upgradedFrom: { orderId, licenseId }, ...change });
};
const holdOf = async ({ id }: Order) => (await harness.show(id)).license?.paymentHold;
const toldOf = async ({ sellerId }: Order) => (await events.recordedOf(sellerId)).map((event) => told(event) as Record<string, unknown>);

/** A license, its upgrade, and the upgrade of that. */
async function chain() {
  const first = await sell();
  const second = await upgradeOf(first);
  await pay(second);
  const third = await upgradeOf((await harness.show(second.id)).order);
  await pay(third);
  return [first, second, third] as const;
}

describe('an upgrade', () => {
  test('gets a license of its own, of which the order before it and its buyer are told', async () => {
    const first = await sell();
    const upgrade = await upgradeOf(first);
    await pay(upgrade);
    const { order, license } = await harness.show(upgrade.id);
    expect(license).toMatchObject({ activationLimit: 10, productId: upgrade.productId });
    expect(license?.id).not.toBe(first.licenseId);
    const { order: before, license: old } = await harness.show(first.id);
    expect(before.upgrades).toEqual([{ orderId: upgrade.id, productId: upgrade.productId }]);
    expect(old?.paymentHold).toBeUndefined();
    const notices = (await findMailsOfOrder(harness.table, first.id)).filter(({ kind }) => kind !== 'completion');
    expect(notices).toMatchObject([{ kind: 'license_upgraded', upgrade: { productName: 'Sample App 2' } }]);
    const upgradedFrom = { orderId: first.id, licenseId: first.licenseId };
    expect((await toldOf(first)).slice(2)).toMatchObject([
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
    expect(await holds()).toEqual(['disputed', 'disputed', 'disputed']);
    await settle(refundEvent(second, 1200));
    expect(await holds()).toEqual(['disputed', 'refunded', 'refunded']);
    await settle(disputeEvent(first, 'closed', 'won'));
    expect(await holds()).toEqual([undefined, 'refunded', 'refunded']);
    const { license, order } = await harness.show(third.id);
    expect(order.status).toBe('paid');
    const moves = (await toldOf(first)).filter(({ type, licenseId }) => type === 'license.status_changed' && licenseId === license?.id);
    expect(moves.map(({ previousStatus, status }) => [previousStatus, status])).toEqual([
      ['active', 'disputed'],
      ['disputed', 'refunded'],
    ]);
    const { items } = await listAudit(harness.table, { targetId: license?.id ?? '', limit: 10 });
    expect(items.filter(({ action }) => action === 'license.hold')).toHaveLength(2);
  });

  test('of a license that is held when it is paid is held too, and its mail waits until the hold is lifted', async () => {
    const first = await sell();
    const upgrade = await upgradeOf(first);
    await settle(disputeEvent(first, 'created', 'needs_response'));
    await pay(upgrade);
    expect(await holdOf(upgrade)).toBe('disputed');
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
      const first = await sell();
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
  await harness.table.transact([replaceOrder(order, { ...order, upgrades: [] })]);
  expect(await ofHolds()).toEqual([expect.stringContaining(`, which does not say so`)]);
});
