import { createHash } from 'node:crypto';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, parse } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { type Locale, locales } from '../../../shared/locale.ts';
import { createOpenApiDocument } from '../openapi/document.ts';
import { toJavaScript } from './javascript.ts';
import { sample } from './languages.ts';
import { type Assets, docsPage, guidePage } from './page.ts';
import { guideNames } from './page-texts.ts';

const browser = join(import.meta.dirname, 'browser');
const clients = join(import.meta.dirname, '..', 'clients');

/** Writes the documentation into `folder`, every file compressed: what functions/docs serves. */
export async function buildDocsSite(folder: string): Promise<void> {
  const [document, guide, reference, docs, viewer] = await Promise.all([
    createOpenApiDocument(),
    assetOf(join(browser, 'guide.js')),
    assetOf(join(browser, 'reference.js')),
    assetOf(join(browser, 'docs.css')),
    assetOf(createRequire(import.meta.url).resolve('swagger-ui-dist/swagger-ui.css'), 'viewer'),
  ]);
  const assets = { guideScript: guide.name, script: reference.name, style: docs.name, viewerStyle: viewer.name };
  const files = {
    'openapi.json': JSON.stringify(document),
    ...Object.fromEntries(locales.flatMap((locale) => pagesIn(locale, assets))),
    ...Object.fromEntries([guide, reference, docs, viewer].map(({ name, text }) => [name, text])),
    ...readClients(),
  };
  mkdirSync(join(folder, 'clients'), { recursive: true });
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, `${name}.gz`), gzipSync(content, { level: 9 }));
}

/** The guides and the reference in a language, by the names of their files. */
const pagesIn = (locale: Locale, assets: Assets): [string, string][] => [
  [`index.${locale}.html`, docsPage(assets, locale).toString()],
  ...guideNames.map((name): [string, string] => [`${name}.${locale}.html`, guidePage(assets, locale, name).toString()]),
];

/** What is served beside the clients: how a build machine hands in a release. */
const forBuilds = ['release.sh', 'release.yml'];

/** The license clients as authors copy them; the one in TypeScript also as JavaScript. */
function readClients(): Record<string, string> {
  const names = globSync('*', { cwd: clients }).sort();
  const sources = Object.fromEntries(names.map((name) => [`clients/${name}`, readFileSync(join(clients, name), 'utf8')]));
  for (const name of forBuilds) sources[`clients/${name}`] = sample(name);
  return { ...sources, 'clients/license-client.js': toJavaScript(readFileSync(join(clients, 'license-client.ts'), 'utf8')) };
}

/** A script or style as browsers load it, named by its hash. */
async function assetOf(entry: string, base = parse(entry).name): Promise<{ name: string; text: string }> {
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    minify: true,
    charset: 'utf8',
    format: 'iife',
    target: ['chrome111', 'firefox115', 'safari16.4'],
    legalComments: 'none',
    logLevel: 'error',
  });
  const text = outputFiles[0]?.text ?? '';
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 12).toUpperCase();
  return { name: `${base}-${hash}${parse(entry).ext}`, text };
}
