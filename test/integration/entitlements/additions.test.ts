import { beforeAll, describe, expect, test } from '@jest/globals';
import { adminActor } from '../../../shared/audit/actor.ts';
import { listAudit } from '../../../shared/audit/audit-repository.ts';
import { licenseFactsKey, licenseKey } from '../../../shared/db/keys.ts';
import { findFacts } from '../../../shared/entitlements/license-facts-repository.ts';
import { activateLicense } from '../../../shared/licenses/activate-license.ts';
import { replaceLicenseKey } from '../../../shared/licenses/buyers/buyer-license-service.ts';
import { getLicense, listDevices, recordLicenseChange } from '../../../shared/licenses/license-repository.ts';
import { changeLicenseTerms, revokeLicense } from '../../../shared/licenses/license-service.ts';
import { openLicenseKey } from '../../../shared/licenses/new-license.ts';
import { findMailsOfOrder, recordOutcome } from '../../../shared/mail/outbox/mail-repository.ts';
import type { Order } from '../../../shared/orders/order.ts';
import { createTestTable } from '../../support/engines/test-table.ts';
import { issueLease, issueUpdateFeed } from '../../support/samples/leases.ts';
import { disputeEvent, refundEvent, sessionEvent } from '../../support/samples/provider-events.ts';
import { createEventLog, told } from '../../support/scenes/events/event-log.ts';
import { createProjectionHarness, type ProjectionHarness, sampleOrder, toSqsEvent } from '../../support/scenes/projection-harness.ts';
import { createTableCheck } from '../../support/scenes/releases/table-check.ts';

let harness: ProjectionHarness;
let takeRequestCounts: () => Record<string, number>;
let findFaults: () => Promise<string[]>;
let events: ReturnType<typeof createEventLog>;
const clock = new Date('2026-03-01T10:00:00.250Z');
const now = () => clock;
beforeAll(async () => {
  const made = await createTestTable();
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
