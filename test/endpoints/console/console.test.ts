import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { compose } from '../../../functions/console/compose.ts';
import { settingNames } from '../../../functions/console/declaration.ts';
import { routes } from '../../../functions/console/routes.ts';
import { screenPaths } from '../../../functions/console/screens.ts';
import type { SettingName } from '../../../shared/config.ts';
import { createLogger } from '../../../shared/logging/logger.ts';
import { createCaller } from '../../support/http/http-event.ts';
import { consoleAssets } from '../../support/page-assets.ts';
import { sampleSettings } from '../../support/samples/sample-settings.ts';

const html = { accept: 'text/html,application/xhtml+xml' };
const bucketEndpoint = 'http://127.0.0.1:9000';
let issuerServer: Server;
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

beforeAll(async () => {
  issuerServer = createServer((request, response) => {
    asked += 1;
    const { status = 200, document } = answer(issuer);
    const isThere = request.url === '/.well-known/openid-configuration';
    response.writeHead(isThere ? status : 404).end(typeof document === 'string' ? document : JSON.stringify(document));
  });
  await new Promise<void>((resolve) => issuerServer.listen(0, '127.0.0.1', resolve));
  issuer = `http://127.0.0.1:${(issuerServer.address() as AddressInfo).port}`;
  process.env['AWS_ENDPOINT_URL_S3'] = bucketEndpoint;
});
afterAll(async () => {
  issuerServer.closeAllConnections();
  await new Promise((resolve) => issuerServer.close(resolve));
});
beforeEach(() => {
  asked = 0;
  answer = (url) => ({ document: configuration(url) });
});

const console = (changes: Partial<Record<SettingName, string>> = {}) => {
  const settings = sampleSettings(settingNames, { CONSOLE_CLIENT_ID: 'console', OIDC_ISSUER: issuer, ...changes });
  return createCaller(compose({ settings, logger: createLogger({}, () => undefined), consoleAssets }), routes, { described: false });
};
type Reply = Awaited<ReturnType<ReturnType<typeof console>>>;
const policyOf = ({ headers }: Reply) => headers['content-security-policy'];
const connectedBy = (reply: Reply) => /connect-src ([^;]*)/.exec(policyOf(reply) ?? '')?.[1];

/** The path of a screen, with something in the place of ids. */
const pathOf = (screen: string, id = 'prd_1') => screen.replace(/:\w+/g, id);

