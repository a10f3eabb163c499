import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, globSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { temporaryFolder } from '../support/scenes/stack.ts';
import { changedFiles, nearestTests } from './nearest-tests.ts';
import { nightlyTests } from './nightly-tests.ts';
import { project, readProject, reads } from './reach.ts';
import { fingerprintsNow, notePassed, staleTests } from './record.ts';

test.each(Object.entries(nightlyTests))('%s is a test, and each of its patterns finds a file', (name, { covers }) => {
  expect(existsSync(join(project, `${name}.test.ts`))).toBe(true);
  expect(covers.filter((pattern) => globSync(pattern, { cwd: project }).length === 0)).toEqual([]);
});

test('each module whose reads are told is there, and each of its patterns finds a file', () => {
  const told = Object.entries(reads).flatMap(([path, patterns]) => [path, ...patterns]);
  expect(told.filter((pattern) => globSync(pattern, { cwd: project }).length === 0)).toEqual([]);
});

describe('what a file of tests reaches', () => {
  const { reachOf } = readProject();

  test.each([
    ['test/unit/products/slug.test.ts', ['shared/products/slug.ts'], 'shared/db/keys.ts'],
    ['test/unit/console/words.test.ts', ['functions/console/browser/words/states.ts', 'functions/licenses/routes.ts'], undefined],
    [
      'test/endpoints/licenses.test.ts',
      ['functions/licenses/validate-license.ts', 'shared/db/keys.ts', 'infra/stacks/data-stack.ts'],
      'infra/app.ts',
    ],
    ['test/infra/templates.test.ts', ['infra/service.ts', 'functions/licenses/routes.ts'], undefined],
    ['test/e2e/stories.test.ts', ['functions/pages/browser/tsconfig.json', 'package.json', 'README.md'], undefined],
  ])('%s: by its imports, and by what they read', (path, reached, without) => {
    const reach = reachOf(path);
    expect(reached.filter((other) => !reach.includes(other))).toEqual([]);
    expect(reach.filter((other) => other === without)).toEqual([]);
    expect(reach.filter((other) => other.endsWith('.test.ts'))).toEqual([path]);
  });
});

describe('a small project', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let record: string;
  const inFolder = (path: string) => join(folder.path, path);
  const stale = () => staleTests(fingerprintsNow(folder.path), record);
  function pass(now = fingerprintsNow(folder.path), paths = Object.keys(now)) {
    notePassed(Object.fromEntries(paths.map((path) => [path, now[path] ?? ''])), now, record);
  }

  beforeEach(async () => {
    folder = await temporaryFolder();
    record = inFolder('kept/passed.json');
    const files = {
      'package-lock.json': '{}',
      'shared/slug.ts': 'export const slug = 1;',
      'shared/mail.ts': "export { slug as mail } from './slug.ts';",
      'test/golden/mail.en.txt': 'Hello',
      'test/support/golden.ts': 'export const golden = import.meta.dirname;',
      'test/slug.test.ts': "import { slug } from '../shared/slug.ts'; slug;",
      'test/mail.test.ts': "import { mail } from '../shared/mail.ts'; import { golden } from './support/golden.ts'; mail; golden;",
      'test/readmes.test.ts': 'process.cwd();',
      'test/clients/go.test.ts': "import '../../shared/slug.ts';",
      'infra/documents/clients/license_client.go': 'package licenses',
    };
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(inFolder(path)), { recursive: true });
      writeFileSync(inFolder(path), text);
    }
    pass();
  });
  afterEach(() => folder.remove());

  test('has nothing to run once all has passed, and everything without what was written down', () => {
    expect(stale()).toEqual([]);
    rmSync(record);
    expect(stale()).toEqual(['test/clients/go.test.ts', 'test/mail.test.ts', 'test/readmes.test.ts', 'test/slug.test.ts']);
  });

  test.each([
    ['an import', 'shared/mail.ts', ['mail', 'readmes']],
    ['an import of an import', 'shared/slug.ts', ['mail', 'readmes', 'slug']],
    ['what an import reads', 'test/golden/mail.en.txt', ['mail', 'readmes']],
    ['itself', 'test/slug.test.ts', ['slug']],
    ['what a nightly test judges', 'infra/documents/clients/license_client.go', ['clients/go', 'readmes']],
    ['packages', 'package-lock.json', ['clients/go', 'mail', 'readmes', 'slug']],
  ])('has to run again after a change what reaches it as %s, until it passes', (_, path, expected) => {
    const before = fingerprintsNow(folder.path);
    appendFileSync(inFolder(path), '\n');
    const names = expected.map((name) => `test/${name}.test.ts`);
    expect(stale()).toEqual(names);
    pass(before);
    expect(stale()).toEqual(names);
    pass(fingerprintsNow(folder.path), names);
    expect(stale()).toEqual([]);
  });

  test('has for a quick look the tests that are nearest to what differs from main', () => {
    const git = (...args: string[]) => execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x', ...args], { cwd: folder.path });
    expect(changedFiles(folder.path)).toBeUndefined();
    git('init', '-q', '-b', 'main');
    git('add', '.');
    git('commit', '-qm', 'Begin');
    expect(changedFiles(folder.path)).toEqual([]);
    git('switch', '-qc', 'other');
    appendFileSync(inFolder('shared/slug.ts'), '\n');
    git('commit', '-qam', 'Change');
    writeFileSync(inFolder('shared/new.ts'), '');
    expect(changedFiles(folder.path)).toEqual(['shared/slug.ts', 'shared/new.ts']);

    const tests = ['mail', 'readmes', 'slug'].map((name) => `test/${name}.test.ts`);
    const nearestTo = (...changed: string[]) => nearestTests(tests, changed, folder.path);
    expect(nearestTo()).toEqual([]);
    expect(nearestTo('shared/slug.ts')).toEqual(['test/slug.test.ts', 'test/mail.test.ts']);
    expect(nearestTo('shared/mail.ts')).toEqual(['test/mail.test.ts']);
    expect(nearestTo('test/golden/mail.en.txt', 'test/readmes.test.ts')).toEqual(['test/readmes.test.ts', 'test/mail.test.ts']);
    for (let number = 0; number < 6; number += 1) {
      tests.push(`test/${number}.test.ts`);
      writeFileSync(inFolder(tests.at(-1) ?? ''), "import '../shared/slug.ts';");
    }
    expect(nearestTo('shared/slug.ts')).toEqual(['test/slug.test.ts', ...tests.slice(3, 8)]);
  });

  test('has to run it too when a file is added, renamed or removed', () => {
    const [added, renamed] = [inFolder('test/golden/added.txt'), inFolder('test/golden/renamed.txt')];
    for (const change of [() => writeFileSync(added, ''), () => renameSync(added, renamed), () => rmSync(renamed)]) {
      change();
      expect(stale()).toEqual(['test/mail.test.ts', 'test/readmes.test.ts']);
      pass();
    }
  });
});
