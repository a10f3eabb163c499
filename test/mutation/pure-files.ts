import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const rulesOf = (test: string) =>
  [...readFileSync(test, 'utf8').matchAll(/ from '(\.[^']*)'/g)]
    .map(([, path]) => join(test, '..', path ?? ''))
    .filter((file) => /^(shared|functions\/pages\/browser)\//.test(file));

/** The tests that need no engine and are about rules: files of `shared/`, and what the scripts of pages decide. */
export const pureTests = () =>
  [...globSync('test/unit/**/*.test.ts').toSorted(), 'test/model/payment-facts.test.ts'].filter((test) => rulesOf(test).length > 0);

/** The files that those tests import themselves. */
export const pureFiles = () => [...new Set(pureTests().flatMap(rulesOf))].toSorted();
