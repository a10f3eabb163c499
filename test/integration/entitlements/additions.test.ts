import { beforeAll, describe, expect, test } from '@jest/globals';
import { adminActor } from '../../../shared/audit/actor.ts';
import { listAudit } from '../../../shared/audit/audit-repository.ts';
import { heldOrderKey, jobKey, licenseFactsKey, licenseKey } from '../../../shared/db/keys.ts';
import { findFacts } from '../../../shared/entitlements/license-facts-repository.ts';
import { jobId } from '../../../shared/jobs/new-job.ts';
import { activateLicense } from '../../../shared/licenses/activate-license.ts';
import { replaceLicenseKey } from '../../../shared/licenses/buyers/buyer-license-service.ts';
import { getLicense, listDevices, recordLicenseChange } from '../../../shared/licenses/license-repository.ts';
import { changeLicenseTerms, revokeLicense } from '../../../shared/licenses/license-service.ts';
import { openLicenseKey } from '../../../shared/licenses/new-license.ts';
import { findMailsOfOrder, recordOutcome } from '../../../shared/mail/outbox/mail-repository.ts';
import { findHeldOrders } from '../../../shared/orders/held-order-repository.ts';
import type { Order } from '../../../shared/orders/order.ts';
import { replaceOrder } from '../../../shared/orders/order-repository.ts';
import { createTestTable } from '../../support/engines/test-table.ts';
import { createInterleaver, inEveryOrder } from '../../support/interleave.ts';
import { issueLease, issueUpdateFeed } from '../../support/samples/leases.ts';
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
let takeRequestCounts: () => Record<string, number>;
let findFaults: () => Promise<string[]>;
let events: ReturnType<typeof createEventLog>;
const clock = new Date('2026-03-01T10:00:00.250Z');
const now = () => clock;
beforeAll(async () => {
  const made = await createTestTable({ faults: interleaver });
  findFaults = createTableCheck(made.tableName);
  takeRequestCounts = made.takeRequestCounts;
  harness = await createProjectionHarness({ table: made.table, now });
  events = createEventLog({ table: harness.table, now });
});

const at = (time: string) => ({ created: Date.parse(time) / 1000 });
const daysAfter = (time: string, days: number) => new Date(Date.parse(time) + days * 24 * 3600_000).toISOString();

/** A license of 2 devices sold 3 times, with 30 days of updates, as its order and its id. */
async function sell(terms: Partial<Order['terms']> = {}) {
  const order = await harness.addOrder({ quantity: 3, terms: { ...sampleOrder().terms, updatesDays: 30, ...terms } });
  await harness.deliver(sessionEvent(order, 'completed', {}, at('2026-03-01T09:59:00.000Z')));
  const { license } = await harness.show(order.id);
  if (!license) throw new Error('It was to get a license.');
  return { order, license };
}
type Sold = Awaited<ReturnType<typeof sell>>;

const added = ({ order, license }: Sold, kind: 'seats' | 'updates', quantity = 1) =>
  harness.addOrder({
    ...{ kind, quantity, sellerId: order.sellerId, productId: order.productId, amount: 700 },
    terms: { ...order.terms, updatesDays: 45 },
    addedTo: { orderId: order.id, licenseId: license.id },
  });
const pay = (order: Order, time = '2026-03-02T08:00:00.000Z') => harness.deliver(sessionEvent(order, 'completed', {}, at(time)));
async function termsOf({ license }: Sold) {
  const { activationLimit, updatesUntil } = await getLicense(harness.table, license.id);
  return { activationLimit, updatesUntil };
}
const toldOf = async ({ order }: Pick<Sold, 'order'>) =>
  (await events.recordedOf(order.sellerId)).map((event) => told(event) as Record<string, unknown>);
const changesOf = async (sold: Sold) =>
  (await toldOf(sold)).flatMap(({ type, cause, activationLimit }) => (type === 'license.changed' ? [[cause, activationLimit]] : []));
const noticesOf = async ({ order }: Sold) =>
  (await findMailsOfOrder(harness.table, order.id)).flatMap(({ id, kind, addition }) => (id === 'issuance' ? [] : [{ kind, addition }]));

// While the table is small.
test('operators are told of nothing wrong, and of what is', async () => {
  const sold = await sell();
  const [addition, refunded] = [await added(sold, 'seats', 2), await added(sold, 'updates')];
  await pay(addition);
  await pay(refunded);
  await harness.deliver(refundEvent(refunded, 700));
  expect(await findFaults()).toEqual([]);

  const { table } = harness;
  const facts = await findFacts(table, sold.license.id);
  const factsOf = (id: string, counts: boolean) => ({ ...facts?.additions, [id]: { ...facts?.additions[id], counts } });
  const [ofLicense, ofFacts] = [licenseKey(sold.license.lookup), licenseFactsKey(sold.license.id)];
  for (const [key, spoilt, fault] of [
    [ofLicense, { activationLimit: 9 }, `${sold.license.id} has the limit 9, and its facts say 8`],
    [ofLicense, { updatesUntil: addition.createdAt }, `${sold.license.id} has another end of updates`],
    [ofFacts, { additions: factsOf(refunded.id, true) }, `${refunded.id} counts for ${sold.license.id}`],
    [ofFacts, { additions: {} }, `${addition.id} does not count for ${sold.license.id}`],
  ] as const) {
    const before = await table.get(key);
    await table.write({ put: { Item: { ...before, ...spoilt } } });
    expect(await findFaults()).toContainEqual(expect.stringContaining(fault));
    await table.write({ put: { Item: { ...before } } });
  }
  expect(await findFaults()).toEqual([]);
});

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

