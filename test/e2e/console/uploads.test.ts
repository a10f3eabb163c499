import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { build, type Plugin } from 'esbuild';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { startTestObjectStore, testBucket } from '../../support/engines/test-object-store.ts';
import { createTestTable } from '../../support/engines/test-table.ts';
import { accessibilityFaults, hasBrowser, launchBrowser } from '../../support/http/browser.ts';
import { type FileHarness, partBytes, startFileHarness } from '../../support/scenes/file-harness.ts';

const room = join(import.meta.dirname, '..', '..', '..', 'functions', 'console', 'browser', 'uploads');
const bytes = randomBytes(4 * partBytes + 11);

/** The rooms beside uploads, as small as can be: calls go to the test, which asks the endpoints. */
const besides: Record<string, string> = {
  'console:assets': `export const workerUrl = '/worker.js';`,
  '../api/call.ts': `
    import { ApiFailure } from '../api/failure.ts';
    export async function call(id, args, { signal } = {}) {
      const failed = (code, status) => new ApiFailure({ code, status, requestId: 'req-1' });
      const reply = await fetch('/call/' + id, { method: 'POST', body: JSON.stringify(args), signal }).catch(() => { signal?.throwIfAborted(); throw failed('offline', 0); });
      const body = await reply.json();
      if (!reply.ok) throw failed(body.code, reply.status);
      return body;
    }`,
  '../session/session.ts': `export const session = { get: () => ({ name: 'signed-in' }), subscribe: () => () => {} };`,
  'the-page': `
    import { render } from 'preact';
    import { Uploads } from './upload-list.tsx';
    import { startUpload } from './uploads.ts';
    window.ends = 0;
    const onEnd = () => { window.ends += 1; };
    const choose = (event) => { for (const file of event.currentTarget.files) startUpload({ productId: 'prd', purpose: 'download', file }); event.currentTarget.value = ''; };
    render(<main><h1>Files</h1><label>File <input type="file" name="file" multiple onChange={choose} /></label><Uploads productId="prd" onEnd={onEnd} /></main>, document.body);`,
};

const standIns: Plugin = {
  name: 'stand-ins',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /.*/ }, ({ path }) => (Object.hasOwn(besides, path) ? { path, namespace: 'besides' } : undefined));
    onLoad({ filter: /.*/, namespace: 'besides' }, ({ path }) => ({ contents: besides[path] ?? '', loader: 'tsx', resolveDir: room }));
  },
};

async function bundle(entry: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    format: 'iife',
    charset: 'utf8',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    define: { LANGUAGE: '"en"' },
    tsconfigRaw: {},
    plugins: [standIns],
  });
  return outputFiles[0]?.text ?? '';
}

