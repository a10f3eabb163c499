import { createServer } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { compose } from '../../../functions/console/compose.ts';
import { settingNames } from '../../../functions/console/declaration.ts';
import { routes } from '../../../functions/console/routes.ts';
import { screenPaths } from '../../../functions/console/screens.ts';
import { type Engine, serve } from '../../../infra/local/engines/engine.ts';
import type { SettingName } from '../../../shared/config.ts';
import { createLogger } from '../../../shared/logging/logger.ts';
import { createCaller } from '../../support/http/http-event.ts';
import { consoleAssets } from '../../support/page-assets.ts';
import { sampleSettings } from '../../support/samples/sample-settings.ts';

const html = { accept: 'text/html,application/xhtml+xml' };
const bucketEndpoint = 'http://127.0.0.1:9000';
let issuerServer: Engine;
let issuer: string;
/** How the issuer answers, for its configuration. */
let answer: (issuer: string) => { status?: number; document: unknown };
let asked = 0;

const configuration = (url: string) => ({
  issuer: url,
  authorization_endpoint: 'https://login.example.com/authorize',
  token_endpoint: 'https://login.example.com/token',
  revocation_endpoint: 'https://login.example.com/revoke',
  end_session_endpoint: `${url}/logout`,
});
const answerWith = (changes: (url: string) => object) => {
  answer = (url) => ({ document: { ...configuration(url), ...changes(url) } });
};

beforeAll(async () => {
  const server = createServer((request, response) => {
    asked += 1;
    const { status = 200, document } = answer(issuer);
    const isThere = request.url === '/.well-known/openid-configuration';
    response.writeHead(isThere ? status : 404).end(typeof document === 'string' ? document : JSON.stringify(document));
  });
  issuerServer = await serve(server);
  issuer = issuerServer.endpoint;
  process.env['AWS_ENDPOINT_URL_S3'] = bucketEndpoint;
});
afterAll(() => issuerServer.stop());
beforeEach(() => {
  asked = 0;
  answerWith(() => ({}));
});

const console = (changes: Partial<Record<SettingName, string>> = {}) => {
  const settings = sampleSettings(settingNames, { CONSOLE_CLIENT_ID: 'console', OIDC_ISSUER: issuer, ...changes });
  return createCaller(compose({ settings, logger: createLogger({}, () => undefined), consoleAssets }), routes, { described: false });
};
const get = (target: string, headers: Record<string, string> = {}) => console()('GET', target, { headers });
type Reply = Awaited<ReturnType<typeof get>>;
const policyOf = ({ headers }: Reply) => headers['content-security-policy'] ?? '';
const connectedBy = (reply: Reply) => /connect-src ([^;]*)/.exec(policyOf(reply))?.[1];

describe('the shell', () => {
  test('is at every screen of each role, the same for every path and for whatever comes with it', async () => {
    for (const [role, paths] of Object.entries(screenPaths)) {
      const texts = new Set<string>();
      const ids = ['prd_01', 'a.b', '%E3%81%82', '1.0.0-beta+2'].flatMap((id) => paths.map((path) => path.replace(/:\w+/g, id)));
      const callback = `${role === 'seller' ? '/console' : '/console/admin'}/callback`;
      for (const path of [...ids, callback, `${callback}?code=a&code=b&state=%22%3E%3Cscript%3E`]) {
        const { status, headers, text } = await get(path, { Authorization: 'Bearer x', Cookie: 'a=b', 'X-User-ID': 'alice' });
        expect([path, status, headers['content-type'], headers['cache-control']]).toEqual([
          path,
          200,
          'text/html; charset=utf-8',
          'no-store',
        ]);
        texts.add(text);
      }
      expect([...texts]).toEqual([expect.stringContaining(`data-role="${role}"`)]);
      expect([...texts][0]).toContain(`src="${consoleAssets.pathOf(role === 'seller' ? 'seller-en.js' : 'admin-en.js')}"`);
    }
    expect((await get('/console/')).text).toBe((await get('/console?login_hint=new')).text);
  });

  test('speaks the language of the address, else of the browser', async () => {
    const inLanguage = async (target: string, language = '') => {
      const { text } = await get(target, { 'accept-language': language });
      return [/<html lang="(\w+)"/.exec(text)?.[1], /seller-(\w+)\./.exec(text)?.[1], /<title>(.*)<\/title>/.exec(text)?.[1]];
    };
    const [ja, en] = [
      ['ja', 'ja', 'コンソール'],
      ['en', 'en', 'Console'],
    ];
    expect(await inLanguage('/console', 'ja-JP,ja;q=0.9')).toEqual(ja);
    expect(await inLanguage('/console/products?lang=en', 'ja')).toEqual(en);
    expect(await inLanguage('/console?lang=fr&lang=ja', 'ja')).toEqual(ja);
    expect(await inLanguage('/console?lang=<b>')).toEqual(en);
  });

  test('lets in what is ours, the token endpoint and the store, and nothing else', async () => {
    const reply = await get('/console');
    expect(policyOf(reply)).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; worker-src 'self'; connect-src 'self' https://login.example.com http://127.0.0.1:9000; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types console-worker",
    );
    expect(reply.headers).toMatchObject({
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    });
    for (const name of ['access-control-allow-origin', 'set-cookie']) expect(reply.headers).not.toHaveProperty(name);
    expect(reply.text).not.toMatch(/style=|data:|<script(?![^>]* src=)/);
  });

  test('leaves out of the policy what is not there, or is at our own origin', async () => {
    const store = "'self' http://127.0.0.1:9000";
    expect(connectedBy(await console({ BUCKET_NAME: '' })('GET', '/console'))).toBe("'self' https://login.example.com");
    expect(connectedBy(await console({ PUBLIC_BASE_URL: 'https://login.example.com/' })('GET', '/console'))).toBe(store);
    // Not the issuer's own, and plain: anyone on the way could take the code.
    answerWith(() => ({ token_endpoint: `${bucketEndpoint}/token` }));
    expect(connectedBy(await get('/console'))).toBe(store);
    answerWith((url) => ({ token_endpoint: `${url}/token` }));
    expect(connectedBy(await get('/console'))).toBe(`'self' ${issuer} http://127.0.0.1:9000`);
    // While the issuer is away the shell is there to say so.
    answer = () => ({ status: 500, document: {} });
    expect(connectedBy(await get('/console'))).toBe(store);
  });
});

