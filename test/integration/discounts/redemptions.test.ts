import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { recordDiscountEnd } from '../../../shared/discounts/discount-repository.ts';
import { findRedemption, reserveRedemption } from '../../../shared/discounts/redemption-repository.ts';
import { newId } from '../../../shared/ids.ts';
import type { Order } from '../../../shared/orders/order.ts';
import { beginCheckoutAttempt, bindCheckoutSession } from '../../../shared/orders/order-repository.ts';
import { createCollisions, createCrashPlan, dyingAnywhere } from '../../support/engines/faults.ts';
import { createInterrupter } from '../../support/interrupt.ts';
import { expired, paid, refundEvent, sessionEvent, unpaid } from '../../support/samples/provider-events.ts';
import { createRedemptionScene, type RedemptionScene } from '../../support/scenes/products/redemption-scene.ts';
import { type StubProvider, startStubProvider } from '../../support/scenes/stub-provider.ts';

let provider: StubProvider;
let scene: RedemptionScene;
const errors: unknown[] = [];

beforeAll(async () => {
  provider = await startStubProvider();
  const logger = {
    info() {},
    warn() {},
    error: (message: string, facts?: object) => {
      if (message === 'discount_over_redeemed') errors.push(facts);
    },
  };
  scene = await createRedemptionScene({ provider, logger });
});
afterAll(() => provider.stop());

describe('a limited code', () => {
  test('is taken by as many of twenty-five carts at once as it allows, whatever they collide with', async () => {
    let writes = 0;
    const collisions = createCollisions(0.3, () => (++writes % 3) / 3);
    const crowded = await createRedemptionScene({ provider, faults: collisions });
    const { openCart, counts } = await crowded.addDiscount(10);
    const outcomes = await Promise.allSettled(Array.from({ length: 25 }, () => openCart()));
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason.code] : []));
    expect(refused).toEqual(Array.from({ length: 15 }, () => 'discount_not_valid'));
    expect(await counts()).toEqual({ taken: 10, redeemed: 0 });
    expect(collisions.collisions).toBeGreaterThan(7);

    // All of them are paid at once, while others ask for the code in vain.
    const orders = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
    for (const order of orders) await crowded.receiveEvent('platform', paid(order));
    const late = Array.from({ length: 10 }, () => openCart().catch(({ code }) => code));
    const [, ...answers] = await Promise.all([crowded.work(), ...late]);
    expect(new Set(answers)).toEqual(new Set(['discount_not_valid']));
    // What collided too often was put off.
    for (let minutes = 0; minutes < 3; minutes += 1) {
      crowded.pass(1);
      await crowded.sweep();
    }
    expect(await counts()).toEqual({ taken: 10, redeemed: 10 });
    for (const { id } of orders) expect(await crowded.show(id)).toMatchObject({ order: { status: 'paid' }, license: { orderId: id } });
  }, 60_000);

  test('is not taken once it was ended', async () => {
    const { openCart, read } = await scene.addDiscount(5);
    const seen = await read();
    await scene.table.transact(recordDiscountEnd(seen, scene.now().toISOString()));
    await expect(openCart()).rejects.toMatchObject({ code: 'discount_not_valid' });
    const order = { id: newId('order'), expiresAt: seen.createdAt, ttl: undefined };
    await expect(scene.table.transact(reserveRedemption(seen, order))).rejects.toMatchObject({ code: 'discount_not_valid' });
  });
});