describe('an addition', () => {
  test('of seats moves the limit with its payment, and is told to its payer, the buyer of the license and the seller', async () => {
    const sold = await sell();
    expect(sold.license).toMatchObject({ activationLimit: 6, updatesUntil: daysAfter(sold.license.issuedAt, 30) });
    const addition = await added(sold, 'seats', 4);
    await pay(addition);
    expect((await termsOf(sold)).activationLimit).toBe(10);
    const { order, license, mail } = await harness.show(addition.id);
    expect({ status: order.status, license, mail: mail?.state }).toEqual({ status: 'paid', license: undefined, mail: 'pending' });
    const { updatesUntil } = sold.license;
    expect(await noticesOf(sold)).toEqual([
      { kind: 'addition_counts', addition: { kind: 'seats', quantity: 4, updatesDays: 45, activationLimit: 10, updatesUntil } },
    ]);
    const ids = { productId: sold.order.productId, licenseId: sold.license.id, orderId: sold.order.id };
    expect((await toldOf(sold)).slice(2)).toEqual([
      {
        type: 'order.paid',
        ...{ orderId: addition.id, productId: ids.productId, parentOrderId: ids.orderId, status: 'paid', amount: 700, currency: 'JPY' },
        ...{ kind: 'seats', quantity: 4, licenseStatus: 'active' },
      },
      { type: 'license.changed', ...ids, activationLimit: 10, updatesUntil, cause: 'addition_paid' },
    ]);
    const { items } = await listAudit(harness.table, { targetId: sold.license.id, limit: 10 });
    expect(items[0]).toMatchObject({
      actor: 'provider',
      action: 'license.count_addition',
      before: { activationLimit: 6 },
      after: { orderId: addition.id, activationLimit: 10 },
    });
  });

  test('of updates begins at the end so far or at its payment, whichever is later, in the order of payment', async () => {
    const sold = await sell();
    const [late, early, refunded] = [await added(sold, 'updates'), await added(sold, 'updates'), await added(sold, 'updates')];
    await pay(late, '2026-07-01T00:00:00.000Z');
    expect((await termsOf(sold)).updatesUntil).toBe(daysAfter('2026-07-01T00:00:00.000Z', 45));
    await pay(early, '2026-03-05T00:00:00.000Z');
    expect((await termsOf(sold)).updatesUntil).toBe(daysAfter('2026-07-01T00:00:00.000Z', 45));
    await pay(refunded, '2026-06-25T00:00:00.000Z');
    expect((await termsOf(sold)).updatesUntil).toBe(daysAfter('2026-06-25T00:00:00.000Z', 90));
    await harness.deliver(refundEvent(refunded, 700));
    expect((await termsOf(sold)).updatesUntil).toBe(daysAfter('2026-07-01T00:00:00.000Z', 45));
    await harness.deliver(refundEvent(late, 300));
    await harness.deliver(disputeEvent(late, 'closed', 'lost'));
    expect((await termsOf(sold)).updatesUntil).toBe(daysAfter(sold.license.issuedAt, 75));
  });

  test('counts unless refunded in full or disputed, each change of which is told once, also of a license that may not be used', async () => {
    const sold = await sell();
    await revokeLicense(harness, 'admin', sold.license.id);
    const addition = await added(sold, 'seats', 2);
    await pay(addition);
    expect((await toldOf(sold)).findLast(({ type }) => type === 'order.paid')).toMatchObject({ licenseStatus: 'revoked' });
    for (const event of [
      refundEvent(addition, 300),
      disputeEvent(addition, 'created', 'needs_response'),
      disputeEvent(addition, 'closed', 'won'),
      refundEvent(addition, 700),
      disputeEvent(addition, 'closed', 'lost', { id: `du_2${addition.id}` }),
    ]) {
      await harness.deliver(event);
    }
    expect(await changesOf(sold)).toEqual([
      ['addition_paid', 8],
      ['addition_disputed', 6],
      ['addition_restored', 8],
      ['addition_refunded', 6],
    ]);
    const kinds = (await noticesOf(sold)).map(({ kind }) => kind).sort();
    expect(kinds).toEqual(['addition_counts', 'addition_counts', 'addition_ends', 'addition_ends']);
    const { items } = await listAudit(harness.table, { targetId: sold.license.id, limit: 10 });
    expect(items.filter(({ action }) => /addition/.test(action))).toHaveLength(4);
  });

  test('refunded before its payment is heard of changes and tells nothing of the license; disputed before, it is paid when that is won', async () => {
    const sold = await sell();
    const [refunded, disputed] = [await added(sold, 'seats', 2), await added(sold, 'seats', 5)];
    await harness.deliver(refundEvent(refunded, 700));
    await pay(refunded);
    await harness.deliver(disputeEvent(disputed, 'created', 'needs_response'));
    await pay(disputed);
    expect([await changesOf(sold), await noticesOf(sold)]).toEqual([[], []]);
    const { mail } = await harness.show(disputed.id);
    await harness.table.write(recordOutcome(mail!, 'withheld', clock));
    await harness.deliver(disputeEvent(disputed, 'closed', 'won'));
    expect(await changesOf(sold)).toEqual([['addition_paid', 11]]);
    // Its receipt goes out.
    expect((await harness.show(disputed.id)).mail?.state).toBe('pending');
  });

  test('costs no more requests to the table than a sale', async () => {
    const requestsOf = async (order: Order) => {
      harness.queue.take();
      await harness.receiveEvent('platform', sessionEvent(order, 'completed'));
      takeRequestCounts();
      await harness.project(harness.queue.take());
      return Object.values(takeRequestCounts()).reduce((sum, count) => sum + count, 0);
    };
    const sold = await sell();
    const ofSale = await requestsOf(await harness.addOrder());
    const [first, next] = [await requestsOf(await added(sold, 'seats')), await requestsOf(await added(sold, 'updates'))];
    expect({ ofSale, first, next }).toEqual({ ofSale: 6, first: 6, next: 6 });
  });
});

