import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { adminActor } from '../../shared/audit/actor.ts';
import { listAudit } from '../../shared/audit/audit-repository.ts';
import { takeDueJobs } from '../../shared/jobs/due-job-repository.ts';
import type { License } from '../../shared/licenses/license.ts';
import { changeLicenseTerms } from '../../shared/licenses/license-service.ts';
import type { Order } from '../../shared/orders/order.ts';
import { tries } from '../support/depth.ts';
import { declineEvent, disputeEvent, paymentIdOf, refundEvent, sessionEvent } from '../support/samples/provider-events.ts';
import { createEventLog } from '../support/scenes/events/event-log.ts';
import { createProjectionHarness, type ProjectionHarness, sampleOrder, toSqsEvent } from '../support/scenes/projection-harness.ts';
import { type StubProvider, startStubProvider } from '../support/scenes/stub-provider.ts';

const dayMs = 24 * 3600_000;
const begin = Date.parse('2026-03-01T10:00:00.000Z');
const dayOf = (day: number) => new Date(begin + day * dayMs).toISOString();

/** What was sold first, what adds to it, what it was upgraded to, and a sale of its own. */
const sales = ['base', 'seats', 'updates', 'upgrade', 'other'] as const;
type Sale = (typeof sales)[number];
const happenings = [
  'paid',
  'partly refunded',
  'wholly refunded',
  'refund failed',
  'dispute opened',
  'dispute won',
  'other dispute lost',
  'inquiry',
  'declined',
  'expired',
] as const;
type Happening = (typeof happenings)[number];
type Act = { sale: Sale; what: Happening } | { limit: number } | { day: number };

const sold = { limit: 4, day: 30 };
const added = { seats: 3, days: 45 };

/** The reference: what is known of each sale, and what its seller set, in the order in which that happened. */
class Reference {
  readonly known = new Map<Sale, Set<Happening>>(sales.map((sale) => [sale, new Set(sale === 'base' ? ['paid'] : [])]));
  readonly extensions: { at: number; day: number }[] = [];
  readonly causes: string[] = [];
  readonly counted = new Set<Sale>();
  difference = 0;
  readonly paidDays: { updates: number };
  constructor(updates: number) {
    this.paidDays = { updates };
  }

  has = (sale: Sale, what: Happening) => this.known.get(sale)?.has(what) ?? false;
  ownHold(sale: Sale) {
    if (this.has(sale, 'wholly refunded') && !this.has(sale, 'refund failed')) return 'refunded';
    const isOpen = this.has(sale, 'dispute opened') && !this.has(sale, 'dispute won');
    return isOpen || this.has(sale, 'other dispute lost') ? 'disputed' : undefined;
  }
  hold(sale: Sale) {
    const holds = [this.ownHold(sale), ...(sale === 'upgrade' ? [this.ownHold('base')] : [])];
    return holds.includes('refunded') ? 'refunded' : holds.find(Boolean);
  }
  status(sale: Sale) {
    if (!this.has(sale, 'paid')) return this.has(sale, 'expired') ? 'expired' : this.has(sale, 'declined') ? 'payment_failed' : 'pending';
    const isPartial = this.has(sale, 'partly refunded') && !this.has(sale, 'refund failed');
    return this.ownHold(sale) ?? (isPartial ? 'partially_refunded' : 'paid');
  }
  isIssued = (sale: Sale) => sale !== 'seats' && sale !== 'updates' && this.has(sale, 'paid');
  counts = (sale: Sale) => this.has(sale, 'paid') && this.ownHold(sale) === undefined;
  seats = () => sold.limit + (this.counts('seats') ? added.seats : 0);
  limit = () => Math.max(1, this.seats() + this.difference);
  /** In days since the beginning. */
  end(): number {
    const paid = this.paidDays.updates;
    const steps = this.extensions.map(({ at, day }) => ({ at, after: (end: number) => Math.max(end, day) }));
    if (this.counts('updates')) steps.push({ at: paid, after: (end) => Math.max(end, paid) + added.days });
    return steps.sort((a, b) => a.at - b.at).reduce((end, step) => step.after(end), sold.day);
  }
  learn(sale: Sale, what: Happening): void {
    const before = this.counts(sale);
    this.known.get(sale)?.add(what);
    if ((sale !== 'seats' && sale !== 'updates') || this.counts(sale) === before) return;
    const first = !this.counted.has(sale);
    this.causes.push(before ? `addition_${this.ownHold(sale)}` : first ? 'addition_paid' : 'addition_restored');
    this.counted.add(sale);
  }
  set(act: { limit: number } | { day: number }, at: number): void {
    const before = [this.limit(), this.end()];
    if ('limit' in act) this.difference = act.limit - this.seats();
    else if (act.day > this.end()) this.extensions.push({ at, day: act.day });
    if (before[0] !== this.limit() || before[1] !== this.end()) this.causes.push('seller_changed');
  }
}