describe('the redemption of an order', () => {
  const stories: [string, (order: Order) => unknown[], string, { taken: number; redeemed: number }][] = [
    ['that was paid', (o) => [paid(o)], 'redeemed', { taken: 1, redeemed: 1 }],
    ['that was paid, and refunded', (o) => [paid(o), refundEvent(o, 1200)], 'redeemed', { taken: 1, redeemed: 1 }],
    ['that was refunded before its payment was heard of', (o) => [refundEvent(o, 1200), paid(o)], 'redeemed', { taken: 1, redeemed: 1 }],
    ['whose session ended', (o) => [expired(o)], 'returned', { taken: 0, redeemed: 0 }],
    ['that was paid after all', (o) => [expired(o), paid(o)], 'redeemed', { taken: 1, redeemed: 1 }],
    ['whose end came late', (o) => [paid(o), expired(o)], 'redeemed', { taken: 1, redeemed: 1 }],
    ['whose delayed payment failed', (o) => [unpaid(o), sessionEvent(o, 'async_payment_failed')], 'returned', { taken: 0, redeemed: 0 }],
    ['whose payment is on its way', (o) => [unpaid(o)], 'reserved', { taken: 1, redeemed: 0 }],
  ];
  test.each(stories)('%s is settled, with a limit and without', async (_, events, state, expected) => {
    for (const limit of [7, undefined]) {
      const { openCart, counts } = await scene.addDiscount(limit);
      const order = await openCart({ ttl: 4_000_000_000 });
      for (const event of events(order)) await scene.happen(event);
      expect(await scene.stateOf(order.id)).toBe(state);
      expect(await counts()).toEqual(limit === undefined ? { ...expected, taken: 0 } : expected);
      expect((await findRedemption(scene.table, order.id))?.ttl).toBe(state === 'redeemed' ? undefined : 4_000_086_400);
      if (state !== 'reserved') expect(await scene.settlingOf(order.id)).toBeUndefined();
    }
  });

  test('that is paid after its place went to another is issued, and raises an alarm', async () => {
    const { openCart, counts, read } = await scene.addDiscount(1);
    const late = await openCart();
    await scene.happen(expired(late));
    const other = await openCart();
    await scene.happen(paid(late));
    expect(await counts()).toEqual({ taken: 2, redeemed: 1 });
    expect(errors).toEqual([]);
    await scene.happen(paid(other));
    expect(await counts()).toEqual({ taken: 2, redeemed: 2 });
    expect(errors).toEqual([{ orderId: other.id, discountId: (await read()).id }]);
    errors.length = 0;
    for (const { id } of [late, other]) expect((await scene.show(id)).license).toMatchObject({ orderId: id });
  });
});

