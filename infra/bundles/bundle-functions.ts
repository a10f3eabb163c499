import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type BuildOptions, build, type Metafile } from 'esbuild';
import { buildDocsSite } from '../documents/site/build-site.ts';
import type { FunctionDefinition } from './find-functions.ts';

/** The bundled code of a function: a folder with an `index.js` that exports `handler`, and what it reads. */
export interface Bundle {
  folder: string;
  bytes: number;
  /** The source files in it, with how many bytes each takes. */
  inputs: Readonly<Record<string, number>>;
}

const root = join(import.meta.dirname, '..', '..');

/**
 * CommonJS, because importing `node:http` from an ES module costs 25 ms at start; no
 * source map at run time, which costs 17 ms. The SDK is bundled: the one in the
 * runtime loads slower. In Lambda credentials are always in the environment, so
 * the SDK's chain of other places to look for them stays out.
 */
const options: BuildOptions = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'cjs',
  mainFields: ['module', 'main'],
  minify: true,
  legalComments: 'none',
  metafile: true,
  logLevel: 'error',
  // What lies beside the code is found from here; CommonJS has another name for it.
  define: { 'import.meta.dirname': '__dirname' },
  alias: { '@aws-sdk/credential-provider-node': join(import.meta.dirname, 'lambda-credentials.ts') },
};

/** Bundles all functions in one run, each into a folder of its own, by function name. */
export async function bundleFunctions(functions: readonly FunctionDefinition[]): Promise<ReadonlyMap<string, Bundle>> {
  const outdir = mkdtempSync(join(tmpdir(), 'license-service-'));
  const entryPoints = functions.map(({ name, entry }) => ({ in: entry, out: `${name}/index` }));
  const { metafile } = await build({ ...options, entryPoints, outdir });
  // In Lambda no package.json is around the code; here one further up could make ES modules of it.
  writeFileSync(join(outdir, 'package.json'), '{"type":"commonjs"}');
  if (functions.some(({ name }) => name === 'docs')) await buildDocsSite(join(outdir, 'docs', 'site'));
  const outputs = Object.entries(metafile?.outputs ?? {});
  return new Map(outputs.map(([file, output]) => describe(join(root, file), output)));
}

/** Removes the folders again, once their content is where it belongs. */
export function discardBundles(bundles: ReadonlyMap<string, Bundle>): void {
  for (const { folder } of bundles.values()) rmSync(dirname(folder), { recursive: true, force: true });
}

function describe(file: string, output: Metafile['outputs'][string]): [string, Bundle] {
  const folder = dirname(file);
  const inputs = Object.entries(output.inputs).map(([input, { bytesInOutput }]) => [input, bytesInOutput] as const);
  return [folder.slice(dirname(folder).length + 1), { folder, bytes: output.bytes, inputs: Object.fromEntries(inputs) }];
}