describe('the shell', () => {
  const screens = Object.entries(screenPaths).flatMap(([role, paths]) => paths.map((screen) => [screen, role] as const));
  test.each([...screens, ['/console/', 'seller'], ['/console/callback', 'seller'], ['/console/admin/callback', 'admin']])(
    'is at %s, for the %s',
    async (screen, role) => {
      for (const id of ['prd_01', 'a.b', '%E3%81%82', '1.0.0-beta+2']) {
        const reply = await console()('GET', pathOf(screen, id));
        expect([reply.status, reply.headers['content-type'], reply.headers['cache-control']]).toEqual([
          200,
          'text/html; charset=utf-8',
          'no-store',
        ]);
        expect(reply.text).toContain(`data-role="${role}"`);
        expect(reply.text).toContain(`src="${consoleAssets.pathOf(role === 'seller' ? 'seller-en.js' : 'admin-en.js')}"`);
        expect(reply.text).not.toContain(id);
      }
    },
  );

  test('is the same for every path of a role, and for whatever comes with it', async () => {
    const call = console();
    const { text } = await call('GET', '/console');
    const targets = ['/console/', '/console/orders', '/console?login_hint=new', '/console/callback?code=a&code=b&state=%22%3E%3Cscript%3E'];
    for (const target of targets) expect((await call('GET', target)).text).toBe(text);
    expect((await call('GET', '/console', { headers: { Authorization: 'Bearer x', Cookie: 'a=b', 'X-User-ID': 'alice' } })).text).toBe(
      text,
    );
  });

  test('speaks the language of the address, else of the browser', async () => {
    const call = console();
    const inLanguage = async (target: string, language = '') => {
      const { text } = await call('GET', target, { headers: { 'accept-language': language } });
      return [/<html lang="(\w+)"/.exec(text)?.[1], /seller-(\w+)\./.exec(text)?.[1], /<title>(.*)<\/title>/.exec(text)?.[1]];
    };
    const [ja, en] = [
      ['ja', 'ja', 'コンソール'],
      ['en', 'en', 'Console'],
    ];
    expect(await inLanguage('/console', 'ja-JP,ja;q=0.9')).toEqual(ja);
    expect(await inLanguage('/console?lang=ja', 'en')).toEqual(ja);
    expect(await inLanguage('/console/products?lang=en', 'ja')).toEqual(en);
    expect(await inLanguage('/console?lang=fr&lang=ja', 'ja')).toEqual(ja);
    expect(await inLanguage('/console?lang=<b>')).toEqual(en);
  });

  test('answers HEAD, and compresses for those who take it', async () => {
    const call = console();
    const [get, head] = [await call('GET', '/console'), await call('HEAD', '/console')];
    expect([head.status, head.text, head.headers['cache-control']]).toEqual([200, '', get.headers['cache-control']]);
    const { headers, text } = await call('GET', '/console?lang=ja', { headers: { 'accept-encoding': 'gzip' } });
    expect([headers['content-encoding'] ?? 'none', text.includes('コンソール')]).toEqual([text.length < 1024 ? 'none' : 'gzip', true]);
  });

  test('lets in what is ours, the token endpoint and the store, and nothing else', async () => {
    const reply = await console()('GET', '/console');
    expect(policyOf(reply)).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; worker-src 'self'; connect-src 'self' https://login.example.com http://127.0.0.1:9000; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types console-worker",
    );
    expect(reply.headers).toMatchObject({
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    });
    expect(reply.headers).not.toHaveProperty('access-control-allow-origin');
    expect(reply.headers).not.toHaveProperty('set-cookie');
    expect(reply.text).not.toMatch(/style=|data:|<script(?![^>]* src=)/);
  });

  test('leaves out of the policy what is not there, or is at our own origin', async () => {
    expect(connectedBy(await console({ BUCKET_NAME: '' })('GET', '/console'))).toBe("'self' https://login.example.com");
    expect(connectedBy(await console({ PUBLIC_BASE_URL: 'https://login.example.com/' })('GET', '/console'))).toBe(
      "'self' http://127.0.0.1:9000",
    );
    answer = (url) => ({ document: { ...configuration(url), token_endpoint: `${bucketEndpoint}/token` } });
    // Not the issuer's own, and plain: anyone on the way could take the code.
    expect(connectedBy(await console()('GET', '/console'))).toBe("'self' http://127.0.0.1:9000");
    answer = (url) => ({ document: { ...configuration(url), token_endpoint: `${url}/token` } });
    expect(connectedBy(await console()('GET', '/console'))).toBe(`'self' ${issuer} http://127.0.0.1:9000`);
  });

  test('is there while the issuer is away, to say so', async () => {
    answer = () => ({ status: 500, document: {} });
    const reply = await console()('GET', '/console');
    expect([reply.status, connectedBy(reply)]).toEqual([200, "'self' http://127.0.0.1:9000"]);
  });
});

