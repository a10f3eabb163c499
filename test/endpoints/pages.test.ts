import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Context } from 'aws-lambda';
import { activateOfflineDeviceRoute } from '../../functions/licenses/activate-offline-device.ts';
import type { SettingName } from '../../shared/config.ts';
import { errorsOfEndpoint } from '../../shared/http/error-reply.ts';
import { runtimeCodes } from '../../shared/licenses/runtime-license.ts';
import { type createCaller, httpEvent } from '../support/http/http-event.ts';
import { createPageHarness } from '../support/scenes/pages/page-harness.ts';
import { type Checkouts, startCheckouts } from '../support/scenes/strict-checkouts.ts';

const ja = { 'accept-language': 'ja-JP,ja;q=0.9' };
const html = { accept: 'text/html,*/*;q=0.8' };
const hakei = encodeURIComponent('波形エディター-pro');
const inStaging = {
  STAGE: 'staging',
  AUTH_MODE: 'oidc',
  PUBLIC_BASE_URL: 'https://shop.example',
  // Local defaults, which are refused here.
  PAYMENT_API_BASE: '',
  PAYMENT_WEBHOOK_SECRET: '',
  PAYMENT_CONNECT_WEBHOOK_SECRET: '',
};

let provider: Checkouts;
let tableFailure: Error | undefined;
let handler: Awaited<ReturnType<typeof createPageHarness>>['handler'];
let call: ReturnType<typeof createCaller>;
const pagesWith = async (settings: Partial<Record<SettingName, string>>) =>
  (await createPageHarness({ paymentApiBase: provider.endpoint, settings })).call;

beforeAll(async () => {
  provider = await startCheckouts();
  const faults = {
    async call<T>(name: string, make: () => Promise<T>): Promise<T> {
      if (tableFailure && name === 'TransactWriteItems') throw tableFailure;
      return make();
    },
  };
  ({ handler, call } = await createPageHarness({ paymentApiBase: provider.endpoint, settings: inStaging, faults }));
});
afterAll(() => provider.stop());
beforeEach(() => {
  provider.answerWith('open');
  provider.opened.length = 0;
  tableFailure = undefined;
});

const get = (path: string, headers: Record<string, string> = {}) => call('GET', path, { headers });
const textOf = async (path: string, headers?: Record<string, string>) => (await get(path, headers)).text;
const expectAll = (text: string, ...said: string[]) => {
  for (const each of said) expect(text).toContain(each);
};
const form = (fields: Record<string, string>) => ({
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams(fields).toString(),
});

