import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { bundlePageAssets } from '../../infra/bundles/bundle-page-assets.ts';

test('the generated assets are those of the sources (else run: npm run assets)', async () => {
  const committed = readFileSync(new URL('../../functions/pages/assets/generated-assets.ts', import.meta.url), 'utf8');
  // Not compared as texts: a difference would print all of both.
  expect(committed === (await bundlePageAssets())).toBe(true);
});
