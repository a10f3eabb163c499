import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** Where rules are: what nouns decide, the form of license keys, and what the scripts of pages do. What all stand on, and texts, have mutants by hand. */
const rooms =
  /^(shared\/(sellers|products|product-files|orders|licenses|leases|payments|webhook-endpoints|overview|releases|updates)\/|shared\/text\/license-key\.ts$|functions\/pages\/browser\/)/;
/** What unit tests use and do not test: it is tested where requests, events and items are read, and has its mutants by hand. */
const testedElsewhere =
  /^(parse-event|new-license|buyer-email|product|product-file|public-product|purchase|sensitive-reason|artifact|lease|release|update-ticket)\.ts$/;

/** The files that a test is about: those of rules that it imports itself. */
export const rulesOf = (test: string) =>
  [...readFileSync(test, 'utf8').matchAll(/ from '(\.[^']*)'/g)]
    .map(([, path]) => join(test, '..', path ?? ''))
    .filter((file) => rooms.test(file) && !testedElsewhere.test(basename(file)));

/** Properties that need no engine either, and compare a rule with a reference. */
const references = ['test/model/overview.test.ts', 'test/model/payment-facts.test.ts'];

/** The tests that need no engine and are about rules: those of `shared/`, and those of the scripts of pages. */
export const pureTests = () => [...globSync('test/unit/**/*.test.ts').toSorted(), ...references].filter((test) => rulesOf(test).length > 0);

/** The files that those tests are about. */
export const pureFiles = () => [...new Set(pureTests().flatMap(rulesOf))].toSorted();
