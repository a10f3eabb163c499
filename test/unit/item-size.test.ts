import { describe, expect, test } from '@jest/globals';
import { attributeBytes } from '../../shared/db/item-size.ts';

describe('what an attribute takes in the table', () => {
  test.each([
    ['', 0],
    ['abc', 3],
    ['写真', 6],
    ['😀', 4],
    ['\u0001"\\', 3],
  ])('of the text %j: %i bytes', (text, bytes) => expect(attributeBytes(text)).toBe(bytes));

  // DynamoDB counts 3 for a list or map, 1 for each element, at most 21 for a number and 1 for a boolean.
  test.each<[unknown, number]>([
    [99_999_999, 21],
    [true, 1],
    [null, 1],
    [[], 3],
    [['ab', 'c'], 3 + 2 + 3],
    [{}, 3],
    [{ 名: 'ab' }, 3 + 1 + 3 + 2],
    [
      { a: { ja: 'あ'.repeat(100), en: 'x' }, b: [{ c: 1 }] },
      3 + (1 + 1 + 3 + (1 + 2 + 300) + (1 + 2 + 1)) + (1 + 1 + 3 + 1 + 3 + 1 + 1 + 1),
    ],
  ])('of %j: at least %i bytes', (value, bytes) => {
    expect(attributeBytes(value)).toBeGreaterThanOrEqual(bytes);
    expect(attributeBytes(value)).toBeLessThanOrEqual(bytes + 21);
  });
});
