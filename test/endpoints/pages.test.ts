import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Context } from 'aws-lambda';
import { activateOfflineDeviceRoute } from '../../functions/licenses/activate-offline-device.ts';
import { routes } from '../../functions/pages/routes.ts';
import { errorsOfEndpoint } from '../../shared/http/error-reply.ts';
import { runtimeCodes } from '../../shared/licenses/runtime-license.ts';
import { createCaller, httpEvent, type TestReply } from '../support/http/http-event.ts';
import { createHostedCheckouts, createPageHarness } from '../support/scenes/pages/page-harness.ts';

const ja = { 'accept-language': 'ja-JP,ja;q=0.9' };
const hostedBase = 'https://checkout.stripe.com/c/pay';

/** The payment provider, as far as it opens hosted checkouts. */
let provider: Server;
let paymentApiBase: string;
let refusal: { status: number; error?: object } | undefined;
let asked: URLSearchParams[];
let tableFailure: Error | undefined;
let handler: Awaited<ReturnType<typeof createPageHarness>>['handler'];
let call: ReturnType<typeof createCaller>;

const inStaging = {
  STAGE: 'staging',
  AUTH_MODE: 'oidc',
  PUBLIC_BASE_URL: 'https://shop.example',
  // Local defaults, which are refused here.
  PAYMENT_API_BASE: '',
  PAYMENT_WEBHOOK_SECRET: '',
  PAYMENT_CONNECT_WEBHOOK_SECRET: '',
};

beforeAll(async () => {
  const checkouts = createHostedCheckouts(hostedBase);
  provider = createServer(async (request, response) => {
    const params = new URLSearchParams(await readText(request));
    if (request.method === 'POST') asked.push(params);
    const { status, error } = refusal ?? { status: 200 };
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(error ? { error } : request.method === 'POST' ? checkouts.open(params) : checkouts.find(request.url)));
  });
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
  paymentApiBase = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
  const faults = {
    async call<T>(name: string, make: () => Promise<T>): Promise<T> {
      if (tableFailure && name === 'TransactWriteItems') throw tableFailure;
      return make();
    },
  };
  ({ handler } = await createPageHarness({ paymentApiBase, settings: inStaging, faults }));
  call = createCaller(handler, routes);
});
afterAll(async () => {
  provider.closeAllConnections();
  await new Promise((resolve) => provider.close(resolve));
});
const form = (fields: Record<string, string>) => ({
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams(fields).toString(),
});

beforeEach(() => {
  asked = [];
  refusal = undefined;
  tableFailure = undefined;
});

