import { copyFileSync, globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { type BuildOptions, build, type Metafile } from 'esbuild';
import { buildDocsSite } from '../documents/site/build-site.ts';
import { buildConsoleAssets } from './bundle-console-assets.ts';
import { buildPageAssets } from './bundle-page-assets.ts';
import type { FunctionDefinition } from './find-functions.ts';

/** The bundled code of a function: a folder with a `start.mjs` that exports `handler`, and what it reads. */
export interface Bundle {
  folder: string;
  bytes: number;
  /** The source files in it, with how many bytes each takes. */
  inputs: Readonly<Record<string, number>>;
}

/** Beside the templates: by function, how large its bundle is, and what is in it. */
export const bundleIndexFile = 'bundles.json';

const root = join(import.meta.dirname, '..', '..');

/**
 * CommonJS, because importing `node:http` from an ES module, or by `import()`, costs 25 ms
 * at start; no source map at run time, which costs 17 ms. The SDK is bundled: the one in
 * the runtime loads slower. In Lambda credentials are always in the environment, so
 * the SDK's chain of other places to look for them stays out.
 */
export const bundleOptions: BuildOptions = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'cjs',
  supported: { 'dynamic-import': false },
  mainFields: ['module', 'main'],
  minify: true,
  legalComments: 'none',
  metafile: true,
  logLevel: 'error',
  // What lies beside the code is found from here; CommonJS has another name for it.
  define: { 'import.meta.dirname': '__dirname', 'import.meta.filename': '__filename' },
  alias: { '@aws-sdk/credential-provider-node': join(import.meta.dirname, 'lambda-credentials.ts') },
};

/** Bundles all functions in one run, each into a folder of its own, by function name. */
export async function bundleFunctions(functions: readonly FunctionDefinition[]): Promise<ReadonlyMap<string, Bundle>> {
  const outdir = mkdtempSync(join(tmpdir(), 'license-service-'));
  const entryPoints = functions.flatMap(({ name, folder, entry }) => [
    { in: entry, out: `${name}/index` },
    ...threadsIn(folder).map((file) => ({ in: file, out: `${name}/${basename(file, '.ts')}` })),
  ]);
  const { metafile } = await build({ ...bundleOptions, entryPoints, outdir });
  // In Lambda no package.json is around the code; here one further up could make ES modules of it.
  writeFileSync(join(outdir, 'package.json'), '{"type":"commonjs"}');
  if (functions.some(({ name }) => name === 'docs')) await buildDocsSite(join(outdir, 'docs', 'site'));
  if (functions.some(({ name }) => name === 'pages')) await buildPageAssets(join(outdir, 'pages', 'assets'));
  if (functions.some(({ name }) => name === 'console')) await buildConsoleAssets(join(outdir, 'console', 'assets'));
  const outputs = Object.entries(metafile?.outputs ?? {});
  const byFolder = Map.groupBy(outputs, ([file]) => dirname(join(root, file)));
  const bundles = [...byFolder].map(
    ([folder, files]): Bundle =>
      describe(
        folder,
        files.map(([, output]) => output),
      ),
  );
  for (const { folder, inputs } of bundles) {
    writeFileSync(join(folder, startFile), start);
    copyModules(folder, Object.keys(inputs));
  }
  return new Map(bundles.map((bundle) => [basename(bundle.folder), bundle]));
}

/** What Lambda loads. An ES module may wait: secrets are read and connections made before there is an event, in time that nobody waits for. */
export const startFile = 'start.mjs';
const start = `import { createRequire } from 'node:module';
// Imported, the bundle would be searched for the names of its exports first.
export const { handler } = createRequire(import.meta.url)('./index.js');
// What it failed for, the first event is told.
await handler.ready?.catch(() => undefined);
`;

/** What a function runs in threads of its own lies in its folder, and must beside its bundle. */
const threadsIn = (folder: string) => globSync(join(folder, '*-thread.ts'));

/** The WebAssembly modules of packages, which they look for beside their code. */
const modules = { '@silvia-odwyer/photon-node': 'photon_rs_bg.wasm' };

function copyModules(folder: string, inputs: readonly string[]): void {
  const { resolve } = createRequire(import.meta.url);
  for (const [name, file] of Object.entries(modules)) {
    if (inputs.some((input) => input.includes(`node_modules/${name}/`)))
      copyFileSync(join(dirname(resolve(name)), file), join(folder, file));
  }
}

/** Removes the folders again, once their content is where it belongs. */
export function discardBundles(bundles: ReadonlyMap<string, Bundle>): void {
  for (const { folder } of bundles.values()) rmSync(dirname(folder), { recursive: true, force: true });
}

function describe(folder: string, outputs: readonly Metafile['outputs'][string][]): Bundle {
  const inputs = outputs.flatMap((output) =>
    Object.entries(output.inputs).map(([input, { bytesInOutput }]) => [input, bytesInOutput] as const),
  );
  return { folder, bytes: outputs.reduce((sum, { bytes }) => sum + bytes, 0), inputs: Object.fromEntries(inputs) };
}
