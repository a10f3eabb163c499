import { describe, expect, test } from '@jest/globals';
import { newId } from '../../../shared/ids.ts';
import type { Order } from '../../../shared/orders/order.ts';
import { orderEvents } from '../../../shared/orders/order-events.ts';
import {
  type ChargeFacts,
  type CheckoutFacts,
  contradicts,
  type DisputeFact,
  heldSinceOf,
  licenseHoldOf,
  mergeChargeFacts,
  mergeCheckoutFacts,
  noChargeFacts,
  orderStatusOf,
  paymentStatusOf,
  refundedAmountOf,
  type ToldCharge,
} from '../../../shared/payments/payment-facts.ts';
import { firstCells, tableOf } from '../../architecture/readme-page.ts';
import { sampleOrder } from '../../support/scenes/projection-harness.ts';

const [early, late] = ['2026-01-31T09:00:00.000Z', '2026-01-31T10:00:00.000Z'];
const price = 1000;
const checkoutNames = ['paidAt', 'processingAt', 'asyncFailedAt', 'declinedAt', 'expiredAt'] as const;
const disputeStates = [undefined, 'inquiry', 'open', 'won', 'lost'] as const;

/** The first that holds, by the tables of the READMEs: the names of facts that must be there, and what they show. */
const orderStatuses: [string, (is: Known) => boolean][] = [
  ['refunded', (is) => is.paid && is.whole],
  ['disputed', (is) => is.paid && (is.open || is.lost)],
  ['partially_refunded', (is) => is.paid && is.part],
  ['paid', (is) => is.paid],
  ['expired', (is) => is.expired],
  ['payment_failed', (is) => is.declined || is.asyncFailed],
  ['pending', () => true],
];
const paymentStatuses: typeof orderStatuses = [
  ['refunded', (is) => is.paid && is.whole],
  ['lost', (is) => is.paid && is.lost],
  ['disputed', (is) => is.paid && is.open],
  ['partially_refunded', (is) => is.paid && is.part],
  ['succeeded', (is) => is.paid],
  ['failed', (is) => is.expired || is.asyncFailed],
  ['processing', (is) => is.processing],
  ['failed', (is) => is.declined],
  ['pending', () => true],
];
const holds: typeof orderStatuses = [
  ['refunded', (is) => is.whole],
  ['disputed', (is) => is.open || is.lost],
  ['none', () => true],
];
type Known = Record<'paid' | 'processing' | 'asyncFailed' | 'declined' | 'expired' | 'whole' | 'part' | 'open' | 'lost', boolean>;

const first = (table: typeof orderStatuses, known: Known) => table.find(([, holdsFor]) => holdsFor(known))?.[0];

/** Every combination of facts. */
const combinations = Array.from({ length: 32 }, (_, bits) =>
  Object.fromEntries(checkoutNames.filter((_name, index) => bits & (1 << index)).map((name) => [name, early])),
).flatMap((checkout: CheckoutFacts) =>
  [0, 1, price - 1, price, price + 1].flatMap((refundedAmount) =>
    disputeStates.flatMap((one) =>
      disputeStates.map((other) => {
        const disputes = { ...(one && { du_1: { state: one, at: early } }), ...(other && { du_2: { state: other, at: late } }) };
        return { checkout, charge: { refundedAmount, disputes } satisfies ChargeFacts };
      }),
    ),
  ),
);

test('what order, payment and license show is the first that holds, for every combination of facts', () => {
  for (const { checkout, charge } of combinations) {
    const states = Object.values(charge.disputes).map(({ state }) => state);
    const known: Known = {
      paid: checkout.paidAt !== undefined,
      processing: checkout.processingAt !== undefined,
      asyncFailed: checkout.asyncFailedAt !== undefined,
      declined: checkout.declinedAt !== undefined,
      expired: checkout.expiredAt !== undefined,
      whole: charge.refundedAmount >= price,
      part: charge.refundedAmount > 0,
      open: states.includes('open'),
      lost: states.includes('lost'),
    };
    const shown = {
      order: orderStatusOf(price, checkout, charge),
      payment: paymentStatusOf(price, checkout, charge),
      hold: licenseHoldOf(price, charge) ?? 'none',
    };
    const expected = { order: first(orderStatuses, known), payment: first(paymentStatuses, known), hold: first(holds, known) };
    expect({ ...known, ...shown }).toEqual({ ...known, ...expected });
  }
});