describe('what is no address of the console', () => {
  test.each([
    '/console/nothing',
    '/console/products//files',
    '/console/products/',
    '/console/admin/products',
    '/console/seller/callback',
    '/console/..%2Fv1',
    '/console/%00',
    '/console/assets/a/b.js',
    '/console/config.json/',
  ])('%s is a page for a browser, and an error for a program', async (target) => {
    const { status, headers, text } = await get(target, { ...html, 'accept-language': 'ja' });
    expect([status, headers['content-type'], headers['cache-control']]).toEqual([404, 'text/html; charset=utf-8', 'no-store']);
    for (const said of ['<h1>ページが見つかりません</h1>', 'href="/console"']) expect(text).toContain(said);
    expect(text).not.toContain('script');
    expect(await get(target)).toMatchObject({ status: 404, json: { code: 'route_not_found' } });
    expect(asked).toBe(0);
  });

  test('all of it is none by other methods, nor without a client', async () => {
    const targets = ['/console', '/console/products', '/console/admin', '/console/config.json', consoleAssets.pathOf('console.css')];
    for (const target of targets) for (const method of ['POST', 'OPTIONS']) expect((await console()(method, target)).status).toBe(404);
    const call = console({ CONSOLE_CLIENT_ID: '' });
    for (const target of [...targets, '/console/callback', '/console/nothing']) {
      const page = await call('GET', target, { headers: html });
      expect([page.status, page.text.includes('<h1>Page not found</h1>'), page.text.includes('/console')]).toEqual([404, true, false]);
      expect((await call('GET', target)).json?.code).toBe('route_not_found');
      expect((await call('HEAD', target)).status).toBe(404);
    }
    expect(asked).toBe(0);
  });
});

