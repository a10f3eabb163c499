import { mkdirSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { AggregatedResult, Reporter } from '@jest/reporters';
import { languages } from '../../clients/languages/every-language.ts';
import { leftToTheNight, record, spared, sparedBecause } from '../../nightly/choose-tests.ts';
import { notePassed } from '../../nightly/record.ts';
import { hasClamd } from '../engines/clamd.ts';
import { chromiumPath, hasBrowser } from '../http/browser.ts';

const root = new URL('../../../', import.meta.url).pathname;
const artifacts = `${root}test/artifacts/`;
const nameOf = (path: string) => relative(root, path);

/** Ends a run with what took longest and what was left out, and keeps what a failed property needs to be tried again, and which nightly tests passed. */
export default class Report implements Reporter {
  #error: Error | undefined;

  onRunComplete(_: unknown, results: AggregatedResult): void {
    printSlowest(results);
    printFailedProperties(results);
    if (record)
      notePassed(Object.fromEntries(Object.entries(record.now).filter(([path]) => hasPassed(path, results))), record.now, record.file);
    if (spared > 0) console.log(`\n${spared} files are left out: ${sparedBecause}.`);
    if (leftToTheNight.length > 0)
      console.log(`\nLeft to npm run test:nightly: ${leftToTheNight.map((path) => path.replace(/^test\/|\.test\.ts$/g, '')).join(', ')}.`);
    if (results.numPendingTests === 0 || results.testResults.length === 0) return;
    console.log(`\n${reasonOfSkips(results)}${process.env['CI'] ? ' In CI that is a failure.' : ''}`);
    if (process.env['CI']) this.#error = new Error('A test was skipped.');
  }

  getLastError(): Error | undefined {
    return this.#error;
  }
}

/** Whether all tests of this file were run, and none failed. */
function hasPassed(path: string, { testResults }: AggregatedResult): boolean {
  const result = testResults.find(({ testFilePath }) => nameOf(testFilePath) === path);
  if (result === undefined || result.testExecError !== undefined) return false;
  const { numPassingTests, numFailingTests, numPendingTests, numTodoTests } = result;
  return numPassingTests > 0 && numFailingTests + numPendingTests + numTodoTests === 0;
}

function printSlowest({ testResults }: AggregatedResult): void {
  if (testResults.length < 10) return;
  const slowest = testResults.toSorted((a, b) => b.perfStats.runtime - a.perfStats.runtime).slice(0, 10);
  const lines = slowest.map(
    ({ perfStats, testFilePath }) => `${(perfStats.runtime / 1000).toFixed(1).padStart(7)} s  ${nameOf(testFilePath)}`,
  );
  console.log(`\nSlowest files:\n${lines.join('\n')}`);
}

function printFailedProperties({ testResults }: AggregatedResult): void {
  const failed = testResults.flatMap(({ testFilePath, testResults: tests }) =>
    tests.flatMap(({ fullName, failureMessages }) => {
      const [, seed, path] = /\{ seed: (-?\d+), path: "([\d:]+)"/.exec(failureMessages.join('\n')) ?? [];
      return seed === undefined ? [] : [{ file: nameOf(testFilePath), test: fullName, seed: Number(seed), path, failure: failureMessages }];
    }),
  );
  if (failed.length === 0) return;
  mkdirSync(artifacts, { recursive: true });
  writeFileSync(`${artifacts}failed-properties.json`, `${JSON.stringify(failed, undefined, 2)}\n`);
  const lines = failed.map(({ file, test, seed, path }) => `  ${file}: ${test}: { seed: ${seed}, path: "${path}" }`);
  console.log(`\nFailed properties, kept in test/artifacts/failed-properties.json:\n${lines.join('\n')}`);
}

function reasonOfSkips({ numPendingTests }: AggregatedResult): string {
  const missing = [
    ...(hasBrowser
      ? []
      : [`those in a browser, for there is no ${chromiumPath} (Debian: chromium-headless-shell; elsewhere: CHROMIUM_PATH)`]),
    ...(hasClamd ? [] : ['those of a real clamd, for it is not installed (Debian: clamav-daemon)']),
    ...languages
      .filter(({ isInstalled }) => !isInstalled())
      .map(({ name, needs }) => `those of the ${name} client, which cannot be run (Debian: ${needs.join(', ')})`),
  ];
  return `Skipped ${numPendingTests} tests: ${missing.join('; ') || 'only part of a file was asked for'}.`;
}