test('the READMEs list them in this order', () => {
  const statusesOf = (table: typeof orderStatuses) => table.map(([status]) => status);
  expect(firstCells('shared/orders/README.md', 'status')).toEqual(statusesOf(orderStatuses));
  expect(firstCells('shared/payments/facts.md', 'payment status')).toEqual(statusesOf(paymentStatuses));
});

test('a free order is never refunded', () => {
  expect(orderStatusOf(0, { paidAt: early }, noChargeFacts)).toBe('paid');
  expect(paymentStatusOf(0, { paidAt: early }, noChargeFacts)).toBe('succeeded');
  expect(licenseHoldOf(0, noChargeFacts)).toBeUndefined();
});

describe('merging', () => {
  test.each(checkoutNames)('keeps the earliest %s', (name) => {
    for (const [a, b] of [
      [early, late],
      [late, early],
    ]) {
      expect(mergeCheckoutFacts({ [name]: a }, { [name]: b })[name]).toBe(early);
      expect(mergeCheckoutFacts({ [name]: a }, {})[name]).toBe(a);
      expect(mergeCheckoutFacts({}, { [name]: b })[name]).toBe(b);
    }
    expect(Object.values(mergeCheckoutFacts({ [name]: early }, {})).filter(Boolean)).toHaveLength(1);
  });

  test('keeps the largest refunded amount, and of retrievals the last, which decides from then on, whatever its clock said', () => {
    const events = (refundedAmount: number): ChargeFacts => ({ ...noChargeFacts, refundedAmount });
    const retrieval = (at: string, amount: number): ChargeFacts => ({ ...noChargeFacts, refundRetrieval: { at, amount } });
    const merged = (...all: ChargeFacts[]) => refundedAmountOf(all.reduce(mergeChargeFacts));
    expect(merged(events(300), events(700))).toBe(700);
    expect(merged(events(700), events(300))).toBe(700);
    expect(merged(events(1000), retrieval(early, 0))).toBe(0);
    expect(merged(retrieval(early, 0), events(1000))).toBe(0);
    expect(merged(retrieval(early, 0), retrieval(late, 400))).toBe(400);
    expect(merged(retrieval(late, 0), retrieval(early, 400))).toBe(400);
    expect(merged(retrieval(late, 0), retrieval(early, 400), events(700))).toBe(400);
  });
});

test('of a dispute what was retrieved counts more than what is known, if it is closed, and what comes later as ever', () => {
  const fact = (state: DisputeFact['state'], at: string, isRetrieved = false): ToldCharge => ({
    ...noChargeFacts,
    disputes: { du_1: { state, at, isRetrieved } },
  });
  const state = (...all: ToldCharge[]) => all.reduce<ChargeFacts>(mergeChargeFacts, noChargeFacts).disputes['du_1']?.state;
  expect(state(fact('won', late), fact('lost', early))).toBe('won');
  expect(state(fact('won', late), fact('lost', early, true))).toBe('lost');
  expect(state(fact('lost', late), fact('won', early, true))).toBe('won');
  expect(state(fact('lost', late), fact('open', early, true))).toBe('lost');
  expect(state(fact('lost', late), fact('won', early, true), fact('open', late))).toBe('won');
});

describe('since when a payment stops its license', () => {
  type Told = Record<string, [state: DisputeFact['state'], at: string][]>;
  const [first, second, third] = ['2026-01-31T09:00:00.000Z', '2026-01-31T10:00:00.000Z', '2026-01-31T11:00:00.000Z'];
  const refunded = (at: string): ChargeFacts => ({ ...noChargeFacts, refundedAmount: price, refundTimes: { [price]: at } });

  test.each<[string, Told, string | undefined]>([
    ['no dispute', {}, undefined],
    ['an inquiry', { du_1: [['inquiry', first]] }, undefined],
    [
      'an inquiry that became a dispute',
      {
        du_1: [
          ['inquiry', first],
          ['open', second],
        ],
      },
      second,
    ],
    [
      'a dispute that is open',
      {
        du_1: [
          ['open', first],
          ['open', second],
        ],
      },
      first,
    ],
    [
      'one that was lost',
      {
        du_1: [
          ['open', first],
          ['lost', third],
        ],
      },
      first,
    ],
    ['one of which only the loss is known', { du_1: [['lost', third]] }, third],
    [
      'one that was won',
      {
        du_1: [
          ['open', first],
          ['won', third],
        ],
      },
      undefined,
    ],
    [
      'one that was lost after it was won',
      {
        du_1: [
          ['open', first],
          ['won', second],
          ['lost', third],
        ],
      },
      first,
    ],
    ['two', { du_1: [['open', second]], du_2: [['lost', first]] }, first],
    [
      'two, of which the first was won',
      {
        du_1: [
          ['open', first],
          ['won', third],
        ],
        du_2: [['open', second]],
      },
      second,
    ],
  ])('is told by %s, in any order of its events', (_, disputes, since) => {
    const told = Object.entries(disputes).flatMap(([id, events]) =>
      events.map(([state, at]): ToldCharge => ({ ...noChargeFacts, disputes: { [id]: { state, at } } })),
    );
    for (const events of [told, told.toReversed()]) {
      const facts = events.reduce<ChargeFacts>(mergeChargeFacts, noChargeFacts);
      expect(heldSinceOf(price, facts)).toBe(since);
      expect(heldSinceOf(price, mergeChargeFacts(facts, refunded(third)))).toBe(third);
    }
  });
});

