import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { assetNames, assetSources } from '../../functions/pages/assets/assets.ts';
import { browserOptions } from './browser-options.ts';

const browser = join(import.meta.dirname, '..', '..', 'functions', 'pages', 'browser');

/** Writes what browsers load of the pages into `folder`, made from functions/pages/browser: what functions/pages serves. */
export async function buildPageAssets(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  await Promise.all(assetNames.map(async (name) => writeFileSync(join(folder, name), (await textOf(assetSources[name])).trim())));
}

/** What a browser loads of one of the sources. */
async function textOf(source: string): Promise<string> {
  const entry = join(browser, source);
  if (source.endsWith('.svg')) return readFileSync(entry, 'utf8');
  const { outputFiles } = await build({ ...browserOptions, entryPoints: [entry], write: false });
  return outputFiles[0]?.text ?? '';
}