describe('at once', () => {
  test('two additions, a change by the seller and devices that take seats end as one after the other', async () => {
    const sold = await sell();
    const app = { ...harness, now: () => new Date(), issueLease, issueUpdateFeed, limitInMemory: async () => undefined };
    const key = openLicenseKey(sold.license, harness.encryptionKeys);
    const activate = (deviceFingerprint: string) =>
      activateLicense(app, { productId: sold.order.productId, licenseKey: key, deviceFingerprint }).catch(({ code }) => code);
    for (const quantity of [2, 3]) {
      const addition = await added(sold, 'seats', quantity);
      await harness.receiveEvent('platform', sessionEvent(addition, 'completed'));
    }
    const jobs = harness.queue.sent.splice(0).filter((id) => id.startsWith('project-event'));
    const devices = Array.from({ length: 9 }, (_, index) => `device-${index}`);
    await Promise.all([
      ...jobs.map((id) => harness.project(toSqsEvent([id]))),
      changeLicenseTerms(harness, adminActor('alice'), sold.license.id, { activationLimit: 5 }),
      ...devices.map(activate),
    ]);
    await harness.project(toSqsEvent(jobs));
    const license = await getLicense(harness.table, sold.license.id);
    const facts = await findFacts(harness.table, sold.license.id);
    const counted = Object.values(facts?.additions ?? {}).map(({ counts, amount }) => `${counts} ${amount}`);
    expect(counted.sort()).toEqual(['true 2', 'true 3']);
    // By how many of the additions had come when it was set.
    expect([5, 7, 8, 10]).toContain(license.activationLimit);
    expect(license.activationLimit).toBe(11 + (facts?.limitDifference ?? 0));
    const { items } = await listDevices(harness.table, license, { limit: 100 });
    expect(items.filter(({ deactivatedAt }) => deactivatedAt === undefined)).toHaveLength(license.activationCount);
  });

  test('an addition and a license that moves to another key both come about', async () => {
    const sold = await sell();
    const addition = await added(sold, 'seats', 2);
    await harness.receiveEvent('platform', sessionEvent(addition, 'completed'));
    const { order } = await harness.show(sold.order.id);
    await Promise.all([harness.project(harness.queue.take()), replaceLicenseKey({ ...harness, sendJob: harness.queue.sendJob }, order)]);
    const license = await getLicense(harness.table, sold.license.id);
    expect(license).toMatchObject({ activationLimit: 8, formerKeys: [{ lookup: sold.license.lookup }] });
  });
});

describe('what its seller sets', () => {
  test('holds as of the issue where it was set before such facts were kept', async () => {
    const sold = await sell();
    const wanted = daysAfter(sold.license.issuedAt, 90);
    await harness.table.transact([recordLicenseChange(sold.license, { activationLimit: 4, updatesUntil: wanted })]);
    await pay(await added(sold, 'seats', 5));
    expect(await termsOf(sold)).toEqual({ activationLimit: 9, updatesUntil: wanted });
    await pay(await added(sold, 'updates'));
    expect((await termsOf(sold)).updatesUntil).toBe(daysAfter(wanted, 45));
  });

  test('and additions leave a license without end of updates without one', async () => {
    const sold = await sell({ updatesDays: 36_500 });
    expect(sold.license.updatesUntil).toBeUndefined();
    await pay(await added(sold, 'updates'));
    await pay(await added(sold, 'seats'));
    expect(await termsOf(sold)).toEqual({ activationLimit: 7, updatesUntil: undefined });
  });
});

test('nothing is wrong with all that came of this', async () => {
  expect(await findFaults()).toEqual([]);
});
