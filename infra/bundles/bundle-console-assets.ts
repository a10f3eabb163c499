import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { minify } from '@swc/core';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import { type AssetName, assetNames, assetsPath } from '../../functions/console/assets.ts';
import { checkedOperations } from '../../functions/console/browser/api/checked-operations.ts';
import { type Role, roles } from '../../functions/console/screens.ts';
import type { Endpoint } from '../../shared/http/endpoint.ts';
import { type Locale, locales } from '../../shared/locale.ts';
import { nameWithHash } from '../../shared/page-delivery/assets.ts';
import { findEndpoints } from '../documents/openapi/find-endpoints.ts';
import { bodySchemaOf } from './body-schema.ts';
import { browserOptions } from './browser-options.ts';
import { productFieldsIn } from './product-fields.ts';
import { providing } from './provided-modules.ts';

const root = join(import.meta.dirname, '..', '..');
const browser = join(root, 'functions', 'console', 'browser');
const workerName = 'hash-worker.js';

/** Writes what browsers load of the console into `folder`: what functions/console serves. */
export async function buildConsoleAssets(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of await bundleConsoleAssets()) writeFileSync(join(folder, name), text);
}

/** The texts of the assets, made from functions/console/browser: a script for each role and language. */
export async function bundleConsoleAssets(): Promise<[AssetName, string][]> {
  const [common, endpoints] = await Promise.all([
    bundle({ entryPoints: [join(browser, 'uploads', 'hash-worker.ts'), join(browser, 'styles', 'console.css')] }),
    findEndpoints(),
  ]);
  const worker = await smaller(common.get(workerName) ?? '');
  const assets = `export const workerUrl = ${JSON.stringify(`${assetsPath}/${nameWithHash(workerName, worker)}`)};`;
  const operationsOf = (role: Role) =>
    endpoints
      .filter(({ endpoint: { audience, operationId } }) => audience === role || operationId === forEveryRole)
      .map(({ endpoint }) => [endpoint.operationId, operationOf(endpoint)]);
  const scripts = await Promise.all(
    roles.flatMap((role) => {
      const operations = `export const operations = ${JSON.stringify(Object.fromEntries(operationsOf(role)))};`;
      return locales.map((locale) => {
        const modules = { 'console:operations': operations, 'console:product-fields': productFieldsIn(locale), 'console:assets': assets };
        return bundleScript(role, locale, [providing(modules)]);
      });
    }),
  );
  const icon = readFileSync(join(root, 'shared', 'design', 'icon.svg'), 'utf8').trim();
  const texts = new Map([...common, ...scripts.flat(), [workerName, worker], ['icon.svg', icon]]);
  return assetNames.map((name) => [name, texts.get(name) ?? '']);
}

/**
 * The script of a role in a language, by its name: where it has screens that come late, with what both need (`base`) and
 * with those screens (`late`). Each is loaded under the name of its content.
 */
async function bundleScript(role: Role, locale: Locale, plugins: Plugin[]): Promise<[string, string][]> {
  const bundled = await bundle({
    entryPoints: [join(browser, `${role}.tsx`)],
    define: { LANGUAGE: JSON.stringify(locale), ROLE: JSON.stringify(role), 'process.env.NODE_ENV': '"production"' },
    plugins,
    format: 'esm',
    splitting: true,
  });
  const parts = [
    { made: /^chunk-/, name: `${role}-base-${locale}.js` },
    { made: /^late-screens-/, name: `${role}-late-${locale}.js` },
    { made: new RegExp(`^${role}\\.js$`), name: `${role}-${locale}.js` },
  ];
  const named = parts.flatMap(({ made: pattern, name }) =>
    [...bundled.keys()].filter((key) => pattern.test(key)).map((key) => ({ key, name })),
  );
  if (named.length !== bundled.size || new Set(named.map(({ name }) => name)).size !== named.length)
    throw new Error(`The script of ${role} falls into other parts: ${[...bundled.keys()].join(', ')}`);
  const scripts: [string, string][] = [];
  const loadedAs = new Map<string, string>();
  // Each loads only what stands before it.
  for (const { key, name } of named) {
    const text = [...loadedAs].reduce((script, [before, now]) => script.replaceAll(`"./${before}"`, `"./${now}"`), bundled.get(key) ?? '');
    const script = await smaller(text);
    loadedAs.set(key, nameWithHash(name, script));
    scripts.push([name, script]);
  }
  return scripts;
}

/** Minifies a script a second time, which saves a twentieth of what a browser loads. */
async function smaller(script: string): Promise<string> {
  const options = { compress: { ecma: 2020, passes: 3 }, mangle: true, format: { comments: false }, module: true } as const;
  return (await minify(script, options)).code;
}

/** What a script needs of an operation: where it is, and what its body must be if the script checks that. */
function operationOf({ operationId, method, path, body }: Endpoint): unknown[] {
  const isChecked = checkedOperations.some((id) => id === operationId);
  return [method, path, ...(body && isChecked ? [bodySchemaOf(body)] : [])];
}

/** Whoever signs in asks who they are. */
const forEveryRole = 'getMe';

/** The outputs by their file names. */
async function bundle(options: BuildOptions): Promise<Map<string, string>> {
  const { outputFiles } = await build({ ...browserOptions, ...options, outdir: browser, write: false });
  return new Map(outputFiles?.map(({ path, text }) => [basename(path), text.trim()]));
}
