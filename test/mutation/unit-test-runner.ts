import { createRequire, registerHooks } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { jestExpect } from '@jest/expect';
import type { InstrumenterContext } from '@stryker-mutator/api/core';
import type { Ignorer, NodePath } from '@stryker-mutator/api/ignore';
import { declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin';
import {
  type DryRunResult,
  DryRunStatus,
  determineHitLimitReached,
  type MutantRunOptions,
  type MutantRunResult,
  type TestResult,
  type TestRunner,
  TestStatus,
  toMutantRunResult,
} from '@stryker-mutator/api/test-runner';
import fc from 'fast-check';
import { pureTests, rulesOf } from './pure-files.ts';

declare global {
  var __stryker__: InstrumenterContext;
}

/**
 * Lets Stryker run the tests of pure files in its own process, in milliseconds each. To Stryker
 * one file is one test: it loads all that it stands on anew, so tables that a module makes when
 * it is loaded are mutated and covered like the rest, and of the files that reach a mutant its own come first.
 */
class UnitTestRunner implements TestRunner {
  capabilities() {
    return { reloadEnvironment: true };
  }

  async dryRun(): Promise<DryRunResult> {
    globalThis.__stryker__ ??= {};
    const tests: TestResult[] = [];
    for (const test of pureTests()) tests.push(await runFile(test));
    const { mutantCoverage } = globalThis.__stryker__;
    return { status: DryRunStatus.Complete, tests, ...(mutantCoverage && { mutantCoverage }) };
  }

  async mutantRun({ activeMutant, sandboxFileName, testFilter = pureTests(), hitLimit }: MutantRunOptions): Promise<MutantRunResult> {
    globalThis.__stryker__ = { activeMutant: activeMutant.id, ...(hitLimit !== undefined && { hitCount: 0, hitLimit }) };
    const isOwn = (test: string) => rulesOf(test).some((rules) => resolve(rules) === sandboxFileName);
    const tests: TestResult[] = [];
    for (const test of testFilter.toSorted((a, b) => Number(isOwn(b)) - Number(isOwn(a)))) {
      const result = await runFile(test);
      tests.push(result);
      if (result.status === TestStatus.Failed) break;
    }
    const { hitCount } = globalThis.__stryker__;
    return toMutantRunResult(determineHitLimitReached(hitCount, hitLimit) ?? { status: DryRunStatus.Complete, tests });
  }
}

/**
 * Passes over parts of schemas, for what parses and what does not is tested where requests, replies and
 * items are read, and over what errors say to people.
 */
class WordingIgnorer implements Ignorer {
  shouldIgnore({ node: { callee }, parent, key }: Path): string | undefined {
    if (callee?.object?.name === 'z' && !ruled.has(callee.property?.name ?? '')) return 'a schema';
    const told = parent?.callee?.name ?? parent?.callee?.property?.name;
    return (told === 'AppError' || told === 'refine') && key === 1 ? 'a message' : undefined;
  }
}

interface Call {
  callee?: { name?: string; object?: { name?: string }; property?: { name?: string } };
}

/** What of Babel's paths tells a schema or a message. */
interface Path extends NodePath {
  node: Call;
  parent?: Call;
  key: string | number | null;
}

/** Calls of zod that take rules of ours. */
const ruled = new Set(['check', 'overwrite', 'pipe', 'refine', 'superRefine', 'transform']);

export const strykerPlugins = [
  declareClassPlugin(PluginKind.TestRunner, 'unit', UnitTestRunner),
  declareClassPlugin(PluginKind.Ignore, 'wording', WordingIgnorer),
];

const root = pathToFileURL(`${process.cwd()}/`).href;
const isOwnCode = (url: string) => url.startsWith(root) && !url.includes('/node_modules/');

registerHooks({
  resolve(specifier, context, next) {
    const [run] = /\?run=\d+$/.exec(context.parentURL ?? '') ?? [];
    if (run === undefined) return next(specifier, context);
    if (specifier === '@jest/globals') return { url: 'jest-globals:', format: 'module', shortCircuit: true };
    const resolved = next(specifier, context);
    return isOwnCode(resolved.url) ? { ...resolved, url: resolved.url + run } : resolved;
  },
  load(url, context, next) {
    if (url !== 'jest-globals:') return next(url, context);
    const source = `export const { ${Object.keys(globals)} } = globalThis[Symbol.for('globals of tests')];`;
    return { source, format: 'module', shortCircuit: true };
  },
});

// The first failure is enough, no property looks for the smallest, and what one run kills the next kills too.
fc.configureGlobal({ endOnFailure: true, seed: 1 });

const require = createRequire(import.meta.url);
const circus = require('jest-circus');
const { describe, test, it, beforeAll, beforeEach, afterAll, afterEach } = circus;
const globals = { describe, test, it, beforeAll, beforeEach, afterAll, afterEach, expect: jestExpect };
Object.assign(globalThis, { [Symbol.for('globals of tests')]: globals });
let runs = 0;

async function runFile(file: string): Promise<TestResult> {
  const begun = performance.now();
  runs += 1;
  globalThis.__stryker__.currentTestId = file;
  circus.resetState();
  const failure = await failureOf(`${pathToFileURL(resolve(file)).href}?run=${runs}`);
  Reflect.deleteProperty(globalThis.__stryker__, 'currentTestId');
  const result = { id: file, name: file, fileName: resolve(file), timeSpentMs: performance.now() - begun };
  return failure === undefined
    ? { ...result, status: TestStatus.Success }
    : { ...result, status: TestStatus.Failed, failureMessage: failure };
}

async function failureOf(url: string): Promise<string | undefined> {
  try {
    await import(url);
    const { testResults, unhandledErrors } = await circus.run();
    return [...unhandledErrors, ...testResults.flatMap(({ errors }: { errors: string[] }) => errors)][0];
  } catch (error) {
    return String(error);
  }
}