describe('every page', () => {
  test.each([
    '/p/waveform-editor-pro',
    '/p/waveform-editor-pro/releases',
    '/p/free/checkout',
    '/complete',
    '/receipt',
    '/manage',
    '/activate',
    '/checkout/cancelled',
    '/onboarding/return',
    '/p/none',
    '/none',
  ])('%s forbids inline code, framing, referrers and plain HTTP', async (path) => {
    const { headers } = await call('GET', path, { headers: { accept: 'text/html' } });
    const policy = headers['content-security-policy'] ?? '';
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("base-uri 'none'");
    expect(policy).not.toMatch(/unsafe|\*|data:/);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'strict-transport-security': expect.stringContaining('max-age=63072000'),
      'x-request-id': expect.any(String),
    });
  });

  test.each(['/p/waveform-editor-pro', '/p/hostile', '/p/hostile/checkout', '/complete', '/receipt', '/manage', '/activate'])(
    '%s holds no inline script, style or handler, and loads from its own origin alone',
    async (path) => {
      const { text } = await call('GET', path);
      expect(text).not.toMatch(/<script(?! type="application\/ld\+json">|[^>]*\ssrc="\/assets\/)|<style|\sstyle="|<iframe|<svg|<img/i);
      const withoutValues = text.replace(/="[^"]*"/g, '=""');
      expect(withoutValues).not.toMatch(/<[^>]*\son\w+\s*=/i);
      for (const [, address] of text.matchAll(/(?:src|<link rel="(?:stylesheet|icon)" href)="([^"]*)"/g)) {
        expect(address).toMatch(/^\/assets\//);
      }
    },
  );

  test.each(['/p/waveform-editor-pro', '/p/waveform-editor-pro/checkout', '/complete', '/receipt', '/activate'])(
    '%s is under 60 KB compressed with everything it loads',
    async (path) => {
      const { text } = await call('GET', path);
      const loaded = [...text.matchAll(/"(\/assets\/[^"]+)"/g)].map(([, address]) => address ?? '');
      const parts = await Promise.all([...new Set(loaded)].map(async (address) => (await call('GET', address)).text));
      const bytes = [text, ...parts].reduce((sum, part) => sum + gzipSync(part).length, 0);
      expect(parts.length).toBeGreaterThanOrEqual(path === '/p/waveform-editor-pro' ? 2 : 3);
      expect(bytes).toBeLessThan(60 * 1024);
    },
  );

  test('comes in the language the browser prefers, or the one the address names, and links keep the latter', async () => {
    const english = await call('GET', '/p/waveform-editor-pro');
    expect(english.text).toContain('<html lang="en">');
    expect(english.headers['vary']).toContain('Accept-Language');
    const japanese = await call('GET', '/p/waveform-editor-pro', { headers: ja });
    expect(japanese.text).toContain('<html lang="ja">');
    expect(japanese.text).toContain('特定商取引法に基づく表記');
    expect(japanese.text).toContain('href="/p/waveform-editor-pro/checkout"');
    const chosen = await call('GET', '/p/waveform-editor-pro?lang=en', { headers: ja });
    expect(chosen.text).toContain('<html lang="en">');
    expect(chosen.text).toContain('href="/p/waveform-editor-pro/checkout?lang=en"');
  });

  test('is compressed for browsers that take it', async () => {
    const reply = await handler(httpEvent(routes, 'GET', '/complete', { headers: { 'accept-encoding': 'br, gzip' } }), {} as Context);
    expect(reply.headers).toMatchObject({ 'Content-Encoding': 'gzip', Vary: 'Accept-Language, Accept-Encoding' });
    expect(gunzipSync(Buffer.from(reply.body ?? '', 'base64')).toString()).toContain('</html>');
    const refused = await handler(httpEvent(routes, 'GET', '/complete', { headers: { 'accept-encoding': 'gzip;q=0' } }), {} as Context);
    expect(refused.headers).not.toHaveProperty('Content-Encoding');
  });
});

describe('the product page', () => {
  test('shows what the law demands and a buyer needs', async () => {
    const { status, text, headers } = await call('GET', `/p/${encodeURIComponent('波形エディター-pro')}`, { headers: ja });
    expect(status).toBe(200);
    expect(headers['cache-control']).toBe('public, max-age=60');
    for (const said of ['波形エディター Pro', '\uffe54,800', '税込', 'みなと工房', '3台で使えます', 'スペクトル編集'])
      expect(text).toContain(said);
    for (const said of ['購入から14日以内', 'macOS 14 以降', 'support@minato.example', '株式会社みなと工房', '03-0000-0000', '架空町1-2-3'])
      expect(text).toContain(said);
  });

  test('states that what the seller left out is given on request', async () => {
    const { text } = await call('GET', '/p/waveform-editor-pro');
    expect(text).toContain('Disclosed without delay on request. Please write to support@harbour.example.');
    expect(text).toContain('A telephone number is disclosed without delay on request.');
  });

  test('describes itself to search engines and previews', async () => {
    const { text } = await call('GET', `/p/${encodeURIComponent('波形エディター-pro')}`, { headers: ja });
    const address = `https://shop.example/p/${encodeURIComponent('波形エディター-pro')}`;
    expect(text).toContain(`<link rel="canonical" href="${address}">`);
    expect(text).toContain(`<link rel="alternate" hreflang="en" href="${address}?lang=en">`);
    expect(text).toContain('<meta property="og:title" content="波形エディター Pro">');
    expect(text).not.toContain('noindex');
  });

  test('has no order button for what is not on sale, and shows why', async () => {
    const { text } = await call('GET', '/p/not-on-sale');
    expect(text).toContain('Not on sale at the moment');
    expect(text).not.toContain('/p/not-on-sale/checkout');
    expect((await call('GET', '/p/not-on-sale/checkout')).text).not.toContain('<form class="confirm"');
  });

  test('shows what a seller wrote as text, whatever it holds', async () => {
    const { text } = await call('GET', '/p/hostile');
    expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&quot;&gt;&lt;img src=x onerror=alert(1)&gt;');
    expect(text).toContain('&lt;iframe src=&quot;https://evil.example&quot;&gt;');
  });

  test('of an unknown slug is an error page with 404', async () => {
    const { status, text } = await call('GET', '/p/none', { headers: ja });
    expect(status).toBe(404);
    expect(text).toContain('ページが見つかりません');
  });
});

