import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Table } from '../../shared/db/table.ts';
import type { AppError } from '../../shared/errors.ts';
import { type CheckRateLimit, createMemoryRateLimit, createTableRateLimit, type LimitName } from '../../shared/http/rate-limit.ts';
import { createProviderPace } from '../../shared/payments/provider/provider-pace.ts';
import { ProviderRateLimitedError } from '../../shared/payments/provider/stripe-client.ts';
import { tries } from '../support/depth.ts';
import { createTestTable, type TestTable } from '../support/engines/test-table.ts';

/** `true` when the request is allowed, else the seconds to wait. */
const ask = (limit: CheckRateLimit, address = '192.0.2.1', name: LimitName = 'checkout'): Promise<true | number> =>
  limit(name, address).then(
    () => true as const,
    (error: AppError) => {
      expect(error.code).toBe('rate_limited');
      return error.retryAfterSeconds ?? Number.NaN;
    },
  );

let store: TestTable;
const day = 24 * 3600_000;
let clock = Date.parse('2026-01-31T09:00:00.000Z');
const now = () => new Date(clock);
const many = <T>(count: number, make: (index: number) => T) => Array.from({ length: count }, (_, index) => make(index));
beforeAll(async () => {
  store = await createTestTable();
});
beforeEach(() => {
  // A later day, by which what is left of another test is over.
  clock = Math.ceil(clock / day + 10) * day;
});

type Limits = Parameters<typeof createMemoryRateLimit>[0]['settings'];
/** Another instance of the function, with the same table and a memory of its own. */
const inTable = (settings: Limits) => createTableRateLimit({ table: store.table, settings, now });
const inMemory = (settings: Limits) => createMemoryRateLimit({ settings, now });
const network = (number: number, host = 1) => `2001:db8:7:${number.toString(16)}::${host}`;

describe.each([
  ['in the table', inTable],
  ['in memory', inMemory],
])('the rate limit %s', (_, limitOf) => {
  test('allows as many requests at once as its capacity, and refuses the next with the time to wait', async () => {
    const limit = limitOf({ RATE_LIMIT_CHECKOUT: 10 });
    expect(await Promise.all(many(10, () => ask(limit)))).toEqual(Array(10).fill(true));
    expect(await ask(limit)).toBe(6);
    clock += 5999;
    expect(await ask(limit)).toBe(1);
    clock += 1;
    expect([await ask(limit), await ask(limit)]).toEqual([true, 6]);
    clock += 24 * 3600_000;
    expect(await Promise.all(many(12, () => ask(limit)))).toEqual(expect.arrayContaining([...Array(10).fill(true), 6]));
  });

  test('gives a caller with a /48 16 times as much, however many of its networks ask', async () => {
    const limit = limitOf({ RATE_LIMIT_CHECKOUT: 2 });
    const answers: (true | number)[] = [];
    for (let number = 0; number < 20; number += 1) {
      for (const host of [1, 2, 3]) answers.push(await ask(limit, network(number, host)));
    }
    expect(answers.slice(0, 48)).toEqual(Array(16).fill([true, true, 30]).flat());
    // The wide bucket gives back one request in 60 s / 32.
    expect(answers.slice(48)).toEqual(Array(12).fill(2));
    expect(await ask(limit, '2001:db8:8::1')).toBe(true);
    clock += 1875;
    expect([await ask(limit, network(99)), await ask(limit, network(98))]).toEqual([true, 2]);
  });

  test('spends nothing of what others of the /48 have when it refuses a /64', async () => {
    const limit = limitOf({ RATE_LIMIT_CHECKOUT: 1 });
    for (let attempt = 0; attempt < 40; attempt += 1) {
      // Another instance has not seen the refusals, so it asks the table.
      const instance = limitOf === inTable && attempt % 2 ? limitOf({ RATE_LIMIT_CHECKOUT: 1 }) : limit;
      expect(await ask(instance, network(1))).toBe(attempt === 0 || 60);
    }
    for (let number = 2; number <= 16; number += 1) expect(await ask(limit, network(number))).toBe(true);
    for (let number = 17; number <= 20; number += 1) expect(await ask(limit, network(number))).toBe(4);
    clock += 3750;
    expect(await ask(limit, network(20))).toBe(true);
  });

  test('has a bucket for each caller and each limit; the addresses of one /64 share theirs, as any notation of IPv4 does', async () => {
    const limit = limitOf({ RATE_LIMIT_CHECKOUT: 1, RATE_LIMIT_COMPLETE: 1 });
    for (const [address, allowed, name] of [
      ['192.0.2.1', true, 'checkout'],
      ['192.0.2.2', true, 'checkout'],
      ['192.0.2.1', true, 'complete'],
      ['192.0.2.1', 60, 'checkout'],
      ['::ffff:192.0.2.1', 60, 'checkout'],
      ['::ffff:c000:201', 60, 'checkout'],
      ['2001:db8:1:2::1', true, 'checkout'],
      ['2001:db8:1:2:ffff:ffff:ffff:ffff', 60, 'checkout'],
      ['2001:db8:1:3::1', true, 'checkout'],
    ] as const) {
      expect([address, await ask(limit, address, name)]).toEqual([address, allowed]);
    }
  });

  test('is turned off by 0, without a request to the table', async () => {
    store.takeRequestCounts();
    expect(await Promise.all(many(100, () => ask(limitOf({ RATE_LIMIT_CHECKOUT: 0 }))))).toEqual(Array(100).fill(true));
    expect(store.takeRequestCounts()).toEqual({});
  });
});

