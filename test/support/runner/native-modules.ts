import { createRequire, registerHooks } from 'node:module';
import { relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { replaceChance, seedProcess } from './seeded-process.ts';

replaceChance();

/**
 * Runs test files by jest-circus, on modules that Node itself loads: once for a worker, but what
 * belongs to one test file. See "How a file is run" in test/running.md.
 */
interface Runtime {
  requireModuleOrMock(from: string, name: string): Record<string, unknown>;
}

const root = new URL('../../../', import.meta.url).href;
/** Tests and their scenes hold what a file's own hooks and expectations change; a start reads the environment when it is loaded. */
const ofOneFile = [/^test\/(?!support\/)/, /^test\/support\/(scenes|http)\//, /^test\/support\/golden\.ts$/, /^build\/starts\//];
const isOfOneFile = (url: string) => url.startsWith(root) && ofOneFile.some((pattern) => pattern.test(url.slice(root.length)));

/** What `@jest/globals` exports to the files of a run. */
const globalsOf = new Map<string, Record<string, unknown>>();
const place = Symbol.for('globals of each run');
Object.assign(globalThis, { [place]: globalsOf });

registerHooks({
  resolve(specifier, context, next) {
    const [run] = /\?run=\d+$/.exec(context.parentURL ?? '') ?? [];
    if (run === undefined) return next(specifier, context);
    if (specifier === '@jest/globals') return { url: `jest-globals:${run}`, format: 'module', shortCircuit: true };
    const resolved = next(specifier, context);
    return isOfOneFile(resolved.url) ? { ...resolved, url: resolved.url + run } : resolved;
  },
  load(url, context, next) {
    const [, run] = /^jest-globals:(.*)/.exec(url) ?? [];
    if (run === undefined) return next(url, context);
    const names = Object.keys(globalsOf.get(run) ?? {});
    const source = `export const { ${names} } = globalThis[Symbol.for('${place.description}')].get('${run}');`;
    return { source, format: 'module', shortCircuit: true };
  },
});

const require = createRequire(import.meta.url);
const { default: runCircus } = require('jest-circus/runner');
let runs = 0;

export default async function runFile(globalConfig: unknown, config: unknown, environment: unknown, runtime: Runtime, ...rest: unknown[]) {
  const [testPath] = rest as [string];
  seedProcess((globalConfig as { seed: number }).seed, relative(fileURLToPath(root), testPath));
  runs += 1;
  const run = `?run=${runs}`;
  Object.assign(runtime, {
    // Loaded anew, since it holds the tests of one file.
    requireInternalModule(path: string) {
      delete require.cache[path];
      return require(path);
    },
    unstable_shouldLoadAsEsm: () => true,
    async unstable_importModule(path: string) {
      globalsOf.set(run, runtime.requireModuleOrMock(testPath, '@jest/globals'));
      await import(pathToFileURL(path).href + run);
    },
  });
  return runCircus(globalConfig, config, environment, runtime, ...rest);
}
