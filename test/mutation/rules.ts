import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { relative } from 'node:path';
import type { MutantResult } from '@stryker-mutator/api/core';
import { runCommand, UsageError } from '../../infra/commands/command-line.ts';
import { describeInterface } from '../support/interface/describe-interface.ts';
import { plant } from './mutant.ts';
import { pureFiles } from './pure-files.ts';
import { readMutants } from './read-mutants.ts';

const excuses = new URL('excused.txt', import.meta.url);

const usage = `Usage: npm run mutation:rules [-- <file>...]
  Lets Stryker change the pure files, or these, in every way it knows, and runs their unit tests.
  Fails when one survives that test/mutation/excused.txt does not excuse, and when what it excuses
  is killed or gone. MUTATION_WORKERS says how many processes it takes.`;

await runCommand(usage, async (wanted) => {
  const files = pureFiles();
  const unknown = wanted.filter((file) => !files.includes(file));
  if (unknown.length > 0) throw new UsageError(`No pure file with tests is called ${unknown.join(', ')}.`);
  await testRules(wanted.length === 0 ? files : wanted);
});

async function testRules(files: readonly string[]): Promise<void> {
  // A rule that is broken shows in few tries.
  process.env['TEST_DEPTH'] ??= '0.2';
  // Unit tests compare words with the description of the interface.
  await describeInterface();
  const { Stryker } = await import('@stryker-mutator/core');
  const stryker = new Stryker({
    mutate: [...files],
    testRunner: 'unit',
    ignorers: ['wording'],
    plugins: [new URL('unit-test-runner.ts', import.meta.url).pathname],
    coverageAnalysis: 'perTest',
    concurrency: Number(process.env['MUTATION_WORKERS'] ?? availableParallelism()),
    // Modules that were loaded are never freed.
    maxTestRunnerReuse: 100,
    timeoutMS: 20_000,
    reporters: ['progress-append-only', 'json'],
    jsonReporter: { fileName: 'test/artifacts/mutation.json' },
    allowConsoleColors: false,
    tempDirName: 'build/stryker',
    ignorePatterns: ['cdk.out', 'build', '.local', 'test/artifacts'],
    // There is no TypeScript here whose interface it knows, and what Node strips needs none.
    tsconfigFile: 'none',
    disableTypeChecks: false,
  });
  report(files, await stryker.runMutationTest());
}

function report(files: readonly string[], results: readonly MutantResult[]): void {
  const excused = readMutants(readFileSync(excuses, 'utf8')).filter(({ place }) => files.includes(place));
  const reasons = new Map(excused.map((excuse) => [likeness(excuse.place, plant(excuse).planted), excuse.fault]));
  // Texts and elements that only Stryker would write are no mistake of anyone.
  const tried = results.filter(({ status, replacement }) => status !== 'Ignored' && !replacement.includes('Stryker was here'));
  const survivors = tried.filter(({ status }) => status === 'Survived' || status === 'NoCoverage').map(describeMutant);
  const unexcused = survivors.filter(({ alike }) => !reasons.has(alike));
  const alive = new Set(survivors.map(({ alike }) => alike));
  const wronglyExcused = [...reasons].filter(([alike]) => !alive.has(alike));

  for (const file of files) {
    const count = (list: readonly { file: string }[]) => list.filter((one) => one.file === file).length;
    const all = count(tried.map(describeMutant));
    console.log(`${file}: ${all - count(survivors)} of ${all} killed, ${count(survivors) - count(unexcused)} excused`);
  }
  for (const { file, line, before, after } of unexcused) console.log(`survived: ${file}:${line}\n- ${before}\n+ ${after}`);
  for (const [, reason] of wronglyExcused) console.log(`excused, but killed or gone: ${reason}`);
  const killed = tried.length - survivors.length;
  console.log(`${killed} of ${tried.length} killed, ${((100 * killed) / tried.length).toFixed(1)} %`);
  if (unexcused.length > 0 || wronglyExcused.length > 0) process.exitCode = 1;
}

/** A mutant with the lines it changes, and what its file is like with it. */
function describeMutant({ fileName, location: { start, end }, replacement }: MutantResult) {
  const file = relative('.', fileName);
  const lines = readFileSync(file, 'utf8').split('\n');
  const [first = '', last = ''] = [lines[start.line - 1], lines[end.line - 1]];
  const after = first.slice(0, start.column - 1) + replacement + last.slice(end.column - 1);
  const mutated = [...lines.slice(0, start.line - 1), after, ...lines.slice(end.line)].join('\n');
  return { file, line: start.line, before: first.trim(), after: after.trim(), alike: likeness(file, mutated) };
}

/** Stryker prints what it changes in a style of its own. */
function likeness(file: string, source: string): string {
  return `${file}\n${source.replace(/[\s;,()]/g, '').replaceAll('"', "'")}`;
}
