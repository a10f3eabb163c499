import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The files that a test is about: those of rules that it imports itself. */
export const rulesOf = (test: string) =>
  [...readFileSync(test, 'utf8').matchAll(/ from '(\.[^']*)'/g)]
    .map(([, path]) => join(test, '..', path ?? ''))
    .filter((file) => /^(shared|functions\/pages\/browser)\//.test(file));

/** The tests that need no engine and are about rules: those of `shared/`, and those of the scripts of pages. */
export const pureTests = () =>
  [...globSync('test/unit/**/*.test.ts').toSorted(), 'test/model/payment-facts.test.ts'].filter((test) => rulesOf(test).length > 0);

/** The files that those tests are about. */
export const pureFiles = () => [...new Set(pureTests().flatMap(rulesOf))].toSorted();