describe('every page', () => {
  test.each([
    '/p/waveform-editor-pro',
    '/p/waveform-editor-pro/releases',
    '/p/hostile',
    '/p/hostile/checkout',
    '/complete',
    '/receipt',
    '/manage',
    '/activate',
    '/checkout/cancelled',
    '/onboarding/return',
    '/p/none',
    '/none',
  ])('%s forbids and holds no inline code, framing and referrers, and loads from its own origin alone', async (path) => {
    const { headers, text } = await get(path, html);
    const policy = headers['content-security-policy'] ?? '';
    expectAll(policy, "default-src 'none'; script-src 'self'; style-src 'self'", "frame-ancestors 'none'", "base-uri 'none'");
    expect(policy).not.toMatch(/unsafe|\*|data:/);
    expect(headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'referrer-policy': 'no-referrer' });
    expect(text).not.toMatch(/<script(?! type="application\/ld\+json">|[^>]*\ssrc="\/assets\/)|<style|\sstyle="|<iframe|<svg|<img/i);
    expect(text.replace(/="[^"]*"/g, '=""')).not.toMatch(/<[^>]*\son\w+\s*=/i);
    for (const [, address] of text.matchAll(/(?:src|<link rel="(?:stylesheet|icon)" href)="([^"]*)"/g))
      expect(address).toMatch(/^\/assets\//);
  });

  test.each(['/p/waveform-editor-pro', '/p/waveform-editor-pro/checkout', '/complete', '/receipt', '/activate'])(
    '%s is under 60 KB compressed with everything it loads',
    async (path) => {
      const text = await textOf(path);
      const loaded = [...text.matchAll(/"(\/assets\/[^"]+)"/g)].map(([, address]) => address ?? '');
      const parts = await Promise.all([...new Set(loaded)].map((address) => textOf(address)));
      expect(parts.length).toBeGreaterThanOrEqual(path === '/p/waveform-editor-pro' ? 2 : 3);
      expect([text, ...parts].reduce((sum, part) => sum + gzipSync(part).length, 0)).toBeLessThan(60 * 1024);
    },
  );

  test('comes in the language the browser prefers, or the one the address names, and links keep the latter', async () => {
    const english = await get('/p/waveform-editor-pro');
    expect(english.text).toContain('<html lang="en">');
    expect(english.headers['vary']).toContain('Accept-Language');
    const japanese = await textOf('/p/waveform-editor-pro', ja);
    expectAll(japanese, '<html lang="ja">', '特定商取引法に基づく表記', 'href="/p/waveform-editor-pro/checkout"');
    const chosen = await textOf('/p/waveform-editor-pro?lang=en', ja);
    expectAll(chosen, '<html lang="en">', 'href="/p/waveform-editor-pro/checkout?lang=en"');
  });

  test('is compressed for browsers that take it', async () => {
    const { headers, text } = await get('/complete', { 'accept-encoding': 'br, gzip' });
    expect(headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Language, Accept-Encoding' });
    expect(text).toContain('</html>');
    expect((await get('/complete', { 'accept-encoding': 'gzip;q=0' })).headers).not.toHaveProperty('content-encoding');
  });
});

describe('the product page', () => {
  test('shows what the law demands and a buyer needs, and what the seller left out on request', async () => {
    const { text, headers } = await get(`/p/${hakei}`, ja);
    expect(headers['cache-control']).toBe('public, max-age=60');
    expectAll(text, '波形エディター Pro', '\uffe54,800', '税込', 'みなと工房', '3台で使えます', 'スペクトル編集', '購入から14日以内');
    expectAll(text, 'macOS 14 以降', 'support@minato.example', '株式会社みなと工房', '03-0000-0000', '架空町1-2-3');
    expect(text).not.toContain('noindex');
    const english = await textOf('/p/waveform-editor-pro');
    expectAll(english, 'Disclosed without delay on request. Please write to support@harbour.example.', 'System requirements');
    expect(english).toContain('A telephone number is disclosed without delay on request.');
  });

  test('has no order button for what is not on sale, and shows why', async () => {
    const text = await textOf('/p/not-on-sale');
    expect(text).toContain('Not on sale at the moment');
    expect(text).not.toContain('/p/not-on-sale/checkout');
    expect(await textOf('/p/not-on-sale/checkout')).not.toContain('<form class="confirm"');
  });

  test('shows what a seller wrote as text, whatever it holds', async () => {
    const text = await textOf('/p/hostile');
    expectAll(text, '&lt;script&gt;alert(1)&lt;/script&gt;&quot;&gt;&lt;img src=x onerror=alert(1)&gt;');
    expectAll(text, '&lt;iframe src=&quot;https://evil.example&quot;&gt;');
  });
});

describe('the confirmation', () => {
  const order = (slug: string, there = call) => there('POST', `/p/${slug}/checkout`, form({ revision: '4' }));

  test('repeats product, quantity, price, payment, delivery and cancellation, and is kept by no cache', async () => {
    const { text, headers } = await get('/p/waveform-editor-pro/checkout');
    expect(headers['cache-control']).toBe('no-store');
    expectAll(text, 'Waveform Editor Pro', '1 license, for 3 devices', '$49.00 (USD, tax included)', 'By card, when you place the order');
    expectAll(text, 'as soon as payment is confirmed', 'You can leave at any time before you pay', 'within 14 days', 'macOS 14 or newer');
    expect(text).toContain('System requirements');
  });

  test('leads on to the hosted checkout, with one key per page shown and language', async () => {
    const path = '/p/waveform-editor-pro/checkout';
    const text = await textOf(`${path}?lang=ja`);
    const [, request_key = ''] = /name="request_key" value="([^"]+)"/.exec(text) ?? [];
    expect(text).toContain(`action="${path}?lang=ja"`);
    for (const lang of ['ja', 'ja', 'en']) {
      const reply = await call('POST', `${path}?lang=${lang}`, form({ request_key, revision: '4' }));
      const location = [...provider.sessions.values()].at(-1)?.['url'];
      expect(reply).toMatchObject({ status: 303, headers: { location, 'cache-control': 'no-store' }, text: '' });
    }
    expect(provider.opened.map(({ params }) => params.get('locale'))).toEqual(['ja', 'en']);
    expect(new Set(provider.opened.map(({ params }) => params.get('client_reference_id'))).size).toBe(2);
    expect(provider.opened[0]?.params.get('success_url')).toMatch(/^https:\/\/shop\.example\/complete\?lang=ja#token=/);
  });

  test.each([form({ request_key: 'k'.repeat(20), revision: '3' }), form({}), {}])(
    'of a product that changed since is shown again instead',
    async (sent) => {
      const reply = await call('POST', '/p/waveform-editor-pro/checkout', sent);
      expect(reply).toMatchObject({ status: 303, headers: { location: '/p/waveform-editor-pro/checkout?changed=yes' } });
      expect(provider.opened).toEqual([]);
      expect(await textOf('/p/waveform-editor-pro/checkout?changed=yes')).toContain('The product changed');
    },
  );

  const failures: Record<string, () => ReturnType<typeof order>> = {
    checkout_not_available: () => order('not-on-sale'),
    async rate_limited() {
      const there = await pagesWith({ ...inStaging, RATE_LIMIT_CHECKOUT: '1' });
      await order('free', there);
      return order('free', there);
    },
    dependency_unavailable() {
      provider.answerWith({ status: 503, body: { error: { type: 'api_error' } } });
      return order('free');
    },
    price_not_chargeable() {
      const error = { type: 'invalid_request_error', code: 'amount_too_small', message: 'secret detail' };
      provider.answerWith({ status: 400, body: { error } });
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
    expect([reply.status, reply.headers['content-type']]).toEqual([status, 'text/html; charset=utf-8']);
    expectAll(reply.text, title, 'Nothing was charged.', reply.headers['x-request-id'] ?? '-');
    expect(reply.text).toMatch(/href="\/p\/(free|not-on-sale)"/);
    expect(reply.text).not.toContain('secret detail');
    if (status === 429) expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0);
  });

  test('may lead to the hosted checkout alone, which is at the provider and locally on this machine too', async () => {
    const policyOf = async (there = call) => (await there('GET', '/p/free/checkout')).headers['content-security-policy'];
    expect(await policyOf()).toContain("form-action 'self' https://checkout.stripe.com;");
    const local = await pagesWith({ PAYMENT_API_BASE: 'http://127.0.0.1:3001' });
    const origins = 'https://checkout.stripe.com http://127.0.0.1:* http://localhost:* http://127.0.0.1:3001';
    expect(await policyOf(local)).toContain(`form-action 'self' ${origins};`);
  });
});

describe('the activation page', () => {
  test('comes in both languages, holds nothing of any license, and asks not to be listed', async () => {
    const english = await get('/activate');
    expect(english.headers).toMatchObject({ 'cache-control': 'public, max-age=60', vary: expect.stringContaining('Accept-Language') });
    expect(english.headers).not.toHaveProperty('set-cookie');
    expectAll(english.text, '<h1>Activate a device without internet access</h1>', '<meta name="robots" content="noindex">');
    expect(english.text).toContain('href="/activate?lang=ja"');
    expectAll(await textOf('/activate', ja), '<html lang="ja">', '<h1>インターネットに接続できない端末で使う</h1>');
    expect((await textOf('/activate?lang=en', ja)).replace('/manage?lang=en', '/manage')).toBe(english.text);
  });

  test('has a form that no browser can send by itself, fill by itself or complete', async () => {
    const [form = ''] = /<form.*<\/form>/s.exec(await textOf('/activate')) ?? [];
    expect(form).toMatch(/^<form [^>]*autocomplete="off"[^>]* hidden>/);
    expect(form).not.toMatch(/\s(name|action|value)="/);
    for (const id of ['license-key', 'request-code']) {
      const [field = ''] = new RegExp(`<(input|textarea) id="${id}"[^>]*>`).exec(form) ?? [];
      expectAll(field, 'autocomplete="off"', 'autocorrect="off"', 'spellcheck="false"', 'autocapitalize="');
      expect(field).toContain(`aria-describedby="${id}-hint ${id}-fault"`);
    }
  });

  test.each([
    ['en', 'This page needs JavaScript to get the license file.'],
    ['ja', 'ライセンスファイルの受け取りには JavaScript を使います。'],
  ])('says without JavaScript what it needs (%s)', async (lang, said) => {
    expect(/<noscript>(.*?)<\/noscript>/s.exec(await textOf(`/activate?lang=${lang}`))?.[1]).toContain(said);
  });

  test('has words for every answer of the endpoint it asks', async () => {
    const words = Object.entries({
      license_key_missing: 'Please enter the license key.',
      license_key_malformed: 'This license key seems to be mistyped or incomplete.',
      license_not_found: 'No license of this app has this key.',
      request_code_missing: 'Please enter the request code',
      request_code_malformed: 'This request code is not complete.',
      license_revoked: 'This license was revoked',
      license_refunded: 'This license is no longer paid for',
      license_disputed: 'This license is on hold because of a dispute',
      license_suspended: 'This license is suspended',
      license_expired: 'This license has expired',
      license_unusable: 'This license cannot be used right now',
      offline_not_offered: 'This license does not offer files',
      activation_limit_exceeded: 'This license is in use on as many devices as it allows',
      rate_limited: 'One moment, please',
      dependency_unavailable: 'A service we depend on is not responding',
      unreachable: 'We cannot reach the service',
      internal_error: 'Something went wrong on our side',
    });
    const parts = (await textOf('/activate')).split(/(?=<[^>]* data-fault=)/);
    for (const [name, said] of words) {
      const part = parts.find((each) => each.includes(`data-fault="${name}"`)) ?? '';
      expect([name, part.replaceAll(/<[^>]*>/g, '')]).toEqual([name, expect.stringContaining(said)]);
      expect(part).toMatch(/^<[^>]* hidden>/);
    }
    const said = parts.flatMap((part) => /^<[^>]* data-fault="(\w+)"/.exec(part)?.[1] ?? []);
    const grants = ['valid', 'activated', 'already_activated', 'deactivated', 'not_activated'];
    const ours = ['license_key_missing', 'request_code_missing', 'request_code_malformed', 'license_unusable', 'unreachable'];
    const refusals = errorsOfEndpoint(activateOfflineDeviceRoute).map(({ code }) => code);
    // The page sends no body that is not JSON or too large, and a field that is refused has words of its own.
    const impossible = ['payload_too_large', 'unsupported_media_type', 'invalid_json', 'invalid_request'];
    const needed = [
      ...runtimeCodes.filter((code) => !grants.includes(code)),
      ...refusals.filter((code) => !impossible.includes(code)),
      ...ours,
    ];
    expect(said.toSorted()).toEqual(needed.toSorted());
  });
});

describe('the other pages', () => {
  test('the completion page holds nothing of any purchase, and a cancelled checkout leads back to its product', async () => {
    const { text, headers } = await get('/complete');
    expectAll(text, '<meta name="robots" content="noindex">', '<noscript>');
    expect(headers['set-cookie']).toBeUndefined();
    expect(await textOf('/checkout/cancelled')).not.toContain('Back to the product');
    expect(await textOf(`/checkout/cancelled?product=${hakei}&lang=en`)).toContain(`href="/p/${hakei}?lang=en"`);
  });

  test.each([
    ['GET', '/nowhere'],
    ['PUT', '/p/some-product'],
    ['POST', '/complete'],
  ])('%s %s, which is none, is a page for browsers, and the Error body for programs', async (method, path) => {
    const page = await call(method, path, { headers: { ...html, ...ja } });
    expect(page).toMatchObject({ status: 404, text: expect.stringContaining('ページが見つかりません') });
    const error = await call(method, path, { headers: { accept: '*/*' } });
    expect(error).toMatchObject({ status: 404, json: { code: 'route_not_found' } });
  });

  test('an address that was pasted with more behind it leads to the page, query kept, and nowhere where there is none', async () => {
    const name = '波形エディター-pro';
    const slug = encodeURIComponent(name);
    const more = encodeURIComponent('。');
    const moved: [from: string, to: string][] = [
      ...['complete', 'receipt', 'manage', 'activate'].map((page): [string, string] => [`/${page}/?lang=ja`, `/${page}?lang=ja`]),
      [`/complete${more}`, '/complete'],
      ...[`${encodeURIComponent(name.normalize('NFD'))}`, `${slug}.`, `${slug}%2F`, `${slug}${more}`, `${slug}/`].map(
        (form): [string, string] => [`/p/${form}?quantity=2&lang=ja`, `/p/${slug}?quantity=2&lang=ja`],
      ),
      [`/p/${slug}./checkout?code=A%26B`, `/p/${slug}/checkout?code=A%26B`],
      [`/p/${slug}./releases`, `/p/${slug}/releases`],
      [`/p/${slug}/releases/`, `/p/${slug}/releases`],
      [`/v1/public/products/${slug}/`, `/v1/public/products/${slug}`],
    ];
    for (const [from, to] of moved) {
      const { status, text, headers } = await get(from);
      expect([from, status, headers['location'], text]).toEqual([from, 308, to, '']);
      expect(headers).toMatchObject({ 'cache-control': 'public, max-age=60', 'x-request-id': expect.any(String) });
    }
    for (const path of ['/p/none./', '/p/none.', '/completed/', '/p//', '/v1/public/products/%00/', '/v1/products/x/']) {
      expect([path, (await get(path)).status]).toEqual([path, path === '/p/none./' ? 308 : 404]);
    }
  });

  test('assets are cached for good by the name of their content; older names get the present content', async () => {
    const [, style = ''] = /href="(\/assets\/buyer\.[0-9a-f]{12}\.css)"/.exec(await textOf('/complete')) ?? [];
    const asset = await get(style);
    const kept = { 'content-type': 'text/css; charset=utf-8', 'cache-control': 'public, max-age=31536000, immutable' };
    expect(asset.headers).toMatchObject(kept);
    const old = { text: asset.text, headers: { 'cache-control': 'no-cache' } };
    expect(await get('/assets/buyer.000000000000.css')).toMatchObject(old);
    for (const name of ['none.css', '__proto__']) expect((await get(`/assets/${name}`)).status).toBe(404);
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
    expect(await textOf('/no/where%20at/all?lang=en', html)).toContain('href="/no/where%20at/all?lang=ja"');
  });
});
