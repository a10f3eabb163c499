import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

// Names what failed in a run, by what jest wrote of it, and closes it with how many passed and failed.
const { testResults = [], ...counts } = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8') || '{}');

for (const { name, status, message, assertionResults } of testResults.filter(({ status }) => status === 'failed')) {
  const titles = assertionResults.filter((test) => test.status === 'failed').map(({ fullName }) => fullName);
  for (const title of titles.length > 0 ? titles : [`${status}: ${message.split('\n', 1)}`]) console.log(`${relative('', name)}: ${title}`);
}
const { numPassedTests = 0, numFailedTests = 0, numRuntimeErrorTestSuites = 1, numPendingTests = 0, numTodoTests = 0 } = counts;
const skipped = numPendingTests + numTodoTests;
if (skipped > 0) console.log(`${skipped} skipped, and so failed: here nothing may be left out.`);
// A file that could not be run at all has no test that failed.
console.log(`${numPassedTests} passed, ${numFailedTests + numRuntimeErrorTestSuites + skipped} failed`);
