import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from '@jest/globals';
import { compose } from '../../functions/docs/compose.ts';
import { settingNames } from '../../functions/docs/declaration.ts';
import { routes } from '../../functions/docs/routes.ts';
import { readSite } from '../../functions/docs/site.ts';
import { createLogger } from '../../shared/logging/logger.ts';
import { createCaller } from '../support/http/http-event.ts';
import { sampleSettings } from '../support/samples/sample-settings.ts';

const files = {
  'openapi.json': '{"openapi":"3.1.0","servers":[{"url":"https://api.example.com"}]}',
  'index.en.html': '<title>Guide</title><pre>curl https://api.example.com/v1 https://api.example.com/docs https://api.example.org</pre>',
  'index.ja.html': '<title>ガイド</title><pre>curl https://api.example.com/v1</pre>',
  'sellers.en.html': '<title>Guide for sellers</title><pre>curl https://api.example.com/v1</pre>',
  'sellers.ja.html': '<title>販売者向けガイド</title>',
  'updates.en.html': '<title>Guide to updates</title>',
  'updates.ja.html': '<title>アップデートのガイド</title>',
  'docs-0A1B2C.css': 'body{}',
  'clients/license-client.ts': '/** Ein Klient für Geräte. */\nconst baseUrl = "https://api.example.com";\n',
  'clients/license-client.js': 'export {};\n',
  'clients/license_client.py': 'pass\n',
  'clients/lease-vectors.json': '{"vectors":[]}',
  'clients/release.yml': 'LICENSE_SERVICE: https://api.example.com\n',
};
const folder = mkdtempSync(join(tmpdir(), 'docs-files-'));
for (const [name, content] of Object.entries(files)) {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, `${name}.gz`), gzipSync(content));
}
writeFileSync(join(folder, 'clients/notes.txt'), 'Only what the build compressed is of the site.');
const site = readSite(folder);
afterAll(() => rmSync(folder, { recursive: true }));

const docs = (PUBLIC_BASE_URL = 'https://licenses.example.net') =>
  createCaller(
    compose({ settings: sampleSettings(settingNames, { PUBLIC_BASE_URL }), logger: createLogger({}, () => undefined), site }),
    routes,
  );
const get = (target: string, headers: Record<string, string> = {}) => docs()('GET', target, { headers });

describe('the file of a client', () => {
  test.each([
    ['license-client.ts', 'text/plain; charset=utf-8'],
    ['license-client.js', 'text/javascript; charset=utf-8'],
    ['license_client.py', 'text/plain; charset=utf-8'],
    ['lease-vectors.json', 'application/json'],
  ] as const)('is served as it is under its name, to any origin, for minutes: %s as %s', async (name, contentType) => {
    const { text, headers } = await get(`/clients/${name}`, { origin: 'https://app.example' });
    expect(text).toBe(files[`clients/${name}`]);
    expect(headers).toMatchObject({
      'content-type': contentType,
      'cache-control': 'public, max-age=300',
      'access-control-allow-origin': '*',
      vary: 'Accept-Encoding',
    });
    expect(headers['content-encoding']).toBeUndefined();
  });

  test('is compressed for those who take it, and left out for who has it', async () => {
    const zipped = await get('/clients/license-client.ts', { 'accept-encoding': 'br, gzip' });
    expect(zipped.headers).toMatchObject({
      'content-encoding': 'gzip',
      vary: 'Accept-Encoding',
      'content-type': 'text/plain; charset=utf-8',
    });
    expect(zipped.text).toBe(files['clients/license-client.ts']);
    const etag = (await get('/clients/license_client.py')).headers['etag'] ?? '';
    const again = await get('/clients/license_client.py', { 'if-none-match': etag });
    expect(again).toMatchObject({ status: 304, text: '', headers: { 'cache-control': 'public, max-age=300' } });
    expect((await get('/clients/license-client.ts', { 'if-none-match': etag })).status).toBe(200);
  });

  test.each([
    'unknown.ts',
    'license-client.ts.gz',
    'notes.txt',
    'LICENSE-CLIENT.TS',
    '..%2Fopenapi.json',
    '..%5Cindex.html',
    '.%2Flicense-client.ts',
    'license-client.ts%00',
    'index.en.html',
    'clients%2Flicense-client.ts',
    '__proto__',
    '%20',
    '',
    'a/b',
  ])('is none at %j', async (name) => {
    expect(await get(`/clients/${name}`)).toMatchObject({ status: 404, json: { code: 'route_not_found' } });
  });
});