describe('a cart of which no event is heard', () => {
  const cases: [string, 'open' | 'expired' | undefined, Partial<Order>, boolean][] = [
    ['that ended', 'expired', {}, true],
    ['that the provider does not know', undefined, {}, true],
    ['that never had a session', undefined, { checkoutSessionId: undefined }, false],
  ];
  test.each(cases)('gives its redemption back within 45 minutes: one %s', async (_, status, change, isAsked) => {
    const { openCart, counts } = await scene.addDiscount(1);
    const order = await openCart(change);
    if (status) scene.setSession(order, status);
    // A sweep every 5 minutes, at its worst; what is put off meanwhile comes by its own message.
    scene.pass(30.5);
    await scene.sweep();
    expect(await counts()).toEqual({ taken: 1, redeemed: 0 });
    scene.pass(5);
    await scene.sweep();
    expect(await scene.settlingOf(order.id)).toMatchObject({ attempts: 0, lastFailure: 'events_awaited' });
    expect(scene.isAsked(order)).toBe(false);
    scene.pass(4.9);
    scene.queue.sent.push(`settle-redemption:${order.id}`);
    await scene.work();
    expect(await counts()).toEqual({ taken: 0, redeemed: 0 });
    expect(scene.isAsked(order)).toBe(isAsked);
    expect((await scene.show(order.id)).order.status).toBe('expired');
    expect(await scene.settlingOf(order.id)).toBeUndefined();
    await openCart();
  });

  test('keeps it while its session can be paid by the provider’s clock', async () => {
    const { openCart, counts } = await scene.addDiscount(1);
    const order = await openCart();
    scene.setSession(order, 'open');
    scene.pass(41);
    await scene.sweep();
    expect(await counts()).toEqual({ taken: 1, redeemed: 0 });
    expect(await scene.settlingOf(order.id)).toMatchObject({ attempts: 0, lastFailure: 'session_open', state: 'waiting' });
    scene.setSession(order, 'expired');
    scene.pass(6);
    await scene.sweep();
    expect(await counts()).toEqual({ taken: 0, redeemed: 0 });
  });

  test('gives it back or gets another session, never both, wherever the buyer comes back while its end is decided', async () => {
    const { atEveryCall, ...faults } = createInterrupter();
    const busy = await createRedemptionScene({ provider, faults });
    const settle = (order: Order) => {
      busy.queue.sent.push(`settle-redemption:${order.id}`);
      return busy.work();
    };
    const outcomes = new Set<string>();
    await atEveryCall(async (interrupt) => {
      const { openCart, counts } = await busy.addDiscount(1);
      const order = await openCart({ checkoutSessionId: undefined, checkoutAttempt: 1 });
      busy.pass(41);
      const next = { ...order, checkoutAttempt: 2, expiresAt: new Date(busy.now().getTime() + 30 * 60_000).toISOString() };
      const comeBack = async () => {
        await busy.table.transact(beginCheckoutAttempt(order, next));
        await busy.table.write(bindCheckoutSession(next, 'cs_test_next'));
      };
      await interrupt(
        () => settle(order),
        () => comeBack().catch(() => {}),
      );
      const { checkoutSessionId } = (await busy.show(order.id)).order;
      expect(await counts()).toEqual({ taken: checkoutSessionId === undefined ? 0 : 1, redeemed: 0 });
      outcomes.add(checkoutSessionId ?? 'returned');

      if (checkoutSessionId) await busy.happen(paid({ ...next, checkoutSessionId }));
      expect((await busy.show(order.id)).order.status).toBe(checkoutSessionId ? 'paid' : 'expired');
    });
    expect(outcomes).toEqual(new Set(['returned', 'cs_test_next']));
  });

  test('keeps it while the provider has its payment, until that is heard of', async () => {
    const { openCart, counts } = await scene.addDiscount(1);
    const order = await openCart();
    scene.setSession(order, 'complete');
    scene.pass(41);
    await scene.sweep();
    expect(await counts()).toEqual({ taken: 1, redeemed: 0 });
    expect(await scene.settlingOf(order.id)).toMatchObject({ attempts: 1, lastFailure: 'payment_awaited', state: 'waiting' });
    await scene.happen(paid(order));
    expect(await counts()).toEqual({ taken: 1, redeemed: 1 });
    expect(await scene.settlingOf(order.id)).toBeUndefined();
  });

  test('that began another attempt is waited for', async () => {
    const { openCart, counts } = await scene.addDiscount(1);
    const order = await openCart({ checkoutSessionId: undefined });
    scene.pass(25);
    const expiresAt = new Date(scene.now().getTime() + 30 * 60_000).toISOString();
    await scene.table.transact(beginCheckoutAttempt(order, { ...order, expiresAt }));
    scene.pass(16);
    await scene.sweep();
    expect(await counts()).toEqual({ taken: 1, redeemed: 0 });
    scene.pass(26);
    await scene.sweep();
    expect(await counts()).toEqual({ taken: 0, redeemed: 0 });
  });
});

test.each<[string, (order: Order) => unknown[], { taken: number; redeemed: number }]>([
  ['a payment', (o) => [paid(o)], { taken: 1, redeemed: 1 }],
  ['an end', (o) => [expired(o)], { taken: 0, redeemed: 0 }],
  ['a payment after an end', (o) => [expired(o), paid(o)], { taken: 1, redeemed: 1 }],
  ['nothing', () => [], { taken: 0, redeemed: 0 }],
])(
  'whoever dies at any call of settling %s counts it once',
  async (_, eventsOf, expected) => {
    const plan = createCrashPlan();
    const mortal = await createRedemptionScene({ provider, faults: plan });
    async function live(events: readonly unknown[]) {
      for (const event of events) await mortal.happen(event);
      if (events.length > 0) return;
      mortal.pass(41);
      await mortal.sweep();
    }
    const calls = await dyingAnywhere(plan, {
      async prepare() {
        const { openCart, counts } = await mortal.addDiscount(3);
        const order = await openCart();
        mortal.setSession(order, 'expired');
        return { counts, events: eventsOf(order) };
      },
      live: ({ events }) => live(events),
      async goOn({ counts, events }) {
        mortal.queue.sent.length = 0;
        mortal.pass(2);
        await mortal.sweep({ evenIfLeased: true });
        await live(events);
        expect(await counts()).toEqual(expected);
      },
    });
    expect(calls).toBeGreaterThan(3);
  },
  60_000,
);
