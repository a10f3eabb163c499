import { randomUUID } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Context } from 'aws-lambda';
import { servePages } from '../../functions/pages/page-reply.ts';
import { routes } from '../../functions/pages/routes.ts';
import type { PageServices } from '../../functions/pages/services.ts';
import { AppError } from '../../shared/errors.ts';
import { createHandler } from '../../shared/http/create-handler.ts';
import { createLogger } from '../../shared/logger.ts';
import { createCaller, httpEvent } from '../support/http/http-event.ts';
import { sampleOffers } from '../support/samples/sample-offers.ts';

const ja = { 'accept-language': 'ja-JP,ja;q=0.9' };
const checkoutUrl = 'https://checkout.stripe.com/c/pay/cs_test_1';

let started: Parameters<PageServices['startCheckout']>[0][];
let refusal: Error | undefined;
let lines: string[];

const handler = servePages(
  createHandler<PageServices>({
    routes,
    logger: createLogger({}, (line) => lines.push(line)),
    limitRate: async () => {},
    services: {
      findOffer: async (slug) => sampleOffers.get(slug),
      async startCheckout(request) {
        if (refusal) throw refusal;
        started.push(request);
        return { checkoutUrl };
      },
      newRequestKey: randomUUID,
      baseUrl: 'https://shop.example',
    },
  }),
  { checkoutOrigins: ['https://checkout.stripe.com'] },
);
const call = createCaller(handler, routes);
const form = (fields: Record<string, string>) => ({
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams(fields).toString(),
});

beforeEach(() => {
  started = [];
  refusal = undefined;
  lines = [];
});