describe('the address of the service', () => {
  test.each([
    ['https://licenses.example.net/', 'https://licenses.example.net'],
    ['http://127.0.0.1:3000', 'http://127.0.0.1:3000'],
    ['https://a.example/?a=1&b="<i>\'', 'https://a.example/?a=1&amp;b=&quot;&lt;i&gt;&#39;'],
    ["https://a.example/$&$'$`", 'https://a.example/$&amp;$&#39;$`'],
  ])('of %s stands as text in every example of the guide', async (address, shown) => {
    const { text, headers } = await docs(address)('GET', '/docs');
    expect(text).toBe(`<title>Guide</title><pre>curl ${shown}/v1 ${shown}/docs https://api.example.org</pre>`);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
  });

  test('is in the guide also for who takes it compressed, under a tag of its own, in the description and the workflow, and in no other file', async () => {
    const zipped = (address: string) => docs(address)('GET', '/docs', { headers: { 'accept-encoding': 'gzip' } });
    const [one, other] = [await zipped('https://one.example'), await zipped('https://other.example')];
    expect([one.text.includes('curl https://one.example/v1'), one.headers['content-encoding']]).toEqual([true, 'gzip']);
    expect(one.headers['etag']).not.toBe(other.headers['etag']);
    expect((await docs('https://a.example/?x&y')('GET', '/clients/release.yml')).text).toBe('LICENSE_SERVICE: https://a.example/?x&y\n');
    expect(JSON.parse((await docs('https://a.example/?"\\')('GET', '/openapi.json')).text).servers).toEqual([
      { url: 'https://a.example/?"\\' },
    ]);
    expect((await get('/docs/docs-0A1B2C.css')).text).toBe('body{}');
  });
});

describe('the language of the guide', () => {
  test.each([
    ['', '', 'en'],
    ['', 'fr, ja;q=0.8, en;q=0.5', 'ja'],
    ['?lang=ja', 'en', 'ja'],
    ['?lang=en', 'ja', 'en'],
    ['?lang=fr', 'ja', 'ja'],
    ['?lang=__proto__', '', 'en'],
  ])('for %j and a browser that prefers %j is %s', async (query, acceptLanguage, locale) => {
    const { text, headers } = await get(`/docs${query}`, { 'accept-language': acceptLanguage });
    expect(text).toContain(locale === 'ja' ? '<title>ガイド</title>' : '<title>Guide</title>');
    expect(text).toContain('curl https://licenses.example.net/v1');
    expect(headers).toMatchObject({ 'content-language': locale, vary: 'Accept-Language, Accept-Encoding' });
  });

  test('is that of the other guides', async () => {
    const english = await get('/docs/sellers', { 'accept-language': 'en' });
    expect(english).toMatchObject({
      headers: { 'content-language': 'en' },
      text: expect.stringContaining('curl https://licenses.example.net/v1'),
    });
    expect((await get('/docs/sellers?lang=ja')).text).toContain('販売者向けガイド');
    expect((await get('/docs/updates?lang=ja')).text).toContain('アップデートのガイド');
  });

  test('is another page to caches', async () => {
    const etag = (await get('/docs?lang=en')).headers['etag'] ?? '';
    expect((await get('/docs?lang=ja', { 'if-none-match': etag })).status).toBe(200);
    expect((await get('/docs?lang=en', { 'if-none-match': etag })).status).toBe(304);
  });
});