describe('GET /console/config.json', () => {
  test('says where one signs in, as whom, for what, and what forms should know', async () => {
    const call = console({ CURRENCIES: 'JPY,USD', MAX_FILE_BYTES: '1000', SELLER_STORAGE_BYTES: '5000' });
    const { headers, json } = await call('GET', '/console/config.json');
    expect([headers['cache-control'], headers['content-type']]).toEqual(['no-store', 'application/json']);
    expect(json).toEqual({
      ...configuration(issuer),
      client_id: 'console',
      scope: 'openid email',
      token: 'access',
      currencies: ['JPY', 'USD'],
      limits: { max_file_bytes: 1000, seller_storage_bytes: 5000 },
    });
  });

  test.each([undefined, '', 'ftp://login.example.com/x', 'http://login.example.com/revoke', 7, null])(
    'leaves out what the issuer lacks, or should not name: %j',
    async (revocation_endpoint) => {
      answerWith(() => ({ revocation_endpoint, end_session_endpoint: '' }));
      const { token_endpoint, ...config } = (await get('/console/config.json')).json;
      expect(token_endpoint).toBe('https://login.example.com/token');
      for (const name of ['revocation_endpoint', 'end_session_endpoint']) expect(config).not.toHaveProperty(name);
    },
  );

  test.each<[string, (url: string) => { status?: number; document: unknown }]>([
    ['is another issuer’s', (url) => ({ document: { ...configuration(url), issuer: 'https://evil.example.com' } })],
    ['is that of an issuer with a slash more', (url) => ({ document: { ...configuration(url), issuer: `${url}/` } })],
    ['names no issuer', (url) => ({ document: { ...configuration(url), issuer: undefined } })],
    ['is an error', (url) => ({ status: 500, document: configuration(url) })],
    ['is no JSON', () => ({ document: '<html>' })],
    ['is null', () => ({ document: null })],
    ['has no token endpoint', (url) => ({ document: { ...configuration(url), token_endpoint: undefined } })],
    ['has an empty endpoint', (url) => ({ document: { ...configuration(url), authorization_endpoint: '' } })],
    ['has one in plain text elsewhere', (url) => ({ document: { ...configuration(url), token_endpoint: 'http://a.example/token' } })],
    ['runs scripts', (url) => ({ document: { ...configuration(url), authorization_endpoint: 'javascript:alert(1)' } })],
    ['leads elsewhere', () => ({ status: 302, document: '' })],
    ['is too long', (url) => ({ document: { ...configuration(url), more: 'x'.repeat(300_000) } })],
  ])('is unavailable while the issuer’s document %s', async (_, fault) => {
    const call = console();
    answer = fault;
    const { status, json } = await call('GET', '/console/config.json');
    expect([status, json.code]).toEqual([503, 'dependency_unavailable']);
    // What failed is not kept.
    answerWith(() => ({}));
    expect((await call('GET', '/console/config.json')).status).toBe(200);
  });

  test.each(['http://127.0.0.1:9/issuer', ''])('is unavailable where nothing answers at %j', async (OIDC_ISSUER) => {
    expect((await console({ OIDC_ISSUER })('GET', '/console/config.json')).status).toBe(503);
  });

  test('asks the issuer once in OIDC_KEYS_SECONDS, whoever asks', async () => {
    const call = console({ OIDC_KEYS_SECONDS: '60' });
    await Promise.all([call('GET', '/console/config.json'), call('GET', '/console'), call('GET', '/console/orders')]);
    expect(asked).toBe(1);
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 61_000);
    await call('GET', '/console/config.json');
    clock.mockRestore();
    expect(asked).toBe(2);
  });
});

describe('an asset', () => {
  test.each([
    ['seller-en.js', 'text/javascript; charset=utf-8'],
    ['console.css', 'text/css; charset=utf-8'],
    ['icon.svg', 'image/svg+xml'],
  ] as const)('%s is kept for good under the name of its content', async (name, contentType) => {
    const { status, headers } = await get(consoleAssets.pathOf(name));
    expect([status, headers]).toEqual([
      200,
      expect.objectContaining({
        'content-type': contentType,
        'cache-control': 'public, max-age=31536000, immutable',
        'cross-origin-resource-policy': 'same-origin',
      }),
    ]);
    expect(asked).toBe(0);
  });

  test('that an open tab asks for by an older name is as it is now, and is not kept, but for parts of scripts', async () => {
    const { headers, text } = await get('/console/assets/hash-worker.0123456789ab.js');
    expect([headers['cache-control'], text]).toEqual(['no-cache', '/* hash-worker.js */']);
    for (const name of ['seller-base-ja', 'seller-late-en'] as const) {
      expect((await get(`/console/assets/${name}.0123456789ab.js`)).status).toBe(404);
      expect((await get(consoleAssets.pathOf(`${name}.js`))).status).toBe(200);
    }
  });

  test('may compile if it is the worker, by the policy of its own reply', async () => {
    const policy = policyOf(await get(consoleAssets.pathOf('hash-worker.js')));
    expect(policy).toBe("default-src 'none'; script-src 'self' 'wasm-unsafe-eval'");
    for (const target of ['/console', '/console/nothing', '/console/config.json', consoleAssets.pathOf('seller-en.js')])
      expect(policyOf(await get(target, html))).not.toContain('wasm');
  });

  test.each(['seller.js', 'seller-en.js', 'seller-fr.0123456789ab.js', '%2e%2e', 'icon.svg', '__proto__.x.js', 'hash-worker..css'])(
    'is not found as %s',
    async (name) => {
      expect((await get(`/console/assets/${name}`)).status).toBe(404);
    },
  );
});
