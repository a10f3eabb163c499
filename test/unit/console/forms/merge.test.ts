import { isDeepStrictEqual as equal } from 'node:util';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { mergeEdit } from '../../../../functions/console/browser/forms/merge.ts';
import type { Value, Values } from '../../../../functions/console/browser/forms/values.ts';
import { tries } from '../../../support/depth.ts';

/** Few values, so that sides often agree. */
const value: fc.Arbitrary<Value> = fc.oneof(
  fc.constantFrom('', 'a', 'b'),
  fc.boolean(),
  fc.array(fc.constantFrom('x', 'y'), { maxLength: 2 }),
  fc.dictionary(fc.constantFrom('ja:x', 'en:x'), fc.constantFrom('1', '2'), { maxKeys: 2, noNullPrototype: true }),
);
const fields = ['name', 'price_amount', 'features', 'feature_labels'];
const side = fc
  .tuple(value, value, value, value)
  .map((values): Values => Object.fromEntries(fields.map((field, at) => [field, values[at]!])));

test('each field becomes what one side, or both alike, made of it, and stays mine where they differ', () => {
  fc.assert(
    fc.property(side, side, side, (base, mine, theirs) => {
      const merged = mergeEdit({ base, mine, theirs });
      const open = new Map(merged.conflicts.map((conflict) => [conflict.field, conflict]));
      for (const field of fields) {
        const [old, own, other] = [base[field], mine[field], theirs[field]];
        const isConflict = !equal(own, old) && !equal(other, old) && !equal(own, other);
        const conflict = isConflict ? { field, base: old, theirs: other, mine: own } : undefined;
        expect([open.get(field), merged.values[field]]).toEqual([conflict, equal(own, old) ? other : own]);
      }
    }),
    { numRuns: tries(500) },
  );
});

test('what was merged merges again to the same', () => {
  fc.assert(
    fc.property(side, side, side, (base, mine, theirs) => {
      const { values } = mergeEdit({ base, mine, theirs });
      expect(mergeEdit({ base: theirs, mine: values, theirs })).toEqual({ values, conflicts: [] });
    }),
    { numRuns: tries(200) },
  );
});

test('own values that are spelled otherwise there count as saved', () => {
  const alike = (_: string, one: unknown, other: unknown) => String(one).trim() === String(other).trim();
  const merged = mergeEdit({ base: { features: 'a' }, mine: { features: 'a\nb\n' }, theirs: { features: 'a\nb' } }, alike);
  expect(merged).toEqual({ values: { features: 'a\nb' }, conflicts: [] });
});
