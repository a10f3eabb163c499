import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

// Names what failed in runs, by what jest wrote of each, and closes them with how many passed and failed.
const runs = process.argv.slice(2).map((file) => JSON.parse(readFileSync(file, 'utf8') || '{}'));

for (const { name, status, message, assertionResults } of runs.flatMap(({ testResults = [] }) => testResults)) {
  if (status !== 'failed') continue;
  const titles = assertionResults.filter((test) => test.status === 'failed').map(({ fullName }) => fullName);
  for (const title of titles.length > 0 ? titles : [`${status}: ${message.split('\n', 1)}`]) console.log(`${relative('', name)}: ${title}`);
}
const sum = (countOf) => runs.reduce((total, run) => total + countOf(run), 0);
const skipped = sum(({ numPendingTests = 0, numTodoTests = 0 }) => numPendingTests + numTodoTests);
if (skipped > 0) console.log(`${skipped} skipped, and so failed: here nothing may be left out.`);
// A file that could not be run at all has no test that failed; a run that wrote nothing is one.
const failed = sum(({ numFailedTests = 0, numRuntimeErrorTestSuites = 1 }) => numFailedTests + numRuntimeErrorTestSuites);
console.log(`${sum(({ numPassedTests = 0 }) => numPassedTests)} passed, ${failed + skipped} failed`);
