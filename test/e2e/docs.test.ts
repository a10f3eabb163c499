import { globSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Context } from 'aws-lambda';
import type { Browser, Page } from 'playwright-core';
import { compose } from '../../functions/docs/compose.ts';
import { settingNames } from '../../functions/docs/env.ts';
import { routes } from '../../functions/docs/routes.ts';
import { readSite } from '../../functions/docs/site.ts';
import { messages } from '../../infra/documents/clients/license-client.ts';
import { buildDocsSite } from '../../infra/documents/site/build-site.ts';
import { languages, openingComment, sourceOf } from '../../infra/documents/site/languages.ts';
import { escapeHtml } from '../../shared/html.ts';
import { runtimeCodes } from '../../shared/licenses/runtime-license.ts';
import { createLogger } from '../../shared/logger.ts';
import { accessibilityFaults, hasBrowser, launchBrowser, openPage } from '../support/http/browser.ts';
import { createCaller, httpEvent } from '../support/http/http-event.ts';
import { serveHandlers } from '../support/http/serve-handlers.ts';
import { sampleSettings } from '../support/samples/sample-settings.ts';

const folder = mkdtempSync(join(tmpdir(), 'docs-site-'));
const clients = join(import.meta.dirname, '../../infra/documents/clients');
let handler: ReturnType<typeof compose>;

beforeAll(async () => {
  await buildDocsSite(folder);
  handler = compose({ settings: sampleSettings(settingNames), logger: createLogger({}, () => undefined), site: readSite(folder) });
});

const sourceOfSample = (name: string) => readFileSync(join(import.meta.dirname, '../../infra/documents/samples', name), 'utf8');

const gzipEvent = (path: string) => httpEvent(routes, 'GET', path, { headers: { 'accept-encoding': 'gzip' } });

