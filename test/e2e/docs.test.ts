import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Context } from 'aws-lambda';
import type { BrowserContextOptions } from 'playwright-core';
import { routes } from '../../functions/docs/routes.ts';
import { messages } from '../../infra/documents/clients/license-client.ts';
import { languages, openingComment, sourceOf } from '../../infra/documents/site/languages.ts';
import { escapeHtml } from '../../shared/html.ts';
import { runtimeCodes } from '../../shared/licenses/runtime-license.ts';
import { accessibilityFaults, isDark, overflowOf } from '../support/http/browser.ts';
import { composeDocs } from '../support/http/docs-function.ts';
import { createCaller, httpEvent } from '../support/http/http-event.ts';
import { describeInBrowser, openWindow, page } from '../support/http/in-browser.ts';
import { serveHandler } from '../support/http/serve-handler.ts';

const clients = join(import.meta.dirname, '../../infra/documents/clients');
let handler: Awaited<ReturnType<typeof composeDocs>>;

beforeAll(async () => {
  handler = await composeDocs();
});

const sourceOfSample = (name: string) => readFileSync(join(import.meta.dirname, '../../infra/documents/samples', name), 'utf8');

describe('the documentation', () => {
  test('only the page’s own assets are served, for good, and the page not to who has it', async () => {
    const call = createCaller(handler, routes);
    expect((await call('GET', '/docs', { headers: { 'if-none-match': '*' } })).status).toBe(304);
    const page = await call('GET', '/docs');
    const assets = [...page.text.matchAll(/(?:src|href|data-script|data-style)="(\/docs\/[^"?]+)"/g)].map(([, path]) => path ?? '');
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

  /** The words of the comment that opens a client. */
  const licenceOf = (source: string) =>
    /SPDX-License-Identifier: MIT-0\n.*?Permission is .*? IN THE\W+SOFTWARE\./s.exec(source)?.[0].replaceAll(/[\s#/*]+/g, ' ');

  test('the guide shows each client’s own first lines, and links its file; all have the same licence', async () => {
    const { text } = await createCaller(handler, routes)('GET', '/docs');
    expect(languages.map(({ name }) => name)).toEqual(expect.arrayContaining(['JavaScript', 'TypeScript']));
    for (const { client } of languages) {
      const opening = openingComment(sourceOf(client));
      expect(licenceOf(sourceOf(client))).toBe(licenceOf(sourceOf('license-client.ts')));
      expect(opening.split('\n').length).toBeGreaterThan(9);
      expect(text).toContain(escapeHtml(opening).replaceAll('https://api.example.com', 'http://127.0.0.1:3000'));
      expect(text).toContain(`href="/clients/${client}"`);
    }
    expect(text).toContain('href="/clients/license-client.js"');
    expect(text).toContain('href="/clients/lease-vectors.json"');
  });

  test.each(['en', 'ja'])(
    'the guide loads quickly: at most 24 KB with its style and its buttons, the reference aside, in %s',
    async (lang) => {
      const headers = { 'accept-encoding': 'gzip' };
      const bytesOf = async (path: string) =>
        Number((await handler(httpEvent(routes, 'GET', path, { headers }), {} as Context)).body?.length) * 0.75;
      const { text } = await createCaller(handler, routes)('GET', `/docs?lang=${lang}`);
      const own = [...text.matchAll(/(?:src|href)="(\/docs\/(?:guide|docs)-[^"]+)"/g)].map(([, path]) => path ?? '');
      expect(own).toHaveLength(2);
      const sizes = await Promise.all([`/docs?lang=${lang}`, ...own].map(bytesOf));
      expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(24 * 1024);
    },
  );

  test.each([
    ['en', /<tr><th scope="row"><code>(\w+)<\/code><\/th><td>([^<]*)<\/td>()<\/tr>/g, ''],
    [
      'ja',
      /<th scope="row"><code>(\w+)<\/code><\/th><td><span lang="en">([^<]*)<\/span><\/td><td>([^<]*)<\/td>/g,
      expect.stringMatching(/[ぁ-ん].*。$/),
    ],
  ])('the guide says to the user what the clients say, and explains every code an app may get, in %s', async (lang, row, translated) => {
    const { text } = await createCaller(handler, routes)('GET', `/docs?lang=${lang}`);
    const shown = new Map([...text.matchAll(row)].map(([, code, ...sentences]) => [code, sentences]));
    expect(Object.keys(messages)).toHaveLength(25);
    for (const [code, sentence] of Object.entries(messages))
      expect([code, shown.get(code)]).toEqual([code, [escapeHtml(sentence), translated]]);
    for (const code of runtimeCodes) expect(text).toContain(`<code>${code}</code>`);
  });

  describe('in Japanese', () => {
    const pages = async () => {
      const call = createCaller(handler, routes);
      return Promise.all(['en', 'ja'].map(async (lang) => (await call('GET', `/docs?lang=${lang}`)).text));
    };
    const foundIn = (text: string | undefined, pattern: RegExp) => [...(text ?? '').matchAll(pattern)].map(([, found]) => found);

    test('the guide has the same sections, examples and links as in English', async () => {
      const [en, ja] = await pages();
      for (const [pattern, fewest] of [
        [/<h2 id="([^"]+)"/g, 9],
        [/<h3( id="[^"]+")?>/g, 10],
        [/<pre tabindex="0"><code>(.*?)<\/code><\/pre>/gs, 40],
        [/(<table)/g, 6],
      ] as const) {
        expect(foundIn(ja, pattern).length).toBeGreaterThanOrEqual(fewest);
        expect(foundIn(ja, pattern)).toEqual(foundIn(en, pattern));
      }
      const hrefs = (text: string | undefined) => foundIn(text, / href="(\/clients[^"]+|#[^"]+)"/g).sort();
      expect(hrefs(ja)).toEqual(hrefs(en));
      const rows = (text: string | undefined) => foundIn(text, /(<tr>)/g).length;
      expect(rows(ja)).toBe(rows(en));
      const codes = (text: string | undefined) => [...new Set(foundIn(text, /<code>([\w./ -]+)<\/code>/g))].sort();
      expect(codes(ja)).toEqual(codes(en));
    });

    test('every heading, cell and paragraph of the guide is in Japanese', async () => {
      const [, ja = ''] = await pages();
      const guide = ja.slice(ja.indexOf('<main'), ja.indexOf('id="states"')).replaceAll(/<figure.*?<\/figure>/gs, '');
      const parts = foundIn(guide, /<(?:h[123]|p|li|th|td|summary)(?: [^>]*)?>(.*?)<\/(?:h[123]|p|li|th|td|summary)>/gs);
      const words = parts.map((part = '') => part.replaceAll(/<(code|span lang="en")>.*?<\/\w+>/gs, '').replaceAll(/<[^>]+>/g, ''));
      const foreign = words.filter((text) => /[A-Za-z]{3,} [A-Za-z]{2,}/.test(text) && !/[ぁ-んァ-ヶ一-龠]/.test(text));
      expect(words.length).toBeGreaterThan(150);
      expect(foreign).toEqual(['Java and Kotlin']);
    });
  });

  describeInBrowser('in a browser', () => {
    let server: Awaited<ReturnType<typeof serveHandler>>;
    beforeAll(async () => {
      server = await serveHandler(handler, routes);
    });
    afterAll(() => server?.stop());

    async function openGuide(options: BrowserContextOptions = {}, script = '', path = '/docs') {
      await openWindow(options);
      await page.addInitScript(script);
      await page.goto(server.baseUrl + path);
    }
    const copied = (): Promise<string> => page.evaluate('navigator.clipboard.readText()');

    test('shows guides that have no reference without a fault', async () => {
      await openWindow();
      for (const path of ['/docs/sellers', '/docs/updates']) await page.goto(`${server.baseUrl}${path}`, { waitUntil: 'load' });
    });

    test('a button copies the block as it stands, with mouse and keyboard, in the language that a link changes to, and says so, or that it could not', async () => {
      await openGuide({ permissions: ['clipboard-read', 'clipboard-write'] });
      const language = page.locator('details.language').filter({ has: page.getByText('Python', { exact: true }) });
      await language.locator('> summary').click();
      await language.getByRole('button', { name: 'Copy: app.py' }).click();
      await page.getByRole('status').getByText('Copied').waitFor();
      const source = sourceOfSample('app.py').replaceAll('https://api.example.com', 'http://127.0.0.1:3000');
      expect(`${await copied()}\n`).toBe(source);
      await page.getByRole('button', { name: 'Copy: Request' }).focus();
      await page.keyboard.press('Enter');
      await page.waitForFunction(`navigator.clipboard.readText().then((text) => text.startsWith('curl '))`);
      expect(await copied()).toMatch(/^curl http:\/\/127\.0\.0\.1:3000\/v1\/licenses\/activate \\\n {2}-H 'content-type/);
      await page.evaluate(`navigator.clipboard.writeText = () => Promise.reject(new Error('denied'))`);
      await page.getByRole('button', { name: 'Copy: Reply' }).click();
      await page.getByRole('status').getByText('select the text').waitFor();
      const blocks = await page.locator('figure.code').count();
      expect([await page.locator('figure.code > button').count(), blocks > 10]).toEqual([blocks, true]);

      await page.getByRole('link', { name: '日本語' }).click();
      await page.getByRole('heading', { name: 'アプリ開発者向けガイド' }).waitFor();
      expect([await page.locator('html').getAttribute('lang'), await page.locator('.languages [aria-current]').textContent()]).toEqual([
        'ja',
        '日本語',
      ]);
      await page.getByRole('button', { name: 'コピー: リクエスト' }).click();
      await page.getByRole('status').getByText('コピーしました').waitFor();
      expect(await copied()).toMatch(/^curl http:\/\/127\.0\.0\.1:3000\/v1\/licenses\/activate/);
    });

    test.each([
      ['without script', { javaScriptEnabled: false }, ''],
      ['where there is no clipboard', {}, `Object.defineProperty(Navigator.prototype, 'clipboard', { value: undefined })`],
    ])('%s there is no button, and all the code', async (_, options, script) => {
      await openGuide(options, script);
      expect(await page.locator('figure.code').count()).toBeGreaterThan(10);
      expect(await page.locator('button', { hasText: 'Copy' }).count()).toBe(0);
    });

    test.each([
      ['en', 'light'],
      ['ja', 'dark'],
    ] as const)('the guide is readable on the smallest phone with every part open, in %s, %s', async (lang, colorScheme) => {
      await openGuide({ viewport: { width: 320, height: 600 }, colorScheme }, '', `/docs?lang=${lang}`);
      await page.evaluate(`document.querySelectorAll('details').forEach((part) => { part.open = true })`);
      expect(await overflowOf(page)).toBe(0);
      expect(await accessibilityFaults(page)).toEqual([]);
      expect(await isDark(page)).toBe(colorScheme === 'dark');
    });
  });
});
