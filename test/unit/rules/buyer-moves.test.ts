import { describe, expect, test } from '@jest/globals';
import { newId } from '../../../shared/ids.ts';
import { type BuyerMoves, movesLeft, noBuyerMoves, withFreedSeat, withReplacedKey } from '../../../shared/licenses/buyers/buyer-moves.ts';

const now = new Date('2026-03-31T00:00:00.000Z');
const daysAgo = (days: number) => new Date(now.getTime() - days * 24 * 3600_000).toISOString();
const released = (...days: number[]): BuyerMoves => ({ ...noBuyerMoves(newId('license')), releasedAt: days.map(daysAgo), revision: 3 });

describe('the moves of a buyer', () => {
  test.each([
    ['none', [], 5, undefined],
    ['one', [3], 4, daysAgo(3 - 30)],
    ['some, in whatever order they were recorded', [3, 20, 7], 2, daysAgo(20 - 30)],
    ['as many as there are', [1, 2, 3, 4, 5], 0, daysAgo(5 - 30)],
    ['more than there are', [1, 2, 3, 4, 5, 6, 7], 0, daysAgo(7 - 30)],
    ['some that are over', [31, 40, 2], 4, daysAgo(2 - 30)],
    ['one that is over at this moment', [30, 2], 4, daysAgo(2 - 30)],
    ['one that is over in a moment', [30 - 2e-8, 2], 3, daysAgo(-2e-8)],
    ['some that are all over', [30, 31], 5, undefined],
  ])('after %s', (_, days, left, resetAt) => {
    expect(movesLeft(released(...days), 5, now)).toEqual({ movesLeft: left, ...(resetAt && { movesResetAt: resetAt }) });
  });

  test('are none where none are granted', () => {
    expect(movesLeft(noBuyerMoves(newId('license')), 0, now)).toEqual({ movesLeft: 0 });
    expect(() => withFreedSeat(released(), 0, now)).toThrow(expect.objectContaining({ code: 'moves_exhausted' }));
  });

  test('gain a release, keep those that count and forget the others', () => {
    const before = { ...released(31, 30, 29), keyReplacedAt: daysAgo(40) };
    expect(withFreedSeat(before, 2, now)).toEqual({ ...before, releasedAt: [daysAgo(29), daysAgo(0)] });
    expect(() => withFreedSeat(before, 1, now)).toThrow(expect.objectContaining({ code: 'moves_exhausted' }));
  });

  test('gain no move by a replaced key, which is possible once in 30 days', () => {
    const before = released(1, 2, 3, 4, 5);
    const after = withReplacedKey(before, now);
    expect(after).toEqual({ ...before, keyReplacedAt: now.toISOString() });
    for (const days of [0, 1, 29]) {
      const recently = { ...before, keyReplacedAt: daysAgo(days) };
      expect(() => withReplacedKey(recently, now)).toThrow(expect.objectContaining({ code: 'moves_exhausted' }));
    }
    expect(withReplacedKey({ ...before, keyReplacedAt: daysAgo(30) }, now)).toEqual(after);
  });
});
