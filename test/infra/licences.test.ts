import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { bindingLicences } from '../support/licences/licences.ts';

const lockOf = (license: string | undefined, name = 'some-package', change: object = { dev: true }) => ({
  packages: { '': { license: 'UNLICENSED' }, [`node_modules/${name}`]: { ...(license !== undefined && { license }), ...change } },
});
const found = (...lock: Parameters<typeof lockOf>) => bindingLicences(lockOf(...lock), () => undefined);

describe('the licence of a package', () => {
  test.each([
    'MIT',
    'Apache-2.0',
    'Apache-2.0 AND MIT',
    '(MIT OR GPL-3.0-or-later)',
    '(GPL-2.0-only OR MIT)',
    '(MIT AND (BSD-3-Clause OR LGPL-3.0-only))',
    'GPL-2.0-only AND AGPL-3.0-only OR ISC',
  ])('may be %s', (license) => {
    expect(found(license)).toEqual([]);
  });

  test.each([
    ...['GPL-2.0-only', 'GPL-3.0-or-later', 'AGPL-3.0-or-later', 'LGPL-2.1', 'MPL-2.0', 'EPL-2.0', 'EUPL-1.2', 'CC-BY-SA-4.0'],
    ...['SSPL-1.0', 'BUSL-1.1', 'UNLICENSED', 'SEE LICENSE IN LICENSE.md', ''],
    ...['MIT AND GPL-3.0-only', '(MIT OR Apache-2.0) AND AGPL-3.0-only', '(MIT', 'MIT)', 'MIT Apache-2.0'],
    'GPL-2.0-only WITH Classpath-exception-2.0',
  ])('is named when it is %s', (license) => {
    expect(found(license)).toEqual([`some-package: ${license}`]);
  });

  test('is read from the package where the lock file has none', () => {
    expect(bindingLicences(lockOf(undefined), () => 'AGPL-3.0-only')).toEqual(['some-package: AGPL-3.0-only']);
    expect(bindingLicences(lockOf(undefined), () => 'MIT')).toEqual([]);
    expect(found(undefined)).toEqual(['some-package: no licence']);
    expect(found(undefined, 'for-other-machines', { optional: true })).toEqual([]);
    expect(found('AGPL-3.0-only', 'for-other-machines', { optional: true })).toEqual(['for-other-machines: AGPL-3.0-only']);
  });

  test('is named by the package, wherever it is installed', () => {
    expect(found('GPL-3.0-only', 'outer/node_modules/@some/inner')).toEqual(['@some/inner: GPL-3.0-only']);
  });

  test('may bind changes of a tool that tests alone run', () => {
    expect(found('MPL-2.0', 'axe-core')).toEqual([]);
    expect(found('MPL-2.0', 'axe-core', {})).toEqual(['axe-core: MPL-2.0']);
    expect(found('AGPL-3.0-only', 'axe-core')).toEqual(['axe-core: AGPL-3.0-only']);
  });
});

const root = join(import.meta.dirname, '..', '..');
const ours = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));

test('npm run licences fails for what is not permissive in a lock file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'licences-'));
  const packages = { ...ours.packages, 'node_modules/copyleft': { version: '1.0.0', license: 'AGPL-3.0-or-later' } };
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ ...ours, packages }));
  const script = join(root, 'test', 'support', 'licences', 'check-licences.ts');
  const check = promisify(execFile)(process.execPath, [script], { cwd: folder, env: { ...process.env, NODE_OPTIONS: '' } });
  await expect(check).rejects.toMatchObject({ code: 1, stderr: expect.stringMatching(/:\ncopyleft: AGPL-3.0-or-later\n$/) });
});