describe('what is no address of the console', () => {
  const missing = [
    '/console/nothing',
    '/console/products/prd_1/discount',
    '/console/products//files',
    '/console/products/',
    '/console/products/prd_1/files/x',
    '/console/admin/',
    '/console/admin/products',
    '/console/admin/sellers',
    '/console/seller/callback',
    '/console/callback/x',
    '/console/..%2Fv1',
    '/console/%00',
    '/console/assets',
    '/console/assets/a/b.js',
    '/console/config.json/',
  ];
  test.each(missing)('%s is a page for a browser, and an error for a program', async (target) => {
    const page = await console()('GET', target, { headers: { ...html, 'accept-language': 'ja' } });
    expect([page.status, page.headers['content-type'], page.headers['cache-control']]).toEqual([
      404,
      'text/html; charset=utf-8',
      'no-store',
    ]);
    expect(page.text).toContain('<h1>ページが見つかりません</h1>');
    expect(page.text).toContain('href="/console"');
    expect(page.text).not.toContain('script');
    const error = await console()('GET', target);
    expect([error.status, error.json]).toEqual([404, expect.objectContaining({ code: 'route_not_found' })]);
    expect(asked).toBe(0);
  });

  test.each(['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])('%s is answered by no route of it', async (method) => {
    for (const target of ['/console', '/console/products', '/console/config.json', consoleAssets.pathOf('icon.svg')]) {
      expect((await console()(method, target)).status).toBe(404);
    }
  });

  test('all of it is none without a client', async () => {
    for (const CONSOLE_CLIENT_ID of ['', undefined]) {
      const call = console({ CONSOLE_CLIENT_ID: CONSOLE_CLIENT_ID ?? '' });
      const targets = ['/console', '/console/', '/console/products', '/console/callback', '/console/admin', '/console/config.json'];
      for (const target of [...targets, consoleAssets.pathOf('console.css'), '/console/nothing']) {
        const page = await call('GET', target, { headers: html });
        expect([page.status, page.text.includes('<h1>Page not found</h1>'), page.text.includes('/console')]).toEqual([404, true, false]);
        expect((await call('GET', target)).json?.code).toBe('route_not_found');
        expect((await call('HEAD', target)).status).toBe(404);
      }
    }
    expect(asked).toBe(0);
  });
});

