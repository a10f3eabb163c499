import { describe, expect, test } from '@jest/globals';
import { type EventId, lastIdBefore, newId } from '../../../shared/ids.ts';
import {
  afterAttempt,
  type Delivery,
  eventIdOfMessage,
  messageIdOf,
  type PendingDelivery,
} from '../../../shared/webhook-endpoints/deliveries/delivery.ts';
import {
  DeliveryPace,
  deliveryLateSeconds,
  nextDue,
  paceAfter,
  pendingToRead,
  restingUntil,
} from '../../../shared/webhook-endpoints/deliveries/delivery-pace.ts';
import { isReplayed, replayRangeOf } from '../../../shared/webhook-endpoints/deliveries/replay.ts';

const at = new Date('2026-01-31T09:00:00.000Z');
const later = (seconds: number) => new Date(at.getTime() + seconds * 1000).toISOString();
const pending = (type: Delivery['type'], seconds: number): PendingDelivery => {
  return { eventId: newId('event'), type, nextAttemptAt: later(seconds) };
};
const fresh: Delivery = { ...pending('order.paid', 0), status: 'pending', attempts: 0, createdAt: later(-60) };
const pace = (changes: Partial<DeliveryPace> = {}) => ({ ...DeliveryPace.parse({}), ...changes });

describe('the next attempt', () => {
  test.each([
    [0, 270],
    [0.5, 300],
    [0.999999999, 330],
  ])('comes up to a tenth earlier or later by chance: %d', (random, seconds) => {
    const after = afterAttempt({ ...fresh, attempts: 1 }, { error: 'timeout' }, at, random);
    expect(Math.round((Date.parse(after.nextAttemptAt ?? '') - at.getTime()) / 1000)).toBe(seconds);
    expect(after).toMatchObject({ status: 'pending', attempts: 2, lastError: 'timeout', createdAt: fresh.createdAt });
    expect(after.lastStatusCode).toBeUndefined();
  });

  test('comes after seconds, minutes, hours, at last a day', () => {
    const waits = Array.from({ length: 9 }, (_, attempts) => afterAttempt({ ...fresh, attempts }, { error: 'timeout' }, at, 0.5));
    const seconds = waits.map(({ nextAttemptAt = '' }) => (Date.parse(nextAttemptAt) - at.getTime()) / 1000);
    expect(seconds).toEqual([5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]);
  });

  test('there is none after the tenth, nor after one that was taken', () => {
    expect(afterAttempt({ ...fresh, attempts: 9 }, { statusCode: 500, error: 'status' }, at, 0)).toMatchObject({
      status: 'failed',
      attempts: 10,
    });
    const taken = afterAttempt({ ...fresh, attempts: 9, lastError: 'status' }, { statusCode: 200 }, at, 0);
    expect(taken).toMatchObject({ status: 'delivered', attempts: 10, lastStatusCode: 200 });
    expect([taken.lastError, taken.nextAttemptAt]).toEqual([undefined, undefined]);
  });
});

describe('the id of a message', () => {
  test('is the event’s with something of the endpoint, the same each time', () => {
    const [event, one, other] = [newId('event'), newId('endpoint'), newId('endpoint')];
    expect(messageIdOf(event, one)).toBe(messageIdOf(event, one));
    expect(messageIdOf(event, one)).not.toBe(messageIdOf(event, other));
    expect(messageIdOf(event, one)).toMatch(new RegExp(`^${event}_[\\w-]{8}$`));
  });

  test('leads back to its event, and so does that of the event itself', () => {
    const event = newId('event');
    for (const id of [event, messageIdOf(event, newId('endpoint')), `${event}_-_aZ09-b`]) expect(eventIdOfMessage(id)).toBe(event);
    const tails = ['x', '_', '_1234567', '_12345678x', '_1234567.'].map((tail) => `${event}${tail}`);
    const others = [...tails, '', 'evt_1', `x${event}`, `evt_${'U'.repeat(26)}`];
    for (const text of [...others, event.toLowerCase(), newId('order')]) expect(eventIdOfMessage(text)).toBeUndefined();
  });
});

describe('what is sent next', () => {
  test('is due, eight at most, and of types that are not failing first', () => {
    const due = [
      pending('order.paid', -9),
      ...Array.from({ length: 8 }, (_, index) => pending('order.refunded', index - 8)),
      pending('order.refunded', 0.001),
    ];
    expect(nextDue(due, pace(), at)).toEqual(due.slice(0, 8));
    expect(nextDue(due, pace({ failingTypes: ['order.paid'] }), at)).toEqual(due.slice(1, 9));
    expect([pace(), pace({ failingTypes: ['order.paid'] })].map(pendingToRead)).toEqual([8, 256]);
    expect(nextDue([pending('test', 0.001)], pace(), at)).toEqual([]);
    expect(nextDue([pending('test', 0)], pace({ failingTypes: ['test'] }), at)).toHaveLength(1);
  });

  test('waits for the end of a rest, and no longer', () => {
    expect(restingUntil(pace({ restsUntil: later(0.001) }), at)).toBe(later(0.001));
    expect(restingUntil(pace({ restsUntil: later(0) }), at)).toBeUndefined();
    expect(restingUntil(pace(), at)).toBeUndefined();
  });
});

