import { join } from 'node:path';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import { bodySchemaOf } from '../../../infra/bundles/body-schema.ts';
import { productFieldsIn } from '../../../infra/bundles/product-fields.ts';
import { providing } from '../../../infra/bundles/provided-modules.ts';
import { ProductUpsertRequest } from '../../../shared/products/product.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const browser = join(root, 'functions', 'console', 'browser');

/** A screen that is the form of a product and nothing else, with its reads and writes. */
const screen = `
  import { render } from 'preact';
  import { useRead } from './api/reads.ts';
  import { startDrafts, forgetDrafts } from './forms/drafts.ts';
  import { NewProductForm, ProductForm } from './seller/products/product-form.tsx';

  const currencies = ['JPY', 'USD'];
  const path = { product_id: 'prd_1' };
  startDrafts('usr_1');
  globalThis.forgetDrafts = forgetDrafts;

  function Edit() {
    const { body } = useRead('getProduct', { path });
    return body ? <ProductForm product={body} currencies={currencies} /> : null;
  }
  const Create = () => <NewProductForm currencies={currencies} supportEmail="help@pen.example" onMade={() => undefined} />;
  render(
    <main><h1>Pen</h1>{location.pathname.endsWith('/new') ? <Create /> : <Edit />}</main>,
    document.body,
  );
`;

const operations = `export const operations = {
  getProduct: ['GET', '/v1/products/{product_id}'],
  listProducts: ['GET', '/v1/products'],
  updateProduct: ['PATCH', '/v1/products/{product_id}'],
  createProduct: ['POST', '/v1/products', ${JSON.stringify(bodySchemaOf(ProductUpsertRequest))}],
};`;
const session = `export const session = { get: () => ({ name: 'signed-in' }) }; export const bearer = async () => 'token'; export const reportRejectedBearer = () => {}; export const signInAgain = () => {};`;

/** The script of the page and its styles, in a language. */
export async function buildFormPage(language: 'ja' | 'en'): Promise<{ script: string; styles: string }> {
  const { outputFiles } = await build({
    stdin: { contents: screen, resolveDir: browser, loader: 'tsx', sourcefile: 'screen.tsx' },
    bundle: true,
    write: false,
    format: 'iife',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    target: ['chrome111', 'firefox115', 'safari16.4'],
    define: { LANGUAGE: JSON.stringify(language), ROLE: '"seller"', 'process.env.NODE_ENV': '"production"' },
    tsconfigRaw: {},
    plugins: [
      providing({ 'console:operations': operations, 'console:product-fields': productFieldsIn(language) }),
      {
        name: 'signed-in',
        setup({ onResolve, onLoad }) {
          onResolve({ filter: /session\/session\.ts$/ }, () => ({ path: 'session', namespace: 'test' }));
          onLoad({ filter: /^/, namespace: 'test' }, () => ({ contents: session, loader: 'js' }));
        },
      },
    ],
  });
  const { outputFiles: sheets } = await build({
    stdin: { contents: `@import './styles/console.css'; @import './styles/forms.css';`, resolveDir: browser, loader: 'css' },
    bundle: true,
    write: false,
  });
  return { script: outputFiles[0]?.text ?? '', styles: sheets[0]?.text ?? '' };
}

export const formOrigin = 'https://console.example';

interface Reply {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}

/** Serves the page to a browser under the console's policy, and asks `answer` for what the API would say; undefined is no reply. */
export async function serveFormPage(
  page: Page,
  { script, styles }: { script: string; styles: string },
  language: 'ja' | 'en',
  answer: (method: string, body: any) => Promise<Reply | undefined> | Reply | undefined,
): Promise<void> {
  const policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; require-trusted-types-for 'script'";
  await page.route(`${formOrigin}/**`, async (route) => {
    const { pathname } = new URL(route.request().url());
    if (pathname === '/form.js') return route.fulfill({ contentType: 'text/javascript; charset=utf-8', body: script });
    if (pathname === '/form.css') return route.fulfill({ contentType: 'text/css; charset=utf-8', body: styles });
    if (!pathname.startsWith('/v1/')) {
      return route.fulfill({
        contentType: 'text/html; charset=utf-8',
        headers: { 'Content-Security-Policy': policy },
        body: `<!doctype html><html lang="${language}"><head><meta name="viewport" content="width=device-width"><title>Pen</title><link rel="stylesheet" href="/form.css"><script src="/form.js" defer></script></head><body></body></html>`,
      });
    }
    const reply = await answer(route.request().method(), route.request().postDataJSON());
    if (!reply) return route.abort('internetdisconnected');
    return route.fulfill({ status: reply.status, json: reply.body, headers: { 'Access-Control-Allow-Origin': '*', ...reply.headers } });
  });
}