describe('every page', () => {
  test.each(['/p/waveform-editor-pro', '/p/free/checkout', '/complete', '/checkout/cancelled', '/onboarding/return', '/p/none', '/none'])(
    '%s forbids inline code, framing, referrers and plain HTTP',
    async (path) => {
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
    },
  );

  test.each(['/p/waveform-editor-pro', '/p/hostile', '/p/hostile/checkout', '/complete'])(
    '%s holds no inline script, style or handler, and loads from its own origin alone',
    async (path) => {
      const { text } = await call('GET', path);
      expect(text).not.toMatch(/<script(?![^>]*\ssrc="\/assets\/)|<style|\sstyle="|<iframe|<svg|<img/i);
      const withoutValues = text.replace(/="[^"]*"/g, '=""');
      expect(withoutValues).not.toMatch(/<[^>]*\son\w+\s*=/i);
      for (const [, address] of text.matchAll(/(?:src|<link rel="(?:stylesheet|icon)" href)="([^"]*)"/g)) {
        expect(address).toMatch(/^\/assets\//);
      }
    },
  );

  test.each(['/p/waveform-editor-pro', '/p/waveform-editor-pro/checkout', '/complete'])(
    '%s is under 60 KB compressed with everything it loads',
    async (path) => {
      const { text } = await call('GET', path);
      const loaded = [...text.matchAll(/"(\/assets\/[^"]+)"/g)].map(([, address]) => address ?? '');
      const parts = await Promise.all([...new Set(loaded)].map(async (address) => (await call('GET', address)).text));
      const bytes = [text, ...parts].reduce((sum, part) => sum + gzipSync(part).length, 0);
      expect(parts.length).toBeGreaterThanOrEqual(3);
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
  test('says what the law and a buyer want to know', async () => {
    const { status, text, headers } = await call('GET', `/p/${encodeURIComponent('波形エディター-pro')}`, { headers: ja });
    expect(status).toBe(200);
    expect(headers['cache-control']).toBe('public, max-age=60');
    for (const said of ['波形エディター Pro', '\uffe54,800', '税込', 'みなと工房', '3台で使えます', 'スペクトル編集'])
      expect(text).toContain(said);
    for (const said of ['購入から14日以内', 'macOS 14 以降', 'support@minato.example', '株式会社みなと工房', '03-0000-0000', '架空町1-2-3'])
      expect(text).toContain(said);
  });

  test('says that what the seller left out is given on request', async () => {
    const { text } = await call('GET', '/p/waveform-editor-pro');
    expect(text).toContain('Given without delay on request. Please write to support@harbour.example.');
    expect(text).toContain('A telephone number is given without delay on request.');
  });

  test('describes itself to search engines and previews', async () => {
    const { text } = await call('GET', `/p/${encodeURIComponent('波形エディター-pro')}`, { headers: ja });
    const address = `https://shop.example/p/${encodeURIComponent('波形エディター-pro')}`;
    expect(text).toContain(`<link rel="canonical" href="${address}">`);
    expect(text).toContain(`<link rel="alternate" hreflang="en" href="${address}?lang=en">`);
    expect(text).toContain('<meta property="og:title" content="波形エディター Pro">');
    expect(text).toContain('<meta itemprop="price" content="4800"><meta itemprop="priceCurrency" content="JPY">');
    expect(text).not.toContain('noindex');
  });

  test('offers no way to buy what is not on sale, and says so', async () => {
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

  test('of an unknown slug is a page that says so, with 404', async () => {
    const { status, text } = await call('GET', '/p/none', { headers: ja });
    expect(status).toBe(404);
    expect(text).toContain('ページが見つかりません');
  });
});

describe('the confirmation', () => {
  test('repeats product, quantity, price, payment, delivery and cancellation, and is kept by no cache', async () => {
    const { text, headers } = await call('GET', '/p/waveform-editor-pro/checkout');
    expect(headers['cache-control']).toBe('no-store');
    for (const said of ['Waveform Editor Pro', '1 license, for 3 devices', '$49.00 (USD, tax included)', 'By card, when you order'])
      expect(text).toContain(said);
    for (const said of ['as soon as payment is confirmed', 'Until you pay you can leave', 'within 14 days', 'macOS 14 or newer'])
      expect(text).toContain(said);
  });

  test('leads on to the hosted checkout, with one key per page shown', async () => {
    const { text } = await call('GET', '/p/waveform-editor-pro/checkout?lang=ja');
    const [, request_key = ''] = /name="request_key" value="([^"]+)"/.exec(text) ?? [];
    expect(text).toContain('action="/p/waveform-editor-pro/checkout?lang=ja"');
    const reply = await call('POST', '/p/waveform-editor-pro/checkout?lang=ja', form({ request_key, revision: '4' }));
    expect(reply).toMatchObject({ status: 303, headers: { location: checkoutUrl, 'cache-control': 'no-store' }, text: '' });
    expect(started).toEqual([{ slug: 'waveform-editor-pro', locale: 'ja', idempotencyKey: request_key }]);
  });

  test.each([form({ request_key: 'k'.repeat(20), revision: '3' }), form({}), {}])(
    'of a product that changed since is shown again instead',
    async (sent) => {
      const reply = await call('POST', '/p/waveform-editor-pro/checkout', sent);
      expect(reply).toMatchObject({ status: 303, headers: { location: '/p/waveform-editor-pro/checkout?changed=yes' } });
      expect(started).toEqual([]);
      expect((await call('GET', '/p/waveform-editor-pro/checkout?changed=yes')).text).toContain('The product changed');
    },
  );

  test.each([
    [new AppError('checkout_not_available'), 403, 'This product cannot be bought now'],
    [new AppError('rate_limited', 'x', { retryAfterSeconds: 7 }), 429, 'One moment, please'],
    [new AppError('dependency_unavailable'), 503, 'A service we need does not answer'],
    [new Error('secret detail'), 500, 'Something went wrong on our side'],
  ])('that fails (%s) becomes a page that says nothing was charged, with the request number', async (error, status, title) => {
    refusal = error;
    const reply = await call('POST', '/p/free/checkout', form({ revision: '4' }));
    expect(reply.status).toBe(status);
    expect(reply.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(reply.text).toContain(title);
    expect(reply.text).toContain('Nothing was charged.');
    expect(reply.text).toContain(reply.headers['x-request-id']);
    expect(reply.text).toContain('href="/p/free"');
    expect(reply.text).not.toContain('secret detail');
    if (status === 429) expect(reply.headers['retry-after']).toBe('7');
  });
});

describe('the other pages', () => {
  test('the completion page knows nothing of any purchase', async () => {
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

  test('a path that is none is a page for browsers, and the Error body for programs', async () => {
    const page = await call('GET', '/nowhere', { headers: { accept: 'text/html,*/*;q=0.8', ...ja } });
    expect(page).toMatchObject({ status: 404, text: expect.stringContaining('ページが見つかりません') });
    const error = await call('GET', '/nowhere', { headers: { accept: '*/*' } });
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
});
