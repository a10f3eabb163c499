import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, jest, test } from '@jest/globals';
import { bundleFunctions, discardBundles } from '../../../infra/bundles/bundle-functions.ts';
import { findFunctions } from '../../../infra/bundles/find-functions.ts';
import { bundledFunctions } from '../../support/bundles.ts';
import { operatorSettings } from '../../support/synthesized.ts';

jest.setTimeout(180_000);

function hashOf(folder: string): string {
  const hash = createHash('sha256');
  const files = readdirSync(folder, { withFileTypes: true, recursive: true }).filter((entry) => entry.isFile());
  for (const path of files.map((file) => join(file.parentPath, file.name)).sort())
    hash.update(path.slice(folder.length)).update('\0').update(readFileSync(path));
  return hash.digest('hex');
}

/** With assets, for apps, and for nobody who waits. */
const some = ['docs', 'licenses', 'mail-sender', 'pages'];

test('what is tested at one stage is, byte for byte, what another is deployed from', async () => {
  const tested = (await bundledFunctions()).filter(({ definition }) => some.includes(definition.name));
  const production = { ...operatorSettings, PUBLIC_BASE_URL: 'https://shop.example.com', CLAMD_URL: 'tcp://clamd.internal:3310' };
  Object.assign(process.env, { STAGE: 'production', ...production, BUYER_MOVES: '3' });
  const bundles = await bundleFunctions((await findFunctions()).filter(({ name }) => some.includes(name)));
  const hashes = Object.fromEntries([...bundles].map(([name, { folder }]) => [name, hashOf(folder)]));
  discardBundles(bundles);
  expect(hashes).toEqual(Object.fromEntries(tested.map(({ definition, bundle }) => [definition.name, hashOf(bundle.folder)])));
  expect(Object.keys(hashes).sort()).toEqual(some);
});