describe('the confirmation', () => {
  test('repeats product, quantity, price, payment, delivery and cancellation, and is kept by no cache', async () => {
    const { text, headers } = await call('GET', '/p/waveform-editor-pro/checkout');
    expect(headers['cache-control']).toBe('no-store');
    for (const said of [
      'Waveform Editor Pro',
      '1 license, for 3 devices',
      '$49.00 (USD, tax included)',
      'By card, when you place the order',
    ])
      expect(text).toContain(said);
    for (const said of [
      'as soon as payment is confirmed',
      'You can leave at any time before you pay',
      'within 14 days',
      'macOS 14 or newer',
    ])
      expect(text).toContain(said);
  });

  test('leads on to the hosted checkout, with one key per page shown and language', async () => {
    const { text } = await call('GET', '/p/waveform-editor-pro/checkout?lang=ja');
    const [, request_key = ''] = /name="request_key" value="([^"]+)"/.exec(text) ?? [];
    expect(text).toContain('action="/p/waveform-editor-pro/checkout?lang=ja"');
    for (let sent = 0; sent < 2; sent += 1) {
      const reply = await call('POST', '/p/waveform-editor-pro/checkout?lang=ja', form({ request_key, revision: '4' }));
      const location = `${hostedBase}/waveform-editor-pro`;
      expect(reply).toMatchObject({ status: 303, headers: { location, 'cache-control': 'no-store' }, text: '' });
    }
    await call('POST', '/p/waveform-editor-pro/checkout?lang=en', form({ request_key, revision: '4' }));
    expect(asked.map((request) => request.get('locale'))).toEqual(['ja', 'en']);
    expect(new Set(asked.map((request) => request.get('client_reference_id'))).size).toBe(2);
    expect(asked[0]?.get('success_url')).toMatch(/^https:\/\/shop\.example\/complete\?lang=ja#token=/);
  });

  test.each([form({ request_key: 'k'.repeat(20), revision: '3' }), form({}), {}])(
    'of a product that changed since is shown again instead',
    async (sent) => {
      const reply = await call('POST', '/p/waveform-editor-pro/checkout', sent);
      expect(reply).toMatchObject({ status: 303, headers: { location: '/p/waveform-editor-pro/checkout?changed=yes' } });
      expect(asked).toEqual([]);
      expect((await call('GET', '/p/waveform-editor-pro/checkout?changed=yes')).text).toContain('The product changed');
    },
  );

  const order = (slug: string) => call('POST', `/p/${slug}/checkout`, form({ revision: '4' }));
  const failures: Record<string, () => Promise<TestReply>> = {
    checkout_not_available: () => order('not-on-sale'),
    async rate_limited() {
      const pages = await createPageHarness({ paymentApiBase, settings: { ...inStaging, RATE_LIMIT_CHECKOUT: '1' } });
      const orderThere = () => createCaller(pages.handler, routes)('POST', '/p/free/checkout', form({ revision: '4' }));
      await orderThere();
      return orderThere();
    },
    dependency_unavailable() {
      refusal = { status: 503, error: { type: 'api_error' } };
      return order('free');
    },
    price_not_chargeable() {
      refusal = { status: 400, error: { type: 'invalid_request_error', code: 'amount_too_small', message: 'secret detail' } };
      return order('free');
    },
    'an unexpected failure'() {
      tableFailure = new Error('secret detail');
      return order('free');
    },
  };
  test.each([
    ['checkout_not_available', 403, 'This product cannot be bought now'],
    ['price_not_chargeable', 400, 'This product cannot be bought now'],
    ['rate_limited', 429, 'One moment, please'],
    ['dependency_unavailable', 503, 'A service we depend on is not responding'],
    ['an unexpected failure', 500, 'Something went wrong on our side'],
  ])('that fails (%s) becomes a page that states that nothing was charged, with the request number', async (failure, status, title) => {
    const reply = await failures[failure]!();
    expect(reply.status).toBe(status);
    expect(reply.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(reply.text).toContain(title);
    expect(reply.text).toContain('Nothing was charged.');
    expect(reply.text).toContain(reply.headers['x-request-id']);
    expect(reply.text).toMatch(/href="\/p\/(free|not-on-sale)"/);
    expect(reply.text).not.toContain('secret detail');
    if (status === 429) expect(Number(reply.headers['retry-after'])).toBeGreaterThan(50);
  });

  test.each<[string, Record<string, string>, string]>([
    ['in the cloud', inStaging, "form-action 'self' https://checkout.stripe.com;"],
    [
      'in the local stack',
      { PAYMENT_API_BASE: 'http://127.0.0.1:3001' },
      "form-action 'self' https://checkout.stripe.com http://127.0.0.1:* http://localhost:* http://127.0.0.1:3001;",
    ],
  ])('may lead to the hosted checkout alone %s', async (_, settings, policy) => {
    const pages = await createPageHarness({ paymentApiBase, settings });
    const { headers } = await createCaller(pages.handler, routes)('GET', '/p/free/checkout');
    expect(headers['content-security-policy']).toContain(policy);
  });
});