(hasBrowser ? describe : describe.skip)('uploads in a browser', () => {
  let browser: Browser;
  let server: Server;
  let context: BrowserContext;
  let harness: FileHarness;
  let baseUrl: string;
  let folder: string;
  let file: string;
  const complaints: string[] = [];
  /** The parts that the browser began to send, and those that the store took. */
  let begun: string[];
  let taken: string[];

  beforeAll(async () => {
    const [page, worker] = await Promise.all([bundle('the-page'), bundle(join(room, 'hash-worker.ts'))]);
    server = createServer((request, response) => void serve(request, response, { page, worker }));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    folder = await mkdtemp(join(tmpdir(), 'uploads-'));
    file = join(folder, 'setup.zip');
    await writeFile(file, bytes);
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    server?.close();
    await rm(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    const cors = [{ AllowedOrigins: [baseUrl], AllowedMethods: ['PUT'], AllowedHeaders: ['content-type', 'x-amz-checksum-sha256'] }];
    const objectStore = await startTestObjectStore({ buckets: [{ name: testBucket, versioned: true, cors }] });
    harness = await startFileHarness({ table: (await createTestTable()).table, objectStore });
    context = await browser.newContext({ locale: 'en' });
    [begun, taken] = [[], []];
    complaints.length = 0;
  });
  afterEach(async () => {
    await context.close();
    await harness.stop();
  });

  const serviceOf: Record<string, (args: { path: { file_id?: string }; query?: { cursor?: string }; body?: unknown }) => [string, string]> =
    {
      listProductFiles: ({ query }) => ['GET', query?.cursor === undefined ? '' : `?cursor=${encodeURIComponent(query.cursor)}`],
      createProductFileUploadIntent: () => ['POST', '/upload-intent'],
      listProductFileParts: ({ path }) => ['GET', `/${path.file_id}/parts`],
      signProductFileParts: ({ path }) => ['POST', `/${path.file_id}/parts`],
      finalizeProductFile: ({ path }) => ['POST', `/${path.file_id}/finalize`],
      withdrawProductFile: ({ path }) => ['POST', `/${path.file_id}/withdraw`],
    };

  async function serve(request: IncomingMessage, response: ServerResponse, scripts: { page: string; worker: string }): Promise<void> {
    const [, kind, id = ''] = (request.url ?? '').split('/');
    if (kind === 'call') {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const args = JSON.parse(Buffer.concat(chunks).toString());
      const [method, path] = serviceOf[id]?.(args) ?? ['GET', ''];
      const target = `/v1/products/${harness.product.id}/files${path}`;
      const { status, text } = await harness.call(method, target, args.body === undefined ? {} : { body: args.body });
      return void response.writeHead(status, { 'Content-Type': 'application/json' }).end(text);
    }
    const [type, text] =
      kind === 'worker.js'
        ? ['text/javascript', scripts.worker]
        : kind === 'page.js'
          ? ['text/javascript', scripts.page]
          : ['text/html', '<!doctype html><html lang="en"><title>Files</title><body><script src="/page.js"></script></body></html>'];
    const policy =
      kind === 'worker.js'
        ? "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'"
        : `default-src 'none'; script-src 'self'; style-src 'self'; worker-src 'self'; connect-src 'self' http://127.0.0.1:*; require-trusted-types-for 'script'; trusted-types console-worker`;
    response.writeHead(200, { 'Content-Type': `${type}; charset=utf-8`, 'Content-Security-Policy': policy }).end(text);
  }

  async function openTab(): Promise<Page> {
    const page = await context.newPage();
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('dialog', (dialog) => void dialog.accept());
    page.on('request', (request) => {
      if (request.method() === 'PUT') begun.push(partOf(request.url()));
    });
    page.on('response', (response) => {
      if (response.request().method() === 'PUT' && response.ok()) taken.push(partOf(response.url()));
    });
    await page.goto(baseUrl);
    return page;
  }
  const partOf = (url: string) => new URL(url).searchParams.get('partNumber') ?? '';
  const choose = (page: Page, path = file) => page.locator('input[name=file]').setInputFiles(path);
  const state = (page: Page, name: string) => page.locator(`[data-upload=${name}]`).waitFor();
  const press = (page: Page, action: string) => page.locator(`[data-action=${action}]`).click();
  const statuses = async () =>
    (await harness.call('GET', `/v1/products/${harness.product.id}/files`)).json.items.map((item: { status: string }) => item.status);
  /** Keeps parts from this one on from leaving the browser, until they are let go. */
  async function holdParts(page: Page, from: number): Promise<() => Promise<void>> {
    await page.route(/partNumber=/, (route) => (Number(partOf(route.request().url())) >= from ? undefined : route.continue()));
    return () => page.unroute(/partNumber=/);
  }

  test('are hashed, sent and done, and the page is told; a double choice is one', async () => {
    const page = await openTab();
    await Promise.all([choose(page), choose(page)]);
    await state(page, 'done');
    expect(await page.locator('.upload').count()).toBe(1);
    expect(await page.evaluate('ends')).toBe(1);
    expect(taken.toSorted()).toEqual(['1', '2', '3', '4', '5']);
    await harness.drain();
    expect(await statuses()).toEqual(['pending_review']);
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test('show pause or resume, keep the focus between them, and send no finished part again, after a reload too', async () => {
    const page = await openTab();
    const letGo = await holdParts(page, 3);
    await choose(page);
    while (taken.length < 2) await page.waitForTimeout(20);
    expect([await page.locator('[data-action=pause]').count(), await page.locator('[data-action=resume]').count()]).toEqual([1, 0]);
    await press(page, 'pause');
    expect([await page.locator('[data-action=pause]').count(), await page.locator('[data-action=resume]').count()]).toEqual([0, 1]);
    expect(await page.evaluate('document.activeElement.dataset.action')).toBe('resume');
    expect(await accessibilityFaults(page)).toEqual([]);
    await letGo();
    await page.reload();
    await choose(page);
    await state(page, 'done');
    expect(taken.toSorted()).toEqual(['1', '2', '3', '4', '5']);
    expect(await statuses()).toEqual(['pending_review']);
  });

  test('wait without a network and go on with it', async () => {
    const page = await openTab();
    const letGo = await holdParts(page, 2);
    await choose(page);
    while (taken.length < 1 || begun.length < 3) await page.waitForTimeout(20);
    await letGo();
    await page.route(/partNumber=|\/call\//, (route) => route.abort('internetdisconnected'));
    await press(page, 'pause');
    await press(page, 'resume');
    await state(page, 'waiting');
    await page.unroute(/partNumber=|\/call\//);
    await page.evaluate(`window.dispatchEvent(new Event('online'))`);
    await state(page, 'done');
    // What the store took while its reply was cut off is not among those taken, and was not sent again either.
    expect([taken.length, await statuses()]).toEqual([new Set(taken).size, ['pending_review']]);
  });

  test('are one from two tabs, and the second tab goes on when the first is closed', async () => {
    const [first, second] = [await openTab(), await openTab()];
    await holdParts(first, 3);
    await choose(first);
    while (taken.length < 2) await first.waitForTimeout(20);
    await choose(second);
    await state(second, 'elsewhere');
    await first.close();
    await state(second, 'done');
    expect([taken.toSorted(), await statuses()]).toEqual([['1', '2', '3', '4', '5'], ['pending_review']]);
  });

  test('are withdrawn when they are cancelled, and the focus stays near', async () => {
    const page = await openTab();
    await holdParts(page, 2);
    await choose(page);
    while (taken.length < 1) await page.waitForTimeout(20);
    await press(page, 'cancel');
    while ((await page.evaluate('ends')) !== 1) await page.waitForTimeout(20);
    expect([await page.locator('.upload').count(), await statuses()]).toEqual([0, ['disabled']]);
    expect(await page.evaluate('document.activeElement.className')).toBe('uploads');
  });
});
