import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { itemKindOf, rules } from '../../../infra/commands/ops/check/rules.ts';
import * as keys from '../../../shared/db/keys.ts';
import { startCheckedStack } from './checked-stack.ts';

jest.setTimeout(240_000);

let checked: Awaited<ReturnType<typeof startCheckedStack>>;
beforeAll(async () => {
  checked = await startCheckedStack();
});
afterAll(() => checked.stack.stop());

test('each kind of item has a rule, and is told from every other by its key', () => {
  const isKey = (made: unknown): made is keys.Key => typeof made === 'object' && made !== null && 'pk' in made && 'sk' in made;
  const functions = Object.entries(keys).flatMap(([name, make]): [string, (...ids: string[]) => unknown][] =>
    typeof make === 'function' ? [[name, make as (...ids: string[]) => unknown]] : [],
  );
  const kinds = functions.flatMap(([name, make]): [string, keys.Key][] => {
    // Some take the key, or the item, that another made.
    const made = name === 'jobIdOfKey' ? undefined : make('', '', '');
    return isKey(made) ? [[name, made]] : [];
  });
  expect(Object.keys(rules).sort()).toEqual(kinds.map(([name]) => name).sort());
  for (const [name, key] of kinds) expect(itemKindOf({ ...key })?.name).toBe(name);
});

test('nothing is wrong with what was made through the interface', async () => {
  const { faults, summary } = await checked.check();
  expect(faults).toEqual([]);
  expect(summary.unsettled).toBe(0);
  expect([...summary.counts.values()].reduce((sum, count) => sum + count)).toBe(summary.items);
  expect(summary.counts.size).toBeGreaterThan(30);
  expect(summary.units).toBeGreaterThan(0);
});