describe('the pace of an endpoint', () => {
  const [taken, failed] = [
    { type: 'order.paid', isAccepted: true, isHung: false },
    { type: 'order.refunded', isAccepted: false, isHung: false },
  ] as const;
  const hung = { ...failed, isHung: true };

  test('knows the types of which nothing was taken lately, until one is', () => {
    const failing = paceAfter(pace(), [taken, failed, { ...failed, type: 'test' }, { ...taken, type: 'test' }], at);
    expect(failing).toMatchObject({ failingTypes: ['order.refunded'], hungRuns: 0 });
    expect(failing.restsUntil).toBeUndefined();
    expect(paceAfter(failing, [taken], at).failingTypes).toEqual(['order.refunded']);
    expect(paceAfter(failing, [{ ...failed, isAccepted: true }], at).failingTypes).toEqual([]);
  });

  test('is a rest after nothing was taken, and none after nothing was sent', () => {
    const once = paceAfter(pace(), [failed], at);
    expect(once).toMatchObject({ hungRuns: 0, restsUntil: later(5) });
    expect(paceAfter(once, [], at)).toBe(once);
    expect(paceAfter(once, [failed, taken], at)).toMatchObject({ hungRuns: 0, restsUntil: undefined });
  });

  test('is a longer rest each time no answer came, until one comes', () => {
    const once = paceAfter(pace(), [failed, hung], at);
    expect(once).toMatchObject({ hungRuns: 1, restsUntil: later(5) });
    const twice = paceAfter(once, [hung], at);
    expect(twice).toMatchObject({ hungRuns: 2, restsUntil: later(10) });
    expect(paceAfter(twice, [failed], at)).toMatchObject({ hungRuns: 0, restsUntil: later(5) });
    expect(paceAfter(pace({ hungRuns: 2000 }), [hung], at).restsUntil).toBe(later(300));
  });

  test('counts as late from when a delivery was due, the endpoint rested, a run left off or its seller changed it', () => {
    const one = pending('test', -1000);
    expect(deliveryLateSeconds(one, pace(), later(-5000), at)).toBe(1000);
    expect(deliveryLateSeconds(one, pace({ restsUntil: later(-900) }), later(-5000), at)).toBe(900);
    expect(deliveryLateSeconds(one, pace({ leftAt: later(-800) }), later(-5000), at)).toBe(800);
    expect(deliveryLateSeconds(one, pace({ restsUntil: later(-900), leftAt: later(-800) }), later(-700), at)).toBe(700);
  });
});

describe('the range of a replay', () => {
  const id = (seconds: number): EventId => lastIdBefore('event', new Date(later(seconds)));
  const replay = { askedAt: later(0) };

  test('begins right before the time that was asked for, and goes on where it came', () => {
    expect(replayRangeOf({ ...replay, sinces: new Set([later(-60)]) })).toEqual({ since: later(-60), position: id(-60) });
    expect(replayRangeOf({ ...replay, since: later(-60), position: id(-10) })).toEqual({ since: later(-60), position: id(-10) });
    for (const none of [{ eventIds: new Set([id(0)]) }, { since: later(-60) }, { position: id(-10) }])
      expect(replayRangeOf({ ...replay, ...none })).toBeUndefined();
  });

  test('of several begins at the first of them, and goes back for one that it had passed', () => {
    expect(replayRangeOf({ ...replay, sinces: new Set([later(-20), later(-60)]) })?.since).toBe(later(-60));
    const half = { ...replay, since: later(-60), position: id(-30) };
    expect(replayRangeOf({ ...half, sinces: new Set([later(-20)]) })).toEqual({ since: later(-60), position: id(-30) });
    expect(replayRangeOf({ ...half, sinces: new Set([later(-90)]) })).toEqual({ since: later(-90), position: id(-90) });
  });

  test('sends what happened since, is still kept, and the endpoint wants', () => {
    const endpoint = {
      ...{ id: newId('endpoint'), sellerId: newId('seller'), url: 'https://example.com/', sealedSecret: '', enabled: true, revision: 1 },
      ...{ eventTypes: ['order.paid' as const], createdAt: later(-3600), updatedAt: later(-3600) },
    };
    const sent = (seconds: number, type: Delivery['type'], now = at) =>
      isReplayed(endpoint, { id: id(seconds), sellerId: endpoint.sellerId, type, at: later(seconds), data: {} }, later(-60), now);
    expect([sent(-60, 'order.paid'), sent(-61, 'order.paid'), sent(-60, 'license.issued')]).toEqual([true, false, false]);
    const gone = new Date(Date.parse(later(-60)) + 30 * 24 * 3600_000);
    expect([sent(-60, 'order.paid', new Date(gone.getTime() - 1)), sent(-60, 'order.paid', gone)]).toEqual([true, false]);
  });

  test('finds every event of the moment at which it begins', () => {
    const before = newId('event', new Date(Date.parse('2100-01-01T00:00:00.000Z') - 1));
    const first = newId('event', new Date('2100-01-01T00:00:00.000Z'));
    const position = lastIdBefore('event', new Date('2100-01-01T00:00:00.000Z'));
    expect([before < position, position < first]).toEqual([true, true]);
    expect(lastIdBefore('event', new Date(0))).toMatch(/^evt_0000000000Z{16}$/);
  });
});