let provider: StubProvider;
let harness: ProjectionHarness;
let clock = begin;
const now = () => new Date(clock);
beforeAll(async () => {
  provider = await startStubProvider();
  harness = await createProjectionHarness({ provider: provider.client, now });
});
afterAll(() => provider.stop());

function eventOf(order: Order, what: Happening, paidDay: number) {
  const id = `evt_${order.id}_${happenings.indexOf(what)}`;
  const charge = { charge: `ch_${order.id}`, payment_intent: paymentIdOf(order) };
  const events: Record<Happening, () => object> = {
    paid: () => sessionEvent(order, 'completed', {}, { created: Date.parse(dayOf(paidDay)) / 1000 }),
    'partly refunded': () => refundEvent(order, 400),
    'wholly refunded': () => refundEvent(order, 1200),
    'refund failed': () => ({
      object: 'event',
      type: 'refund.failed',
      livemode: false,
      created: 1,
      data: { object: { id: 're_1', ...charge } },
    }),
    'dispute opened': () => disputeEvent(order, 'created', 'needs_response'),
    'dispute won': () => disputeEvent(order, 'closed', 'won'),
    'other dispute lost': () => disputeEvent(order, 'closed', 'lost', { id: `du_other_${order.id}` }),
    inquiry: () => disputeEvent(order, 'created', 'warning_needs_response', { id: `du_inquiry_${order.id}` }),
    declined: () => declineEvent(order),
    expired: () => sessionEvent(order, 'expired'),
  };
  return { ...events[what](), id };
}

async function settle(): Promise<void> {
  for (let round = 0; round < 6; round += 1) {
    // What lost every race was put off.
    clock += 3600_000;
    const due = await takeDueJobs(harness, { evenIfLeased: true });
    const jobs = due.map(({ id }) => id).filter((id) => /^(project-event|follow-hold|issue-license):/.test(id));
    harness.queue.sent.length = 0;
    if (jobs.length === 0) return;
    await harness.project(toSqsEvent(jobs));
  }
}

/** Each sale of a new seller; the first is paid. */
async function begun(): Promise<Record<Sale, Order>> {
  clock = begin;
  const terms = { ...sampleOrder().terms, updatesDays: sold.day };
  const base = await harness.addOrder({ quantity: 2, terms });
  await harness.deliver(eventOf(base, 'paid', 0));
  const { licenseId } = (await harness.show(base.id)).order;
  if (!licenseId) throw new Error('It was to get a license.');
  const parent = { orderId: base.id, licenseId };
  const common = { sellerId: base.sellerId, productId: base.productId, terms: { ...terms, updatesDays: added.days } };
  const orders = {
    base,
    seats: await harness.addOrder({ ...common, kind: 'seats', quantity: added.seats, addedTo: parent }),
    updates: await harness.addOrder({ ...common, kind: 'updates', addedTo: parent }),
    upgrade: await harness.addOrder({ ...common, kind: 'upgrade', upgradedFrom: parent }),
    other: await harness.addOrder(),
  };
  for (const order of Object.values(orders)) {
    // The provider knows that what it gave back came back.
    provider.objects.set(`/v1/charges/ch_${order.id}`, {
      id: `ch_${order.id}`,
      payment_intent: paymentIdOf(order),
      amount: 1200,
      amount_refunded: 0,
    });
  }
  return orders;
}

/** How often a license was issued. */
async function issuesOf(license: License | undefined): Promise<number> {
  if (license === undefined) return 0;
  const { items } = await listAudit(harness.table, { targetId: license.id, limit: 100 });
  return items.filter(({ action }) => action === 'license.issue').length;
}

