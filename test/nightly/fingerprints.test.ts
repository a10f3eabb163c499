import { appendFileSync, cpSync, existsSync, globSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { temporaryFolder } from '../support/scenes/stack.ts';
import { coveredBy, fingerprintsNow, notePassed, project, staleTests } from './fingerprints.ts';
import { nightlyTests } from './nightly-tests.ts';

const names = Object.keys(nightlyTests);
const covered = new Set(Object.entries(nightlyTests).flatMap(([name, nightlyTest]) => coveredBy(name, nightlyTest)));

test.each(Object.entries(nightlyTests))('%s is a test, and each of its patterns finds a file', (name, { covers }) => {
  expect(existsSync(join(project, `${name}.test.ts`))).toBe(true);
  expect(covers.filter((pattern) => globSync(pattern, { cwd: project }).length === 0)).toEqual([]);
});

describe('a copy of what the nightly tests cover', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  beforeEach(async () => {
    folder = await temporaryFolder();
    for (const file of covered) cpSync(file, file.replace(project, folder.path));
    cpSync(join(project, 'test/nightly'), join(folder.path, 'test/nightly'), { recursive: true });
    notePassed(fingerprintsNow(folder.path), folder.path);
  });
  afterEach(() => folder.remove());
  const inCopy = (path: string) => join(folder.path, path);

  test('has the fingerprints of the project, and nothing to run', () => {
    expect(fingerprintsNow(folder.path)).toEqual(fingerprintsNow());
    expect(staleTests(folder.path)).toEqual([]);
  });

  test('without what was written down has everything to run', () => {
    rmSync(inCopy('test/nightly/passed.json'));
    expect(staleTests(folder.path)).toEqual(names);
  });

  test.each([
    ['infra/documents/clients/license_client.go', ['test/clients/go', 'test/clients/sample-apps']],
    ['test/clients/drivers/rust/main.rs', ['test/clients/rust']],
    ['test/local/rotation.test.ts', ['test/local/rotation']],
    ['infra/commands/ops/restore.md', ['test/local/restore']],
  ])('has to run what covers %s when that has changed, until it passes', (path, expected) => {
    appendFileSync(inCopy(path), '\n');
    expect(staleTests(folder.path)).toEqual(expected);
    const now = fingerprintsNow(folder.path);
    notePassed(Object.fromEntries(expected.map((name) => [name, now[name] ?? ''])), folder.path);
    expect(staleTests(folder.path)).toEqual([]);
  });

  test('has to run it too when a file is added, renamed or removed', () => {
    const [added, renamed] = [inCopy('shared/crypto/added.ts'), inCopy('shared/crypto/renamed.ts')];
    writeFileSync(added, '');
    expect(staleTests(folder.path)).toEqual(['test/integration/operations/secrets', 'test/local/rotation']);
    notePassed(fingerprintsNow(folder.path), folder.path);
    renameSync(added, renamed);
    expect(staleTests(folder.path)).toEqual(['test/integration/operations/secrets', 'test/local/rotation']);
    notePassed(fingerprintsNow(folder.path), folder.path);
    rmSync(renamed);
    expect(staleTests(folder.path)).toEqual(['test/integration/operations/secrets', 'test/local/rotation']);
  });

  test('has to run again what passed before the change', () => {
    const before = fingerprintsNow(folder.path);
    appendFileSync(inCopy('infra/documents/clients/license_client.py'), '\n');
    notePassed(before, folder.path);
    expect(staleTests(folder.path)).toEqual(['test/clients/python', 'test/clients/sample-apps']);
  });
});
