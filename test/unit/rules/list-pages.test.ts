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
  const failing = (times: number, failure = new OptimisticLockError()) => {
    let calls = 0;
    const decide = async () => {
      calls += 1;
      if (calls <= times) throw failure;
      return calls;
    };
    return { decide, calls: () => calls };
  };

  test('decides anew as often as it may, at once the first time and later after a while', async () => {
    const waits: number[] = [];
    const wait = async (milliseconds: number) => void waits.push(milliseconds);
    expect(await retryOptimisticLock(failing(5).decide, { random: () => 0.5, wait, now: () => 0 })).toBe(6);
    expect(waits).toEqual([10, 20, 40, 80]);
  });

  test('gives up as a dependency that is busy', async () => {
    const { decide, calls } = failing(100);
    const wait = async () => {};
    await expect(retryOptimisticLock(decide, { wait })).rejects.toMatchObject({ code: 'dependency_unavailable', retryAfterSeconds: 1 });
    expect(calls()).toBe(7);
    const longer = failing(100);
    await expect(retryOptimisticLock(longer.decide, { attempts: 12, wait })).rejects.toThrow();
    expect(longer.calls()).toBe(13);
  });

  test('decides anew on what is crowded out as often, and after pauses as long, as a transaction is tried again', async () => {
    const waits: number[] = [];
    const crowded = failing(100, new ContentionError(undefined));
    const wait = async (milliseconds: number) => void waits.push(milliseconds);
    await expect(retryOptimisticLock(crowded.decide, { random: () => 1, wait, now: () => 0 })).rejects.toMatchObject({
      code: 'dependency_unavailable',
    });
    expect(crowded.calls()).toBe(21);
    expect(waits).toEqual([5, 20, 80, 320, ...new Array(16).fill(800)]);
  });

  test.each([
    [300, 600],
    [3500, 6000],
  ])('where deciding takes %d ms, spreads out over twice that, or 6 s', async (took, spread) => {
    let clock = 0;
    const waits: number[] = [];
    const { decide } = failing(2);
    const slow = () => {
      clock += took;
      return decide();
    };
    const wait = async (milliseconds: number) => void waits.push(milliseconds);
    await retryOptimisticLock(slow, { random: () => 1, wait, now: () => clock });
    expect(waits).toEqual([spread, spread]);
  });

  test('begins one decision, from a fresh read, when 10 s have passed, whatever attempts are left', async () => {
    let clock = 0;
    const wait = async () => {};
    const slow = failing(100);
    const decide = () => {
      clock += 4000;
      return slow.decide();
    };
    await expect(retryOptimisticLock(decide, { random: () => 0, wait, now: () => clock })).rejects.toMatchObject({
      code: 'dependency_unavailable',
    });
    expect(slow.calls()).toBe(4);
    const [decided] = [failing(3)];
    clock = 0;
    const learnsIt = () => {
      clock += 4000;
      return decided.decide();
    };
    expect(await retryOptimisticLock(learnsIt, { random: () => 0, wait, now: () => clock })).toBe(4);
  });

  test('waits for no decision that could not end in time', async () => {
    for (const took of [1000, 3000, 4500, 9000, 15_000]) {
      let clock = 0;
      const begun: number[] = [];
      const decide = async () => {
        begun.push(clock);
        clock += took;
        throw new OptimisticLockError();
      };
      const wait = async (milliseconds: number) => {
        clock += milliseconds;
      };
      await expect(retryOptimisticLock(decide, { attempts: 100, random: () => 1, wait, now: () => clock })).rejects.toThrow();
      const last = begun.pop();
      expect(begun.filter((time) => time > 10_000)).toEqual([]);
      expect(last).toBeGreaterThan(10_000);
      expect(last).toBeLessThanOrEqual(16_000);
    }
  });

  test('waits for at most 400 ms where deciding takes no time, and repeats no other failure', async () => {
    const waits: number[] = [];
    const wait = async (milliseconds: number) => void waits.push(milliseconds);
    await retryOptimisticLock(failing(11).decide, { attempts: 12, random: () => 1, wait, now: () => 0 });
    expect(Math.max(...waits)).toBe(400);
    let calls = 0;
    const broken = async () => {
      calls += 1;
      throw new TypeError('broken');
    };
    await expect(retryOptimisticLock(broken)).rejects.toThrow('broken');
    expect(calls).toBe(1);
  });
});
