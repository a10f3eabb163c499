import { describe, expect, test } from '@jest/globals';
import { decodeCursor, encodeCursor } from '../../../shared/db/cursor.ts';
import { OptimisticLockError, retryOptimisticLock } from '../../../shared/db/optimistic-lock.ts';
import { emptyPage, filteredPage, limitToReplySize } from '../../../shared/db/sharded-list.ts';
import { ContentionError } from '../../../shared/db/table.ts';

describe('a cursor', () => {
  test('leads back to its position, in its own list alone', () => {
    const cursor = encodeCursor('orders', '2026#ord_1');
    expect(decodeCursor('orders', cursor)).toBe('2026#ord_1');
    for (const list of ['order', 'orders2', 'sellers', '']) expect(() => decodeCursor(list, cursor)).toThrow();
  });

  test.each([
    '',
    'x',
    'b3JkZXJz',
    encodeCursor('orders', ''),
    encodeCursor('orders', 'a b'),
    encodeCursor('orders', 'a\u0000'),
    `${encodeCursor('orders', 'a')}=`,
    `${encodeCursor('orders', 'a')}\n`,
    encodeCursor('orders', 'x'.repeat(501)),
    encodeCursor('orders', 'é'),
  ])('that was not given is refused: %j', (cursor) => {
    expect(() => decodeCursor('orders', cursor)).toThrow(expect.objectContaining({ code: 'invalid_request' }));
  });

  test('of a list that has nothing is refused', () => {
    expect(emptyPage({ limit: 10 })).toEqual({ items: [] });
    expect(() => emptyPage({ limit: 10, cursor: encodeCursor('orders', 'a') })).toThrow(
      expect.objectContaining({ code: 'invalid_request' }),
    );
  });
});

describe('a page', () => {
  const megabyte = 'x'.repeat(1024 * 1024);

  test('holds as much as a reply may, and at least one item', () => {
    expect(limitToReplySize(['a', 'b'])).toEqual(['a', 'b']);
    expect(limitToReplySize([])).toEqual([]);
    expect(limitToReplySize([megabyte, megabyte, megabyte, 'a'])).toHaveLength(2);
    expect(limitToReplySize([megabyte.repeat(3), 'a'])).toHaveLength(1);
  });

  /** Numbers from 0, in pages; the cursor is the next number. */
  const numbers =
    (count: number, read: number[] = []) =>
    async ({ limit, cursor }: { limit: number; cursor?: string | undefined }) => {
      const start = Number(cursor ?? 0);
      read.push(limit);
      const items = Array.from({ length: Math.max(0, Math.min(limit, count - start)) }, (_, index) => start + index);
      return { items, nextCursor: start + limit < count ? String(start + limit) : undefined };
    };

  test('that is filtered reads on until it is full, and never past it', async () => {
    const read: number[] = [];
    const page = await filteredPage({ limit: 4 }, (number: number) => number % 2 === 1, numbers(100, read));
    expect(page).toEqual({ items: [1, 3, 5, 7], nextCursor: '8' });
    expect(read).toEqual([4, 2, 1, 1]);
  });

  test('that is filtered comes back short after ten reads, with a cursor to the rest', async () => {
    const page = await filteredPage({ limit: 4 }, () => false, numbers(100));
    expect(page).toEqual({ items: [], nextCursor: '40' });
    expect(await filteredPage({ limit: 4, cursor: '96' }, () => true, numbers(100))).toEqual({
      items: [96, 97, 98, 99],
      nextCursor: undefined,
    });
  });

  test('that is filtered ends with the list', async () => {
    expect(await filteredPage({ limit: 4 }, (number: number) => number === 5, numbers(6))).toEqual({ items: [5], nextCursor: undefined });
  });
});

describe('the optimistic lock', () => {
  /** Decisions that are lost so often, each taking so long by a clock that waits move too; what was waited for, and when each began. */
  function race({ losses = Number.POSITIVE_INFINITY, took = 0, failure = new OptimisticLockError() as Error }) {
    let clock = 0;
    const waits: number[] = [];
    const begun: number[] = [];
    const decide = async () => {
      begun.push(clock);
      clock += took;
      if (begun.length <= losses) throw failure;
      return begun.length;
    };
    const wait = async (milliseconds: number) => {
      waits.push(milliseconds);
      clock += milliseconds;
    };
    const run = (options: Parameters<typeof retryOptimisticLock>[1] = {}) =>
      retryOptimisticLock(decide, { random: () => 1, wait, now: () => clock, ...options });
    return { run, waits, begun };
  }
  const busy = { code: 'dependency_unavailable', retryAfterSeconds: 1 };

  test('decides anew as often as it may, at once the first time and later after a while', async () => {
    const { run, waits } = race({ losses: 5 });
    expect([await run({ random: () => 0.5 }), waits]).toEqual([6, [10, 20, 40, 80]]);
  });

  test.each([
    [undefined, 7],
    [12, 13],
  ])('gives up as a dependency that is busy, of %p attempts after %i', async (attempts, times) => {
    const { run, begun } = race({});
    await expect(run({ random: () => 0, ...(attempts && { attempts }) })).rejects.toMatchObject(busy);
    expect(begun).toHaveLength(times);
  });

  test('decides anew on what is crowded out as often, and after pauses as long, as a transaction is tried again', async () => {
    const { run, waits, begun } = race({ failure: new ContentionError(undefined) });
    await expect(run({ now: () => 0 })).rejects.toMatchObject({ code: 'dependency_unavailable' });
    expect([begun.length, waits]).toEqual([21, [5, 20, 80, 320, ...Array(16).fill(800)]]);
  });

  test.each([
    [300, [600, 600]],
    [3500, [6000]],
  ])('where deciding takes %d ms, spreads out over twice that, or 6 s', async (took, spreads) => {
    const { run, waits } = race({ losses: spreads.length, took });
    await run();
    expect(waits).toEqual(spreads);
  });

  test('begins one decision, from a fresh read, when 10 s have passed, whatever attempts are left', async () => {
    const lost = race({ took: 4000 });
    await expect(lost.run({ random: () => 0 })).rejects.toMatchObject(busy);
    expect(lost.begun).toHaveLength(4);
    expect(await race({ took: 4000, losses: 3 }).run({ random: () => 0 })).toBe(4);
  });

  test.each([1000, 3000, 4500, 9000, 15_000])('waits for no decision that could not end in time: each takes %i ms', async (took) => {
    const { run, begun } = race({ took });
    await expect(run({ attempts: 100 })).rejects.toThrow();
    const last = begun.pop();
    expect(begun.filter((time) => time > 10_000)).toEqual([]);
    expect(last).toBeGreaterThan(10_000);
    expect(last).toBeLessThanOrEqual(16_000);
  });

  test('waits for at most 400 ms where deciding takes no time, and repeats no other failure', async () => {
    const { run, waits } = race({ losses: 11 });
    await run({ attempts: 12 });
    expect(Math.max(...waits)).toBe(400);
    const broken = race({ failure: new TypeError('broken') });
    await expect(broken.run()).rejects.toThrow('broken');
    expect(broken.begun).toHaveLength(1);
  });
});
