import { join } from 'node:path';
import { build } from 'esbuild';
import { productFieldsIn } from '../../infra/bundles/product-fields.ts';
import { providing } from '../../infra/bundles/provided-modules.ts';

const browser = join(import.meta.dirname, '../../functions/console/browser');

/** What modules of the console's browser room export, as a script of that language has them; and the script, minified. */
export async function inLanguage(language: 'ja' | 'en', exported: string): Promise<{ exports: any; script: string }> {
  const { outputFiles } = await build({
    stdin: { contents: exported, resolveDir: browser, loader: 'ts' },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    charset: 'utf8',
    define: { LANGUAGE: JSON.stringify(language) },
    plugins: [providing({ 'console:product-fields': productFieldsIn(language) })],
  });
  const script = outputFiles[0]?.text ?? '';
  return { exports: await import(`data:text/javascript;base64,${Buffer.from(script).toString('base64')}`), script };
}