describe('the rate limit in the table', () => {
  test('allows exactly as many when ten instances check at once', async () => {
    for (const capacity of [1, 7, 30]) {
      const instances = many(10, () => inTable({ RATE_LIMIT_CHECKOUT: capacity }));
      const answers = await Promise.all(many(60, (index) => ask(instances[index % 10]!, `192.0.2.${100 + capacity}`)));
      expect(answers.filter((answer) => answer === true)).toHaveLength(capacity);
    }
  });

  test('takes one request to the table a check, two for an address of IPv6, and none for a refusal it can foresee', async () => {
    const limit = inTable({ RATE_LIMIT_CHECKOUT: 1 });
    for (const [address, allowed, requests] of [
      ['192.0.2.9', true, 1],
      ['::ffff:192.0.2.9', 60, 0],
      [network(1), true, 2],
      [network(1, 2), 60, 0],
    ] as const) {
      store.takeRequestCounts();
      expect([address, await ask(limit, address), store.takeRequestCounts()['UpdateItem'] ?? 0]).toEqual([address, allowed, requests]);
    }
  });

  test('keeps no address in the table, and lets the bucket expire', async () => {
    const written: unknown[] = [];
    const table: Table = {
      ...store.table,
      async write(write) {
        written.push(write);
        return store.table.write(write);
      },
    };
    const limit = createTableRateLimit({ table, settings: { RATE_LIMIT_CHECKOUT: 10, RATE_LIMIT_ROTATIONS: 10 }, now });
    for (const [name, windowSeconds] of [
      ['checkout', 60],
      ['rotations', 3600],
    ] as const) {
      expect(await ask(limit, '192.0.2.77', name)).toBe(true);
      expect(JSON.stringify(written)).not.toContain('192.0.2.77');
      expect(JSON.stringify(written.splice(0))).toContain(`":ttl":${clock / 1000 + 10 * windowSeconds}`);
    }
  });

  test('over any time allows no more than the bucket and what flowed in, and no less', async () => {
    const step = fc.record({
      pause: fc.integer({ min: 0, max: 30_000 }),
      requests: fc.integer({ min: 0, max: 6 }),
      by: fc.integer({ min: 0, max: 2 }),
    });
    // Each try has an address of its own, those of a shrinking failure too.
    let callers = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), fc.integer({ min: 1, max: 12 }), async (steps, capacity) => {
        callers += 1;
        const address = `10.${callers >> 16}.${(callers >> 8) % 256}.${callers % 256}`;
        const instances = many(3, () => inTable({ RATE_LIMIT_CHECKOUT: capacity }));
        let tokens = capacity;
        for (const { pause, requests, by } of steps) {
          clock += pause;
          tokens = Math.min(capacity, tokens + (pause * capacity) / 60_000);
          for (let index = 0; index < requests; index += 1) {
            const answer = await ask(instances[by]!, address);
            // Whole microseconds against a real number: at the very edge either answer is right.
            if (Math.abs(tokens - Math.round(tokens)) > 0.001 || tokens < 0.5) expect(answer === true).toBe(tokens >= 1);
            if (answer === true) tokens -= 1;
          }
        }
      }),
      { numRuns: tries(60) },
    );
  });
});

