import { expect, test } from '@jest/globals';
import { goPaths } from '../bench/requests/paths.ts';

test('every path takes exactly the requests and units of its budget', async () => {
  const gone = await goPaths();
  const byName = (what: 'taken' | 'budget') => gone.map((path) => ({ [path.name]: path[what], answer: path.answer }));
  expect(byName('taken')).toEqual(byName('budget'));
});
