import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { readAhead } from '../../../functions/code-importer/read-ahead.ts';

describe('reading ahead', () => {
  test('gives every block in order, and reads one more than the caller has', async () => {
    const read: number[] = [];
    const seen: number[] = [];
    for await (const block of readAhead(3, 7, async (index) => read.push(index) && index)) {
      seen.push(block);
      await turn();
      expect(read).toEqual([3, 4, 5, 6].slice(0, seen.length + 1));
    }
    expect(seen).toEqual([3, 4, 5, 6]);
  });

  test('of no block reads none', async () => {
    const blocks = readAhead(0, 0, () => Promise.reject(new Error('It was read.')));
    expect(await blocks.next()).toEqual({ done: true, value: undefined });
  });

  test('throws a failed read when its block is asked for, and to nobody else', async () => {
    const blocks = readAhead(0, 3, async (index) => {
      if (index === 1) throw new Error('unreadable');
      return index;
    });
    expect((await blocks.next()).value).toBe(0);
    await turn();
    await expect(blocks.next()).rejects.toThrow('unreadable');
    const left = readAhead(1, 3, (index) => (index === 2 ? Promise.reject(new Error('unreadable')) : Promise.resolve(index)));
    for await (const _ of left) break;
    await turn();
  });
});
