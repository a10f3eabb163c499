import { writeFileSync } from 'node:fs';
import { bundlePageAssets } from '../bundles/bundle-page-assets.ts';
import { refuseArguments, runCommand } from './command-line.ts';

const usage = `Usage: npm run assets
  Writes functions/pages/assets/generated-assets.ts from functions/pages/browser.
  Run it after a change there; a test says when it was forgotten.`;

await runCommand(usage, async (args) => {
  refuseArguments(args);
  writeFileSync(new URL('../../functions/pages/assets/generated-assets.ts', import.meta.url), await bundlePageAssets());
});
