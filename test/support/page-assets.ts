import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { assetNames as consoleNames, readConsoleAssets } from '../../functions/console/assets.ts';
import { assetNames, readPageAssets } from '../../functions/pages/assets/assets.ts';
import { buildPageAssets } from '../../infra/bundles/bundle-page-assets.ts';

/**
 * As the folder of the code of `pages` once it is built, with its assets made from the sources as they are now; and of
 * `console`, whose assets, which take longer to make, are here no more than their names.
 */
export const pagesFolder = join(import.meta.dirname, '..', '..', 'build', 'pages');

const assets = join(pagesFolder, 'assets');
mkdirSync(assets, { recursive: true });
// Other workers read and write them too, and write the same.
const made = mkdtempSync(join(pagesFolder, 'made-'));
await buildPageAssets(made);
const consoleOnly = consoleNames.filter((name) => !assetNames.some((other) => other === name));
for (const name of consoleOnly) writeFileSync(join(made, name), `/* ${name} */`);
for (const name of [...assetNames, ...consoleOnly]) renameSync(join(made, name), join(assets, name));
rmSync(made, { recursive: true });

export const pageAssets = readPageAssets(assets);
export const consoleAssets = readConsoleAssets(assets);
