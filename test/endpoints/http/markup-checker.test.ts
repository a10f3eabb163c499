import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { everyMarkup } from '../../support/scenes/pages/every-markup.ts';

const hasJava = spawnSync('java', ['-version']).status === 0;
/** A page has a heading for each of its states, of which one is seen; what a mail is about stands in its subject. */
const ofHeadings = '.*(top-level heading|heading level of 1).*';

(hasJava ? test : test.skip)('the W3C’s checker finds nothing in any page or mail', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'markup-'));
  for (const [name, markup] of await everyMarkup()) writeFileSync(join(folder, `${name.replace(/[ /?]+/g, '-')}.html`), markup);
  const checker = createRequire(import.meta.url).resolve('vnu-jar/build/dist/vnu.jar');
  const { stdout, status } = spawnSync('java', ['-jar', checker, '--stdout', '--filterpattern', ofHeadings, folder], { encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  expect([stdout, status]).toEqual(['', 0]);
});