describe('the rate limit in memory', () => {
  test('that nobody set lets nobody pass', async () => {
    await expect(inMemory({ RATE_LIMIT_HEALTH: 120 })('checkout', '192.0.2.1')).rejects.toThrow('The limit checkout is not set.');
  });

  test('does not forget who spent all while others come by the thousand, and keeps no more of these than it has room for', async () => {
    const limit = inMemory({ RATE_LIMIT_UNKNOWN_KEYS: 60 });
    const spend = () => Promise.all(many(61, () => ask(limit, 'prd_guessed', 'unknown-keys')));
    expect((await spend()).filter((answer) => answer === true)).toHaveLength(60);
    for (let index = 0; index < 12_000; index += 1) {
      clock += 4;
      await ask(limit, `random ${index}`, 'unknown-keys');
    }
    // 48 s gave back 48 requests.
    expect((await spend()).filter((answer) => answer === true)).toHaveLength(48);
  });

  test('forgets everybody rather than grow without end', async () => {
    const limit = inMemory({ RATE_LIMIT_UNKNOWN_KEYS: 1 });
    expect(await ask(limit, 'prd_first', 'unknown-keys')).toBe(true);
    for (let index = 0; index < 9_999; index += 1) await ask(limit, `random ${index}`, 'unknown-keys');
    expect(await ask(limit, 'prd_first', 'unknown-keys')).toBe(60);
    expect(await ask(limit, 'one more', 'unknown-keys')).toBe(true);
    expect(await ask(limit, 'prd_first', 'unknown-keys')).toBe(true);
  });
});

describe('the pace at the provider', () => {
  let waited: number[];
  const instance = () => createProviderPace({ table: store.table, now, wait: async (milliseconds) => void waited.push(milliseconds) });
  /** A request that the provider refuses so often for coming too fast. */
  const request = (refusals: number, tookMs = 0) => {
    let asked = 0;
    return async () => {
      asked += 1;
      clock += tookMs;
      if (asked <= refusals) throw new ProviderRateLimitedError(new Error('429 rate_limit'));
      return asked;
    };
  };

  beforeEach(async () => {
    store = await createTestTable();
    waited = [];
  });

  test('costs nothing while the provider takes what it is asked', async () => {
    const { waitForTurn: takeTurn, callProvider: askProvider } = instance();
    for (let checkout = 0; checkout < 50; checkout += 1) {
      await takeTurn();
      expect(await askProvider(request(0))).toBe(1);
    }
    await expect(askProvider(() => Promise.reject(new Error('of another kind')))).rejects.toThrow('of another kind');
    await takeTurn();
    expect([store.takeRequestCounts(), waited]).toEqual([{}, []]);
  });

  test('of instances that it refused is 50 ms apart, waits for three seconds, and refuses beyond, for half a minute', async () => {
    const instances = [instance(), instance(), instance()];
    for (const refused of instances) expect(await refused.callProvider(request(1))).toBe(2);
    const turns = async (count: number) => {
      const refusals = [];
      for (let at = 0; at < count; at += 1)
        refusals.push(await instances[at % 3]?.waitForTurn().catch((error: AppError) => [error.code, error.retryAfterSeconds]));
      return refusals.filter((refusal) => refusal !== undefined);
    };
    expect(await turns(40)).toEqual(Array(2).fill(['dependency_unavailable', 3]));
    // What was refused waits until its second is over, and what comes later behind it.
    expect(waited).toEqual(Array.from({ length: 41 }, (_, turn) => 1000 + turn * 50));
    clock += 100;
    expect(await turns(3)).toEqual([['dependency_unavailable', 3]]);
    expect(await instance().waitForTurn()).toBeUndefined();
    clock += 29_000;
    expect(await turns(1)).toEqual([]);
    expect(waited.slice(41)).toEqual([2950, 3000, 0]);
    clock += 1000;
    store.takeRequestCounts();
    expect(await turns(3)).toEqual([]);
    expect(store.takeRequestCounts()).toEqual({});
  });

  test('asks once more, and never after a refusal that came late', async () => {
    await expect(instance().callProvider(request(2))).rejects.toMatchObject({ code: 'dependency_unavailable', retryAfterSeconds: 2 });
    expect(waited).toEqual([1000]);
    await expect(instance().callProvider(request(1, 1001))).rejects.toBeInstanceOf(ProviderRateLimitedError);
    expect(waited).toEqual([1000]);
  });
});