async function stateOf(orders: Record<Sale, Order>) {
  const shown = await Promise.all(sales.map((sale) => harness.show(orders[sale].id)));
  const [{ license, order } = {}] = shown;
  if (!license || !order) throw new Error('They were to be there.');
  return {
    statuses: shown.map((sale) => sale.order.status),
    limit: license.activationLimit,
    end: license.updatesUntil,
    holds: shown.map((sale) => sale.license?.paymentHold),
    issues: await Promise.all(shown.map((sale) => issuesOf(sale.license))),
    upgrades: order.upgrades?.length ?? 0,
  };
}

const expectedOf = (reference: Reference) => ({
  statuses: sales.map((sale) => reference.status(sale)),
  limit: reference.limit(),
  end: dayOf(reference.end()),
  holds: sales.map((sale) => (reference.isIssued(sale) ? reference.hold(sale) : undefined)),
  issues: sales.map((sale) => Number(reference.isIssued(sale))),
  upgrades: Number(reference.has('upgrade', 'paid')),
});

const acts = fc.oneof(
  { arbitrary: fc.record({ sale: fc.constantFrom(...sales), what: fc.constantFrom(...happenings) }), weight: 8 },
  { arbitrary: fc.record({ sale: fc.constantFrom(...sales), what: fc.constant('paid' as const) }), weight: 4 },
  { arbitrary: fc.record({ limit: fc.integer({ min: 1, max: 9 }) }), weight: 1 },
  { arbitrary: fc.record({ day: fc.integer({ min: 40, max: 160 }) }), weight: 1 },
);

test('limit, end, statuses and holds follow from what happened to each order and what the seller set, in any order and at once', async () => {
  const events = createEventLog({ table: harness.table });

  async function act(orders: Record<Sale, Order>, one: Act, reference: Reference): Promise<void> {
    if ('sale' in one) return void (await harness.deliver(eventOf(orders[one.sale], one.what, reference.paidDays.updates)));
    const { licenseId } = (await harness.show(orders.base.id)).order;
    const wanted = 'limit' in one ? { activationLimit: one.limit } : { updatesUntil: dayOf(one.day) };
    if (!licenseId) throw new Error('It was to have a license.');
    await changeLicenseTerms(harness, adminActor('alice'), licenseId, wanted).catch((error) => {
      expect({ code: error.code, isEarlier: 'day' in one && one.day < reference.end() }).toEqual({
        code: 'invalid_request',
        isEarlier: true,
      });
    });
  }

  await fc.assert(
    fc.asyncProperty(fc.array(acts, { minLength: 3, maxLength: 14 }), fc.nat(60), fc.boolean(), async (planned, paidDay, atOnce) => {
      const orders = await begun();
      const issuedAt = (await harness.show(orders.base.id)).license?.issuedAt;
      expect(issuedAt).toBe(dayOf(0));
      const reference = new Reference(paidDay);
      if (atOnce) {
        const told = planned.filter((one) => 'sale' in one);
        await Promise.all(told.map((one) => act(orders, one, reference)));
        await settle();
        for (const { sale, what } of told) reference.learn(sale, what);
        expect(await stateOf(orders)).toEqual(expectedOf(reference));
        return;
      }
      for (const [index, one] of planned.entries()) {
        // Never in the very moment of a payment.
        clock = begin + (index * 5 + 0.5) * dayMs;
        await act(orders, one, reference);
        await settle();
        if ('sale' in one) reference.learn(one.sale, one.what);
        else reference.set(one, index * 5 + 0.5);
        expect(await stateOf(orders)).toEqual(expectedOf(reference));
      }
      const changes = (await events.recordedOf(orders.base.sellerId)).filter(({ type }) => type === 'license.changed');
      expect(changes.map(({ data }) => data['cause'])).toEqual(reference.causes);
    }),
    {
      numRuns: tries(40),
      // Its seller asks for the end that a payment has made, which is none of its own.
      examples: [
        [[{ sale: 'updates', what: 'paid' }, { day: sold.day + added.days }, { sale: 'updates', what: 'wholly refunded' }], 0, false],
      ],
    },
  );
}, 300_000);