test('only two closings with different outcomes of one dispute contradict each other', () => {
  const states = ['inquiry', 'open', 'won', 'lost'] as const;
  const pairs = states.flatMap((known) => states.map((next) => [known, next] as const));
  const contradicting = pairs.filter(([known, next]) =>
    contradicts({ ...noChargeFacts, disputes: { du_1: { state: known, at: early } } }, 'du_1', { state: next, at: late }),
  );
  expect(contradicting).toEqual([
    ['won', 'lost'],
    ['lost', 'won'],
  ]);
  expect(contradicts({ ...noChargeFacts, disputes: { du_1: { state: 'won', at: early } } }, 'du_2', { state: 'lost', at: late })).toBe(
    false,
  );
});

interface Facts {
  checkout?: CheckoutFacts;
  charge?: ChargeFacts;
}

const amount = 1200;
const refund = (refundedAmount: number, retrieved?: number): ChargeFacts => ({
  ...noChargeFacts,
  refundedAmount,
  ...(retrieved !== undefined && { refundRetrieval: { at: early, amount: retrieved } }),
});
const dispute = (state: 'inquiry' | 'open' | 'won' | 'lost' | undefined, at = early): ChargeFacts =>
  state === undefined ? noChargeFacts : { ...noChargeFacts, disputes: { du_1: { state, at } } };

/** The fewest facts that lead to each status. */
const states: Record<string, Facts> = {
  pending: {},
  payment_failed: { checkout: { declinedAt: early } },
  expired: { checkout: { expiredAt: early } },
  paid: { checkout: { paidAt: early } },
  partially_refunded: { checkout: { paidAt: early }, charge: refund(400) },
  disputed: { checkout: { paidAt: early }, charge: dispute('open') },
  refunded: { checkout: { paidAt: early }, charge: refund(amount) },
};

/** What each event adds; several where the table has one column for them. */
const events: Record<string, Facts[]> = {
  paid: [{ checkout: { paidAt: late } }],
  processing: [{ checkout: { processingAt: late } }],
  'payment failed': [{ checkout: { declinedAt: late } }, { checkout: { asyncFailedAt: late } }],
  expired: [{ checkout: { expiredAt: late } }],
  'partly refunded': [{ charge: refund(400) }],
  'fully refunded': [{ charge: refund(amount) }],
  'dispute open or lost': [{ charge: dispute('open', late) }, { charge: dispute('lost', late) }],
  'dispute won': [{ charge: dispute('won', late) }],
};

const statusOf = ({ checkout = {}, charge = noChargeFacts }: Facts) => orderStatusOf(amount, checkout, charge);
const merge = (one: Facts, other: Facts): Facts => ({
  checkout: mergeCheckoutFacts(one.checkout ?? {}, other.checkout ?? {}),
  charge: mergeChargeFacts(one.charge ?? noChargeFacts, other.charge ?? noChargeFacts),
});

const table = tableOf('shared/payments/facts.md', 'from \\ event');

test('the page of payment facts shows every state and event', () => {
  expect(Object.keys(table)).toEqual(Object.keys(states));
  for (const cells of Object.values(table)) expect(Object.keys(cells)).toEqual(Object.keys(events));
});