describe('GET /console/config.json', () => {
  const settled = { authorization_endpoint: 'https://login.example.com/authorize', token_endpoint: 'https://login.example.com/token' };

  test('says where one signs in, as whom, for what, and what forms should know', async () => {
    const reply = await console({ CURRENCIES: 'JPY,USD', MAX_FILE_BYTES: '1000', SELLER_STORAGE_BYTES: '5000' })(
      'GET',
      '/console/config.json',
    );
    expect([reply.status, reply.headers['cache-control'], reply.headers['content-type']]).toEqual([200, 'no-store', 'application/json']);
    expect(reply.json).toEqual({
      ...configuration(issuer),
      revocation_endpoint: 'https://login.example.com/revoke',
      client_id: 'console',
      scope: 'openid email',
      token: 'access',
      currencies: ['JPY', 'USD'],
      limits: { max_file_bytes: 1000, seller_storage_bytes: 5000 },
    });
    expect((await console({ CONSOLE_TOKEN: 'id' })('GET', '/console/config.json')).json.token).toBe('id');
    const head = await console()('HEAD', '/console/config.json');
    expect([head.status, head.text]).toEqual([200, '']);
  });

  test('leaves out what the issuer lacks, or should not name', async () => {
    for (const revocation of [undefined, '', 'ftp://login.example.com/x', 'http://login.example.com/revoke', 7, null]) {
      answer = (url) => ({ document: { issuer: url, ...settled, revocation_endpoint: revocation, end_session_endpoint: '' } });
      const { status, json } = await console()('GET', '/console/config.json');
      expect([status, json.token_endpoint, 'revocation_endpoint' in json, 'end_session_endpoint' in json]).toEqual([
        200,
        settled.token_endpoint,
        false,
        false,
      ]);
    }
  });

  test.each<[string, (url: string) => { status?: number; document: unknown }]>([
    ['is another issuer’s', () => ({ document: { ...settled, issuer: 'https://evil.example.com' } })],
    ['is that of an issuer with a slash more', (url) => ({ document: { ...settled, issuer: `${url}/` } })],
    ['names no issuer', () => ({ document: settled })],
    ['is an error', (url) => ({ status: 500, document: configuration(url) })],
    ['is nowhere', (url) => ({ status: 404, document: configuration(url) })],
    ['is no JSON', () => ({ document: '<html>' })],
    ['is null', () => ({ document: null })],
    ['has no token endpoint', (url) => ({ document: { ...configuration(url), token_endpoint: undefined } })],
    ['has an empty endpoint', (url) => ({ document: { ...configuration(url), authorization_endpoint: '' } })],
    [
      'has an endpoint in plain text elsewhere',
      (url) => ({ document: { ...configuration(url), token_endpoint: 'http://a.example/token' } }),
    ],
    ['runs scripts', (url) => ({ document: { ...configuration(url), authorization_endpoint: 'javascript:alert(1)' } })],
    ['leads elsewhere', () => ({ status: 302, document: '' })],
    ['is too long', (url) => ({ document: { ...configuration(url), more: 'x'.repeat(300_000) } })],
  ])('is unavailable while the issuer’s document %s', async (_, fault) => {
    const call = console();
    answer = fault;
    const { status, json } = await call('GET', '/console/config.json');
    expect([status, json.code]).toEqual([503, 'dependency_unavailable']);
    // What failed is not kept.
    answer = (url) => ({ document: configuration(url) });
    expect((await call('GET', '/console/config.json')).status).toBe(200);
  });

  test('is unavailable where nothing answers, or there is no issuer', async () => {
    for (const OIDC_ISSUER of ['http://127.0.0.1:9/issuer', '']) {
      expect((await console({ OIDC_ISSUER })('GET', '/console/config.json')).status).toBe(503);
    }
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

describe('GET /console/assets/{name}', () => {
  test.each([
    ['seller-en.js', 'text/javascript; charset=utf-8'],
    ['seller-late-ja.js', 'text/javascript; charset=utf-8'],
    ['admin-ja.js', 'text/javascript; charset=utf-8'],
    ['hash-worker.js', 'text/javascript; charset=utf-8'],
    ['console.css', 'text/css; charset=utf-8'],
    ['icon.svg', 'image/svg+xml'],
  ] as const)('%s is kept for good under the name of its content', async (name, contentType) => {
    const { status, headers } = await console()('GET', consoleAssets.pathOf(name));
    expect([status, headers]).toEqual([
      200,
      expect.objectContaining({
        'content-type': contentType,
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'same-origin',
      }),
    ]);
    expect(asked).toBe(0);
  });

  test('what an open tab asks for by an older name is as it is now, and is not kept', async () => {
    const { status, headers, text } = await console()('GET', '/console/assets/hash-worker.0123456789ab.js');
    expect([status, headers['cache-control'], text]).toEqual([200, 'no-cache', '/* hash-worker.js */']);
  });

  test('a part of a script is there for scripts of its own version alone', async () => {
    for (const name of ['seller-base-ja', 'seller-late-en'] as const) {
      expect((await console()('GET', `/console/assets/${name}.0123456789ab.js`)).status).toBe(404);
      expect((await console()('GET', consoleAssets.pathOf(`${name}.js`))).status).toBe(200);
    }
  });

  test('the worker alone may compile, by the policy of its own reply', async () => {
    const call = console();
    expect(policyOf(await call('GET', consoleAssets.pathOf('hash-worker.js')))).toBe(
      "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'",
    );
    for (const target of ['/console', '/console/nothing', '/console/config.json', consoleAssets.pathOf('seller-en.js')]) {
      expect(policyOf(await call('GET', target, { headers: html }))).not.toContain('wasm');
    }
  });

  test('any other name is not found', async () => {
    for (const name of [
      'seller.js',
      'seller-en.js',
      'seller-fr.0123456789ab.js',
      'x',
      '%2e%2e',
      'icon.svg',
      '__proto__.x.js',
      'hash-worker..css',
    ]) {
      expect((await console()('GET', `/console/assets/${name}`)).status).toBe(404);
    }
  });
});
