import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';

export const project = join(import.meta.dirname, '..', '..');

/**
 * What modules read besides what they import, as glob patterns of files whose imports they reach too. A module that names
 * a place of the repository (`import.meta`, the working directory, what it imports by a computed name) and does not stand
 * here may read all of it.
 */
export const reads: Readonly<Record<string, readonly string[]>> = {
  'functions/console/parts.ts': ['functions/console/browser/**'],
  'functions/docs/parts.ts': ['infra/documents/**'],
  'functions/file-hasher/encode-picture.ts': ['functions/file-hasher/picture-thread.ts'],
  'functions/pages/parts.ts': ['functions/pages/browser/**'],
  'infra/bundles/bundle-console-assets.ts': ['functions/console/browser/**'],
  'infra/bundles/bundle-page-assets.ts': ['functions/pages/browser/**'],
  'infra/bundles/find-functions.ts': ['functions/*/{declaration,routes}.ts'],
  'infra/bundles/write-start.ts': ['functions/*/{compose,declaration,parts}.ts'],
  'infra/documents/clients/license-client.ts': [],
  'infra/documents/openapi/find-endpoints.ts': ['{functions,shared}/**/*.ts'],
  'infra/documents/site/build-site.ts': ['infra/documents/**'],
  'infra/documents/site/languages.ts': ['infra/documents/{clients,samples}/*'],
  'infra/documents/site/prose.ts': ['infra/documents/docs/**'],
  'infra/local/engines/dynamodb-engine.ts': [],
  'infra/local/lambda/lambda-host.ts': ['infra/local/lambda/lambda-thread.ts'],
  'test/architecture/readme-page.ts': ['{functions,infra,shared}/**/*.md'],
  'test/support/engines/child-process.ts': ['test/support/engines/*-process.ts'],
  'test/support/golden.ts': ['test/golden/**'],
  'test/support/http/browser.ts': [],
  'test/support/in-language.ts': ['functions/console/browser/**'],
  'test/support/interface/conformance.ts': [],
  'test/support/page-assets.ts': [],
  'test/support/provider-schemas/generate-schemas.ts': ['test/support/provider-schemas/*'],
  'test/support/scenes/deployment.ts': ['functions/*/{compose,declaration,parts,routes}.ts'],
  'test/support/scenes/events/hostile-receiver.ts': ['test/fixtures/tls/*'],
  'test/support/http/service.ts': ['functions/*/{compose,declaration,routes}.ts'],
};

/** What the start of a run makes for all, by the variable that leads to it, and of what. */
const madeAtStart = {
  OPENAPI_DOCUMENT: 'infra/documents/openapi/document.ts',
  TEST_TABLE_PROPERTIES: 'infra/stacks/data-stack.ts',
};

/** What any test of any file stands on. */
const foundation = ['.jest.config.mjs', 'package-lock.json', 'test/support/runner/*', 'test/support/engines/{start,stop}-engines.ts'];
const everything = ['*', '.*', '{.ci,.github,events,functions,infra,shared,test}/**'];
const isTest = (path: string) => path.endsWith('.test.ts');
/** Written by runs, or by what they start. */
const isMade = (path: string) => /^(\.git$|test\/artifacts|test\/nightly\/passed\.json)/.test(path);

interface Next {
  imports: readonly string[];
  known: readonly string[];
  possible: readonly string[];
}

/** Tells what files of a project reach, and what that holds. */
export function readProject(root = project) {
  const expand = (patterns: readonly string[]) =>
    globSync([...patterns], { cwd: root, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
      .filter((path) => !isMade(path));
  const tests = expand(['test/**/*.test.ts']).sort();
  const importsOf = findImports(root, expand(['{functions,infra,shared,test}/**/*.{ts,tsx}']));
  const all = () => expand(everything).filter((path) => !isTest(path));
  const hashes = new Map<string, string>();

  /** What a file imports, what it is known to read, and else all that it may read. */
  function nextOf(path: string): Next {
    const imports = importsOf.get(path);
    if (imports === undefined) return { imports: [], known: [], possible: [] };
    const text = readFileSync(join(root, path), 'utf8');
    const made = Object.entries(madeAtStart).flatMap(([variable, maker]) => (text.includes(variable) ? [maker] : []));
    const read = reads[path];
    const namesPlace = /import\.meta|process\.cwd\(\)|\bimport\([^'"]/.test(text);
    return { imports, known: [...made, ...(read ? expand(read) : [])], possible: namesPlace && !read ? all() : [] };
  }
  const nexts = new Map<string, Next>();
  const cachedNext = (path: string) => {
    const next = nexts.get(path) ?? nextOf(path);
    nexts.set(path, next);
    return next;
  };

  /** The files that these lead to by import or by reading, themselves among them. */
  function reachOf(...files: string[]): string[] {
    const reached = new Set(files);
    for (const path of reached) {
      const { imports, known, possible } = cachedNext(path);
      for (const next of [...imports, ...known, ...possible]) reached.add(next);
    }
    return [...reached].sort();
  }

  /** How many imports lead from a file to the nearest of these, a known read counting for five; undefined where none does. */
  function distanceTo(targets: ReadonlySet<string>, from: string): number | undefined {
    const seen = new Set<string>();
    const levels = [[from]];
    for (let distance = 0; distance < levels.length; distance += 1) {
      for (const path of levels[distance] ?? []) {
        if (targets.has(path)) return distance;
        if (seen.has(path)) continue;
        seen.add(path);
        const { imports, known } = cachedNext(path);
        if (imports.length > 0) levels[distance + 1] = [...(levels[distance + 1] ?? []), ...imports];
        if (known.length > 0) levels[distance + 5] = [...(levels[distance + 5] ?? []), ...known];
      }
    }
    return undefined;
  }

  const hashOf = (path: string) => {
    const hash =
      hashes.get(path) ??
      createHash('sha256')
        .update(readFileSync(join(root, path)))
        .digest('hex');
    hashes.set(path, hash);
    return hash;
  };
  return {
    tests,
    expand,
    reachOf,
    distanceTo,
    /** Of the names and bytes of these files, and of what every test stands on. */
    fingerprint(files: readonly string[]): string {
      const hash = createHash('sha256');
      for (const path of new Set([...files, ...expand(foundation)])) hash.update(`${path} ${hashOf(path)}\n`);
      return hash.digest('hex').slice(0, 16);
    },
  };
}

/** What each of these modules imports of the others, as a bundler sees it: types leave nothing. */
function findImports(root: string, paths: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const { metafile } = buildSync({
    absWorkingDir: root,
    stdin: { contents: paths.map((path) => `import './${path}';`).join('\n'), resolveDir: root, loader: 'ts' },
    bundle: true,
    write: false,
    metafile: true,
    outfile: 'unwritten.js',
    platform: 'node',
    format: 'esm',
    jsx: 'automatic',
    packages: 'external',
    external: ['console:*', '*/build/client.ts'],
    treeShaking: false,
    logLevel: 'error',
  });
  const inputs = Object.entries(metafile.inputs);
  return new Map(inputs.map(([path, { imports }]) => [path, imports.filter((each) => !each.external).map((each) => each.path)]));
}
