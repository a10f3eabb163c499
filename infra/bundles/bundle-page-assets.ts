import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const browser = fileURLToPath(new URL('../../functions/pages/browser/', import.meta.url));

/**
 * The text of `functions/pages/assets/generated-assets.ts`: what browsers load, as text in a module,
 * so that the function's bundle, the tests and Node itself read it alike.
 */
export async function bundlePageAssets(): Promise<string> {
  const assets: Record<string, string> = {
    'buyer.css': await bundlePageAsset('buyer.css'),
    'product.js': await bundlePageAsset('product.ts'),
    'completion.js': await bundlePageAsset('purchase/completion.ts'),
    'receipt.js': await bundlePageAsset('purchase/receipt.ts'),
    'activation.js': await bundlePageAsset('activation.ts'),
    'icon.svg': readFileSync(`${browser}icon.svg`, 'utf8').trim(),
  };
  const lines = Object.entries(assets).map(([name, text]) => `  '${name}': ${JSON.stringify(text)},`);
  return [
    '// Made by `npm run assets` from functions/pages/browser: edit the sources there.',
    'export const generatedAssets = {',
    ...lines,
    '} as const;',
    '',
  ].join('\n');
}

/** What a browser loads of one of its sources, in the form that every supported browser runs. */
export async function bundlePageAsset(entry: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [`${browser}${entry}`],
    bundle: true,
    write: false,
    minify: true,
    charset: 'utf8',
    format: 'iife',
    target: ['chrome111', 'firefox115', 'safari16.4'],
    // The sources' own tsconfig is for checking, not for building.
    tsconfigRaw: {},
    logLevel: 'warning',
  });
  return (outputFiles[0]?.text ?? '').trim();
}