describe('the activation page', () => {
  test('comes in both languages, holds nothing of any license, and asks not to be listed', async () => {
    const english = await call('GET', '/activate');
    expect(english).toMatchObject({ status: 200, headers: { 'cache-control': 'public, max-age=60' } });
    expect(english.headers['vary']).toContain('Accept-Language');
    expect(english.headers).not.toHaveProperty('set-cookie');
    expect(english.text).toContain('<h1>Activate a device without internet access</h1>');
    expect(english.text).toContain('<meta name="robots" content="noindex">');
    expect(english.text).toContain('href="/activate?lang=ja"');
    const japanese = await call('GET', '/activate', { headers: ja });
    expect(japanese.text).toContain('<html lang="ja">');
    expect(japanese.text).toContain('<h1>インターネットに接続できない端末で使う</h1>');
    const chosen = await call('GET', '/activate?lang=en', { headers: ja });
    expect(chosen.text.replace('/manage?lang=en', '/manage')).toBe(english.text);
  });

  test('is told to HEAD without its text', async () => {
    const [got, head] = [await call('GET', '/activate'), await call('HEAD', '/activate')];
    expect(head).toMatchObject({ status: 200, text: '' });
    for (const name of ['content-type', 'cache-control', 'content-security-policy', 'referrer-policy'])
      expect(head.headers[name]).toBe(got.headers[name]);
  });

  test('has a form that no browser can send by itself, fill by itself or complete', async () => {
    const { text } = await call('GET', '/activate');
    const [form = ''] = /<form.*<\/form>/s.exec(text) ?? [];
    expect(form).toMatch(/^<form [^>]*autocomplete="off"[^>]* hidden>/);
    expect(form).not.toMatch(/\s(name|action|value)="/);
    for (const id of ['license-key', 'request-code']) {
      const [field = ''] = new RegExp(`<(input|textarea) id="${id}"[^>]*>`).exec(form) ?? [];
      for (const rule of ['autocomplete="off"', 'autocorrect="off"', 'spellcheck="false"', 'autocapitalize="'])
        expect(field).toContain(rule);
      expect(field).toContain(`aria-describedby="${id}-hint ${id}-fault"`);
    }
  });

  test.each([
    ['en', 'This page needs JavaScript to get the license file.'],
    ['ja', 'ライセンスファイルの受け取りには JavaScript を使います。'],
  ])('says without JavaScript what it needs (%s)', async (lang, said) => {
    const { text } = await call('GET', `/activate?lang=${lang}`);
    expect(/<noscript>(.*?)<\/noscript>/s.exec(text)?.[1]).toContain(said);
  });

  test.each([
    ['license_key_missing', 'Please enter the license key.'],
    ['license_key_malformed', 'This license key seems to be mistyped or incomplete.'],
    ['license_not_found', 'No license of this app has this key.'],
    ['request_code_missing', 'Please enter the request code'],
    ['request_code_malformed', 'This request code is not complete.'],
    ['license_revoked', 'This license was revoked'],
    ['license_refunded', 'This purchase was refunded'],
    ['license_disputed', 'This payment is disputed with the card issuer'],
    ['license_suspended', 'This license is suspended'],
    ['license_expired', 'This license has expired'],
    ['license_unusable', 'This license cannot be used right now'],
    ['offline_not_offered', 'This license does not offer files'],
    ['activation_limit_exceeded', 'This license is in use on as many devices as it allows'],
    ['rate_limited', 'One moment, please'],
    ['dependency_unavailable', 'A service we depend on is not responding'],
    ['unreachable', 'We cannot reach the service'],
    ['internal_error', 'Something went wrong on our side'],
  ])('says what %s means', async (name, said) => {
    const { text } = await call('GET', '/activate');
    const words = text.split(/(?=<[^>]* data-fault=)/).find((part) => part.includes(`data-fault="${name}"`)) ?? '';
    expect(words.replaceAll(/<[^>]*>/g, '')).toContain(said);
    expect(words).toMatch(/^<[^>]* hidden>/);
  });

  test('has words for every answer of the endpoint it asks', async () => {
    const { text } = await call('GET', '/activate');
    const said = [...text.matchAll(/data-fault="(\w+)"/g)].map(([, name]) => name);
    const grants = ['valid', 'activated', 'already_activated', 'deactivated', 'not_activated'];
    const ours = ['license_key_missing', 'request_code_missing', 'request_code_malformed', 'license_unusable', 'unreachable'];
    const refusals = errorsOfEndpoint(activateOfflineDeviceRoute).map(({ code }) => code);
    // The page sends no body that is not JSON or too large, and a field that is refused has words of its own.
    const impossible = ['payload_too_large', 'unsupported_media_type', 'invalid_json', 'invalid_request'];
    const expected = [
      ...runtimeCodes.filter((code) => !grants.includes(code)),
      ...refusals.filter((code) => !impossible.includes(code)),
      ...ours,
    ];
    expect(said.toSorted()).toEqual(expected.toSorted());
  });
});

describe('the other pages', () => {
  test('the completion page holds nothing of any purchase', async () => {
    const { text, headers } = await call('GET', '/complete');
    expect(text).toContain('<meta name="robots" content="noindex">');
    expect(headers['set-cookie']).toBeUndefined();
    expect(text).toContain('<noscript>');
  });

  test('a cancelled checkout leads back to its product', async () => {
    expect((await call('GET', '/checkout/cancelled')).text).not.toContain('Back to the product');
    const slug = encodeURIComponent('波形エディター-pro');
    expect((await call('GET', `/checkout/cancelled?product=${slug}&lang=en`)).text).toContain(`href="/p/${slug}?lang=en"`);
  });

  test.each([
    ['GET', '/nowhere'],
    ['PUT', '/p/some-product'],
    ['POST', '/complete'],
  ])('%s %s, which is none, is a page for browsers, and the Error body for programs', async (method, path) => {
    const page = await call(method, path, { headers: { accept: 'text/html,*/*;q=0.8', ...ja } });
    expect(page).toMatchObject({ status: 404, text: expect.stringContaining('ページが見つかりません') });
    const error = await call(method, path, { headers: { accept: '*/*' } });
    expect(error).toMatchObject({ status: 404, json: { code: 'route_not_found' } });
  });

  test('assets are cached for good by the name of their content; older names get the present content', async () => {
    const { text } = await call('GET', '/complete');
    const [, style = ''] = /href="(\/assets\/buyer\.[0-9a-f]{12}\.css)"/.exec(text) ?? [];
    const asset = await call('GET', style);
    expect(asset.headers).toMatchObject({
      'content-type': 'text/css; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
    });
    const old = await call('GET', '/assets/buyer.000000000000.css');
    expect(old).toMatchObject({ text: asset.text, headers: { 'cache-control': 'no-cache' } });
    expect((await call('GET', '/assets/none.css')).status).toBe(404);
    expect((await call('GET', '/assets/__proto__')).status).toBe(404);
  });

  test.each([
    '//evil.example/x',
    '///evil.example/x',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example/x',
    '/./\\evil.example',
    '/.//evil.example/x',
    '/a/..//evil.example',
    '/%2e//evil.example',
    '/%5Cevil.example',
    '/%2F/evil.example',
    '/%2F%2Fevil.example',
    '/@evil.example/',
    '/:80//evil.example',
    '/p/..//evil.example',
    'https://evil.example/x',
    'javascript:alert(1)',
    '/"><a href="//evil.example">',
    '//[',
  ])('no link of the page for %j leads away from here', async (path) => {
    const event = httpEvent([], 'GET', '/', { headers: { accept: 'text/html' } });
    for (const routeKey of ['$default', 'ANY /p/{slug}']) {
      const reply = await handler({ ...event, routeKey, rawPath: path, pathParameters: { slug: 'none' } }, {} as Context);
      const links = [...String(reply.body).matchAll(/(?:href|src|action)="([^"]*)"/g)].map(([, link = '']) =>
        link.replaceAll('&amp;', '&'),
      );
      expect([reply.statusCode, links.length >= 4]).toEqual([404, true]);
      expect(links.map((link) => new URL(link, 'https://shop.example/').origin)).toEqual(links.map(() => 'https://shop.example'));
    }
  });

  test('the language switch of a page that is none stays on its path', async () => {
    const { text } = await call('GET', '/no/where%20at/all?lang=en', { headers: { accept: 'text/html' } });
    expect(text).toContain('href="/no/where%20at/all?lang=ja"');
  });
});