test.each(Object.entries(table))('an order that is %s goes where the table in the page of payment facts has it', (state, cells) => {
  const facts = states[state] ?? {};
  expect(statusOf(facts)).toBe(state);
  for (const [event, possible] of Object.entries(events)) {
    const shown = cells[event] === 'same' ? state : cells[event];
    for (const added of possible) expect([event, statusOf(merge(facts, added))]).toEqual([event, shown]);
  }
});

const order: Order = { ...sampleOrder({ status: 'paid', checkout: { paidAt: early } }) };
const between = (before: ChargeFacts, after: ChargeFacts) =>
  orderEvents({ order, charge: before }, { order, charge: after }).map(({ type, data }) => {
    if (type === 'order.refunded') return `${type} ${data.amountRefunded}`;
    return type === 'order.dispute_closed' ? `${type} ${data.outcome}` : type;
  });

describe('between two looks at a paid order', () => {
  test.each<[string, ChargeFacts, ChargeFacts, string[]]>([
    ['a refund that failed tells nothing', refund(1200), refund(1200, 0), []],
    ['a refund that failed in part tells nothing', refund(1200), refund(1200, 400), []],
    ['a refund after one that failed is told', refund(1200, 0), refund(1200, 1200), ['order.refunded 1200']],
    ['what is known already is not told', refund(400), refund(400), []],
  ])('%s', (_, before, after, told) => {
    expect(between(before, after)).toEqual(told);
  });

  const [opens, wins, loses] = ['order.disputed', 'order.dispute_closed won', 'order.dispute_closed lost'];
  test.each<[Parameters<typeof dispute>[0], Parameters<typeof dispute>[0], string[]]>([
    [undefined, 'inquiry', []],
    [undefined, 'open', [opens]],
    [undefined, 'won', []],
    [undefined, 'lost', [opens, loses]],
    ['inquiry', 'open', [opens]],
    ['inquiry', 'won', []],
    ['inquiry', 'lost', [opens, loses]],
    ['open', 'inquiry', []],
    ['open', 'won', [wins]],
    ['open', 'lost', [loses]],
    ['won', 'lost', [opens, loses]],
    ['lost', 'won', [wins]],
    ...(['open', 'won', 'lost'] as const).map((state): ['open' | 'won' | 'lost', 'open' | 'won' | 'lost', string[]] => [state, state, []]),
  ])('a dispute that was %s and is %s tells %j', (before, after, told) => {
    expect(between(dispute(before), dispute(after))).toEqual(told);
  });
});

test('a sale is told of once it is paid, with all that is known of its charge by then', () => {
  const pending: Order = { ...order, status: 'pending', checkout: {} };
  const [before, charge] = [{ order: pending, charge: noChargeFacts }, refund(400)];
  expect(orderEvents(before, { order: pending, charge })).toEqual([]);
  const { id: orderId, productId, amount, currency } = order;
  const data = { orderId, productId, status: 'paid', amount, currency, kind: 'license', quantity: 1 };
  const refunded = { type: 'order.refunded', data: { ...data, amountRefunded: 400 } };
  expect(orderEvents({ order: pending, charge }, { order, charge })).toEqual([{ type: 'order.paid', data }, refunded]);
});

test('a sale is told with what it was for: kind, quantity, discount, and of an addition its order and whether that can be used', () => {
  const [discountId, parentOrderId] = [newId('discount'), newId('order')];
  const discount = { id: discountId, code: 'SPRING', amount: 300 };
  const several: Order = {
    ...order,
    kind: 'seats',
    quantity: 3,
    discount,
    addedTo: { orderId: parentOrderId, licenseId: newId('license') },
  };
  const pending: Order = { ...several, status: 'pending', checkout: {} };
  const told = { kind: 'seats', quantity: 3, discountId, parentOrderId };
  expect(orderEvents({ order: pending, charge: noChargeFacts }, { order: several, charge: refund(400) }, 'suspended')).toMatchObject([
    { type: 'order.paid', data: { ...told, licenseStatus: 'suspended' } },
    { type: 'order.refunded', data: told },
  ]);
});

test('each dispute of a charge is told of by itself', () => {
  const both: ChargeFacts = { ...noChargeFacts, disputes: { du_1: { state: 'won', at: early }, du_2: { state: 'lost', at: early } } };
  expect(between(dispute('open'), both)).toEqual(['order.dispute_closed won', 'order.disputed', 'order.dispute_closed lost']);
});