describe('the documentation', () => {
  test('openapi.json is served as it was built, compressed for those who take it, and may be revalidated', async () => {
    const call = createCaller(handler, routes);
    const plain = await call('GET', '/openapi.json');
    expect(plain).toMatchObject({ status: 200, json: { openapi: '3.1.0', info: { version: '0.2.0' } } });
    const gzipped = await call('GET', '/openapi.json', { headers: { 'accept-encoding': 'gzip, br' } });
    expect(gzipped.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
    const again = await call('GET', '/openapi.json', { headers: { 'if-none-match': plain.headers['etag']! } });
    expect(again).toMatchObject({ status: 304, text: '' });
    expect((await call('GET', '/docs', { headers: { 'if-none-match': '*' } })).status).toBe(304);
  });

  test('only the page’s own assets are served, for good', async () => {
    const call = createCaller(handler, routes);
    const page = await call('GET', '/docs');
    const assets = [...page.text.matchAll(/(?:src|href)="(\/docs\/[^"]+)"/g)].map(([, path]) => path ?? '');
    expect(assets).toHaveLength(4);
    for (const asset of assets) {
      const reply = await call('GET', asset);
      expect(reply).toMatchObject({ status: 200, headers: { 'cache-control': 'public, max-age=31536000, immutable' } });
    }
    for (const other of ['openapi.json', 'index.html', '..%2Findex.html', 'reference-0.js']) {
      expect(await call('GET', `/docs/${other}`)).toMatchObject({ status: 404, json: { code: 'route_not_found' } });
    }
  });

  test('every client is served as its source stands, and the one in TypeScript as JavaScript too', async () => {
    const call = createCaller(handler, routes);
    const names = globSync('*', { cwd: clients });
    expect(names).toContain('license-client.ts');
    for (const name of names) {
      const { status, text } = await call('GET', `/clients/${name}`);
      expect([name, status, text]).toEqual([name, 200, readFileSync(join(clients, name), 'utf8')]);
    }
    const { headers, text } = await call('GET', '/clients/license-client.js');
    expect(headers['content-type']).toBe('text/javascript; charset=utf-8');
    const { LicenseClient, messages } = await import(`data:text/javascript,${encodeURIComponent(text)}`);
    expect([typeof LicenseClient, messages.valid]).toEqual(['function', 'This app is licensed.']);
  });

  test('the guide shows each client’s own first lines, and links its file', async () => {
    const { text } = await createCaller(handler, routes)('GET', '/docs');
    expect(languages.map(({ name }) => name)).toEqual(expect.arrayContaining(['JavaScript', 'TypeScript']));
    for (const { client } of languages) {
      const opening = openingComment(sourceOf(client));
      expect(opening.split('\n').length).toBeGreaterThan(9);
      expect(text).toContain(escapeHtml(opening).replaceAll('https://api.example.com', 'http://127.0.0.1:3000'));
      expect(text).toContain(`href="/clients/${client}"`);
    }
    expect(text).toContain('href="/clients/license-client.js"');
    expect(text).toContain('href="/clients/lease-vectors.json"');
  });

  test('the guide says to the user what the clients say', async () => {
    const { text } = await createCaller(handler, routes)('GET', '/docs');
    const rows = [...text.matchAll(/<tr><th scope="row"><code>(\w+)<\/code><\/th><td>([^<]*)<\/td><\/tr>/g)];
    const shown = Object.fromEntries(rows.map(([, code, sentence]) => [code, sentence]));
    expect(Object.keys(messages)).toHaveLength(22);
    for (const [code, sentence] of Object.entries(messages)) expect([code, shown[code]]).toEqual([code, escapeHtml(sentence)]);
  });

  test('the guide loads quickly: at most 24 KB with its style and its buttons, the reference aside', async () => {
    const call = createCaller(handler, routes);
    const bytesOf = async (path: string) => Number((await handler(gzipEvent(path), {} as Context)).body?.length) * 0.75;
    const { text } = await call('GET', '/docs');
    const own = [...text.matchAll(/(?:src|href)="(\/docs\/(?:copy|docs)-[^"]+)"/g)].map(([, path]) => path ?? '');
    expect(own).toHaveLength(2);
    const sizes = await Promise.all(['/docs', ...own].map(bytesOf));
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(24 * 1024);
  });

  test('the guide explains every code an app may get', async () => {
    const { text } = await createCaller(handler, routes)('GET', '/docs');
    for (const code of runtimeCodes) expect(text).toContain(`<code>${code}</code>`);
  });

  (hasBrowser ? describe : describe.skip)('in a browser', () => {
    let server: Awaited<ReturnType<typeof serveHandlers>>;
    let browser: Browser;
    beforeAll(async () => {
      browser = await launchBrowser();
      server = await serveHandlers([{ handler, routes }]);
    });
    afterAll(() => Promise.all([browser?.close(), server?.stop()]));

    test('shows guide and endpoints under its own policy, with nothing from elsewhere', async () => {
      const { page, complaints } = await openPage(browser, { viewport: { width: 1280, height: 900 } });
      const elsewhere: string[] = [];
      await page.route('**', (route) => {
        const { origin, protocol } = new URL(route.request().url());
        if (origin === server.baseUrl || protocol === 'data:') return route.continue();
        elsewhere.push(route.request().url());
        return route.abort();
      });
      await page.goto(`${server.baseUrl}/docs`);
      await page.getByRole('heading', { name: 'Guide for app authors' }).waitFor();
      await page.locator('#viewer .opblock-tag-section').first().waitFor();
      await page.locator('#operations-tag-Licenses').click();
      await page.locator('#operations-Licenses-activateLicense .opblock-summary-control').click();
      await page.locator('#operations-Licenses-activateLicense .responses-wrapper').waitFor();
      expect(await page.locator('#operations-Licenses-activateLicense').textContent()).toContain('activation_limit_exceeded');
      expect(complaints).toEqual([]);
      expect(elsewhere).toEqual([]);
      await page.context().close();
    });

    const copied = (page: Page): Promise<string> => page.evaluate('navigator.clipboard.readText()');

    test('an address that names a section shows it, also once the reference is there', async () => {
      const { page } = await openPage(browser, { viewport: { width: 1280, height: 900 } });
      await page.goto(`${server.baseUrl}/docs#offline`);
      await page.locator('#viewer .opblock-tag-section').first().waitFor();
      expect(new URL(page.url()).hash).toBe('#offline');
      const top = await page.evaluate(`document.querySelector('#offline').getBoundingClientRect().top`);
      expect(Math.abs(Number(top))).toBeLessThan(200);
      await page.context().close();
    });

    test('a button copies the block as it stands, with mouse and keyboard, and says so', async () => {
      const { page, complaints } = await openPage(browser, { permissions: ['clipboard-read', 'clipboard-write'] });
      await page.goto(`${server.baseUrl}/docs`);
      const language = page.locator('details.language').filter({ has: page.getByText('Python', { exact: true }) });
      await language.locator('> summary').click();
      await language.getByRole('button', { name: 'Copy: app.py' }).click();
      await page.getByRole('status').getByText('Copied').waitFor();
      const source = sourceOfSample('app.py').replaceAll('https://api.example.com', 'http://127.0.0.1:3000');
      expect(`${await copied(page)}\n`).toBe(source);

      await page.getByRole('button', { name: 'Copy: Request' }).focus();
      await page.keyboard.press('Enter');
      await page.waitForFunction(`navigator.clipboard.readText().then((text) => text.startsWith('curl '))`);
      expect(await copied(page)).toMatch(/^curl http:\/\/127\.0\.0\.1:3000\/v1\/licenses\/activate \\\n {2}-H 'content-type/);
      const blocks = await page.locator('figure.code').count();
      expect(await page.locator('figure.code > button').count()).toBe(blocks);
      expect(blocks).toBeGreaterThan(10);
      expect(complaints).toEqual([]);
      await page.context().close();
    });

    test('says that it could not copy where the browser does not allow it', async () => {
      const { page } = await openPage(browser);
      await page.addInitScript(`navigator.clipboard.writeText = () => Promise.reject(new Error('denied'))`);
      await page.goto(`${server.baseUrl}/docs`);
      await page.getByRole('button', { name: 'Copy: Reply' }).click();
      await page.getByRole('status').getByText('select the text').waitFor();
      await page.context().close();
    });

    test.each([
      ['without script', { javaScriptEnabled: false }, ''],
      ['where there is no clipboard', {}, `Object.defineProperty(Navigator.prototype, 'clipboard', { value: undefined })`],
    ])('%s there is no button, and all the code', async (_, options, script) => {
      const { page } = await openPage(browser, options);
      await page.addInitScript(script);
      await page.goto(`${server.baseUrl}/docs`);
      expect(await page.locator('figure.code').count()).toBeGreaterThan(10);
      expect(await page.locator('button', { hasText: 'Copy' }).count()).toBe(0);
      await page.context().close();
    });

    test('the guide is readable on the smallest phone with every part open', async () => {
      const { page } = await openPage(browser, { viewport: { width: 320, height: 600 } });
      await page.goto(`${server.baseUrl}/docs`);
      await page.getByRole('button', { name: 'Copy: Request' }).waitFor();
      await page.evaluate(`document.querySelectorAll('details').forEach((part) => { part.open = true })`);
      const overflow = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
      expect(overflow).toBe(0);
      await page.evaluate(`document.querySelector('#viewer').remove()`);
      expect(await accessibilityFaults(page)).toEqual([]);
      await page.context().close();
    });

    test('the guide is readable on a phone and by everyone', async () => {
      const { page } = await openPage(browser);
      await page.goto(`${server.baseUrl}/docs`);
      await page.locator('#operations-tag-Purchases').click();
      await page.locator('#operations-Purchases-completePurchase .opblock-summary-control').click();
      await page.locator('#operations-Purchases-completePurchase .responses-wrapper').waitFor();
      const overflow = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
      expect(overflow).toBe(0);
      await page.evaluate(`document.querySelector('#viewer').remove()`);
      expect(await accessibilityFaults(page)).toEqual([]);
      await page.context().close();
    });
  });
});
