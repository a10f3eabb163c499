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
  'clients/LicenseClient.java': 'class LicenseClient {}\n',
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

const docs = (PUBLIC_BASE_URL = 'https://licenses.example.net') => {
  const settings = sampleSettings(settingNames, { PUBLIC_BASE_URL });
  return createCaller(compose({ settings, logger: createLogger({}, () => undefined), site }), routes);
};

describe('GET /docs/sellers', () => {
  test('is in the language that is asked for, and calls the service by its own address', async () => {
    const english = await docs()('GET', '/docs/sellers', { headers: { 'accept-language': 'en' } });
    expect(english).toMatchObject({ status: 200, headers: { 'content-language': 'en', 'content-type': 'text/html; charset=utf-8' } });
    expect(english.text).toContain('curl https://licenses.example.net/v1');
    expect((await docs()('GET', '/docs/sellers?lang=ja')).text).toContain('販売者向けガイド');
    expect((await docs()('GET', '/docs/updates?lang=ja')).text).toContain('アップデートのガイド');
  });
});

describe('GET /clients/{client_file}', () => {
  test.each([
    ['license-client.ts', 'text/plain; charset=utf-8'],
    ['license-client.js', 'text/javascript; charset=utf-8'],
    ['license_client.py', 'text/plain; charset=utf-8'],
    ['LicenseClient.java', 'text/plain; charset=utf-8'],
    ['lease-vectors.json', 'application/json'],
  ] as const)('serves %s as %s, to any origin, and caches may keep it for minutes', async (name, contentType) => {
    const reply = await docs()('GET', `/clients/${name}`, { headers: { origin: 'https://app.example' } });
    expect(reply).toMatchObject({ status: 200, text: files[`clients/${name}`] });
    expect(reply.headers).toMatchObject({
      'content-type': contentType,
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=300',
      'access-control-allow-origin': '*',
      vary: 'Accept-Encoding',
    });
    expect(reply.headers['content-encoding']).toBeUndefined();
  });

  test('serves the workflow with the address of the service', async () => {
    const { text } = await docs('https://a.example/?x&y')('GET', '/clients/release.yml');
    expect(text).toBe('LICENSE_SERVICE: https://a.example/?x&y\n');
  });

  test('compresses for those who take it, and says so to caches', async () => {
    const { headers, text } = await docs()('GET', '/clients/license-client.ts', { headers: { 'accept-encoding': 'br, gzip' } });
    expect(headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding', 'content-type': 'text/plain; charset=utf-8' });
    expect(text).toBe(files['clients/license-client.ts']);
  });

  test('answers 304 to who has the file, and the file to who has another', async () => {
    const { headers } = await docs()('GET', '/clients/license_client.py');
    const ask = (tag = '') => docs()('GET', '/clients/license_client.py', { headers: { 'if-none-match': tag } });
    expect(await ask(headers['etag'])).toMatchObject({ status: 304, text: '', headers: { 'cache-control': 'public, max-age=300' } });
    expect((await docs()('GET', '/clients/license-client.ts', { headers: { 'if-none-match': headers['etag']! } })).status).toBe(200);
    expect((await ask('"another"')).status).toBe(200);
  });

  test('answers HEAD as GET, without the file', async () => {
    const reply = await docs()('HEAD', '/clients/lease-vectors.json');
    expect(reply).toMatchObject({ status: 200, text: '', headers: { 'content-type': 'application/json', etag: expect.any(String) } });
  });

  test('lets a browser ask beforehand', async () => {
    const reply = await docs()('OPTIONS', '/clients/license-client.js', { headers: { origin: 'https://app.example' } });
    expect(reply).toMatchObject({
      status: 204,
      headers: { 'access-control-allow-origin': '*', 'access-control-allow-methods': 'GET' },
    });
  });

  test.each([
    'unknown.ts',
    'license-client.ts.gz',
    'notes.txt',
    'LICENSE-CLIENT.TS',
    '..%2Findex.html',
    '..%2Fopenapi.json',
    '%2e%2e%2Findex.html',
    '..%5Cindex.html',
    '.%2Flicense-client.ts',
    'license-client.ts%00',
    'index.html',
    'index.en.html',
    'clients%2Flicense-client.ts',
    'constructor',
    '__proto__',
    '%20',
  ])('knows no file %s', async (name) => {
    expect(await docs()('GET', `/clients/${name}`)).toMatchObject({ status: 404, json: { code: 'route_not_found' } });
  });

  test('has no list of its files, and takes nothing else than GET', async () => {
    const caller = docs();
    for (const path of ['/clients', '/clients/', '/clients/a/b']) expect((await caller('GET', path)).status).toBe(404);
    expect((await caller('POST', '/clients/license-client.ts')).status).toBe(404);
  });
});

describe('the address of the service', () => {
  test.each([
    ['https://licenses.example.net', 'https://licenses.example.net'],
    ['https://licenses.example.net/', 'https://licenses.example.net'],
    ['http://127.0.0.1:3000', 'http://127.0.0.1:3000'],
    ['https://a.example/?a=1&b="<i>\'', 'https://a.example/?a=1&amp;b=&quot;&lt;i&gt;&#39;'],
    ["https://a.example/$&$'$`", 'https://a.example/$&amp;$&#39;$`'],
  ])('of %s stands as text in every example of the guide', async (address, shown) => {
    const { text, headers } = await docs(address)('GET', '/docs');
    expect(text).toBe(`<title>Guide</title><pre>curl ${shown}/v1 ${shown}/docs https://api.example.org</pre>`);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
  });

  test('is in the guide also for who takes it compressed, under a tag of its own', async () => {
    const ask = (address: string) => docs(address)('GET', '/docs', { headers: { 'accept-encoding': 'gzip' } });
    const [one, other] = [await ask('https://one.example'), await ask('https://other.example')];
    expect(one.text).toContain('curl https://one.example/v1');
    expect(one.headers['content-encoding']).toBe('gzip');
    expect(one.headers['etag']).not.toBe(other.headers['etag']);
  });

  test('changes no other file', async () => {
    const caller = docs();
    expect((await caller('GET', '/openapi.json')).text).toBe(files['openapi.json']);
    expect((await caller('GET', '/clients/license-client.ts')).text).toBe(files['clients/license-client.ts']);
    expect((await caller('GET', '/docs/docs-0A1B2C.css')).text).toBe('body{}');
  });
});

describe('the language of the guide', () => {
  test.each([
    [undefined, undefined, 'en'],
    [undefined, 'ja', 'ja'],
    [undefined, 'fr, ja;q=0.8, en;q=0.5', 'ja'],
    [undefined, 'en-GB,ja;q=0.9', 'en'],
    ['ja', 'en', 'ja'],
    ['en', 'ja', 'en'],
    ['fr', 'ja', 'ja'],
    ['__proto__', undefined, 'en'],
  ])('for lang=%s and a browser that prefers %s is %s', async (lang, acceptLanguage, locale) => {
    const query = lang === undefined ? '' : `?lang=${lang}`;
    const reply = await docs()('GET', `/docs${query}`, {
      headers: acceptLanguage === undefined ? {} : { 'accept-language': acceptLanguage },
    });
    expect(reply.text).toContain(locale === 'ja' ? '<title>ガイド</title>' : '<title>Guide</title>');
    expect(reply.headers).toMatchObject({ 'content-language': locale, vary: 'Accept-Language, Accept-Encoding' });
  });

  test('has the address of the service in its examples, whichever it is', async () => {
    expect((await docs('https://one.example')('GET', '/docs?lang=ja')).text).toContain('curl https://one.example/v1');
  });

  test('is another page to caches', async () => {
    const [en, ja] = await Promise.all(['en', 'ja'].map((lang) => docs()('GET', `/docs?lang=${lang}`)));
    const again = await docs()('GET', '/docs?lang=ja', { headers: { 'if-none-match': en?.headers['etag'] ?? '' } });
    expect(again.status).toBe(200);
    expect((await docs()('GET', '/docs?lang=ja', { headers: { 'if-none-match': ja?.headers['etag'] ?? '' } })).status).toBe(304);
  });
});
