import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

/**
 * Reads what jest wrote of a run, and of a second try of some files:
 *   results.mjs retry <run>            the failed files that may be tried again, unless another failed too
 *   results.mjs count <run> [<again>]  which of them were flaky, and the closing line
 */
const [command, ...files] = process.argv.slice(2);

/** Browsers and killed processes may be late on a busy machine. Any other file that fails has failed. */
const mayBeLate = /^test\/(e2e\/|local\/life-cycle\.|integration\/(product-files\/(object-store|clamd)|payments\/payment-provider)\.)/;

const read = (file) => JSON.parse(readFileSync(file, 'utf8') || '{}').testResults ?? [];
const [run = [], again = []] = files.map(read);
const nameOf = ({ name }) => relative(process.cwd(), name);
const hasFailed = ({ status }) => status === 'failed';
const count = (results, ...statuses) =>
  results.flatMap(({ assertionResults }) => assertionResults).filter(({ status }) => statuses.includes(status)).length;

if (command === 'retry') {
  const failed = run.filter(hasFailed).map(nameOf);
  if (failed.length > 0 && failed.every((name) => mayBeLate.test(name))) console.log(failed.join('\n'));
} else {
  const second = new Map(again.map((result) => [nameOf(result), result]));
  const last = run.map((result) => second.get(nameOf(result)) ?? result);
  const flaky = again.filter((result) => !hasFailed(result)).map(nameOf);

  // A file that could not be run at all has no test that failed.
  const broken = last.filter((result) => hasFailed(result) && count([result], 'failed') === 0).length;
  const skipped = count(last, 'pending', 'todo', 'skipped', 'disabled');
  const failed = count(last, 'failed') + broken + skipped;
  if (skipped > 0) console.log(`${skipped} skipped, and so failed: here nothing may be left out.`);
  if (flaky.length > 0) console.log(`${flaky.length} flaky: ${flaky.join(', ')}`);
  console.log(`${count(last, 'passed')} passed, ${last.length === 0 ? 1 : failed} failed`);
}
