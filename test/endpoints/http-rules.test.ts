import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import * as z from 'zod/mini';
import { AppError, errorCodes } from '../../shared/errors.ts';
import { authenticateByHeaders } from '../../shared/http/authenticate.ts';
import { createHandler } from '../../shared/http/create-handler.ts';
import { type Endpoint, endpoint } from '../../shared/http/endpoint.ts';
import { errorsOf } from '../../shared/http/error-reply.ts';
import { createLogger } from '../../shared/logger.ts';
import { text } from '../../shared/schemas.ts';
import { type Catalog, createCatalog, productRequest } from '../support/catalog.ts';
import { createCaller, type RequestOptions, type TestReply } from '../support/http-event.ts';

const writes = ['PutItem', 'UpdateItem', 'DeleteItem', 'TransactWriteItems', 'BatchWriteItem'];
const json = { 'content-type': 'application/json' };

describe('bodies, against the endpoints of products', () => {
  let catalog: Catalog;
  let call: Awaited<ReturnType<Catalog['newSeller']>>['call'];
  let count = 0;

  beforeAll(async () => {
    catalog = await createCatalog();
    call = (await catalog.newSeller()).call;
  });
  beforeEach(() => {
    catalog.takeRequestCounts();
  });

  /** A refusal in the shape of the Error body, of which nothing was written. */
  const expectRefusal = (reply: TestReply, status: number, code: string) => {
    expect([reply.status, reply.json]).toEqual([status, { code, message: expect.any(String), request_id: reply.headers['x-request-id'] }]);
    expect(reply.headers['content-type']).toBe('application/json');
    expect(reply.json.message.length).toBeLessThan(2000);
    expect(Object.keys(catalog.takeRequestCounts()).filter((name) => writes.includes(name))).toEqual([]);
  };
  const fresh = (fields: Record<string, unknown> = {}) => ({ ...productRequest, name: `Thing ${++count}`, ...fields });
  /** The JSON text of a product with more text put in before the closing brace. */
  const withMore = (more: string) => `${JSON.stringify(fresh()).slice(0, -1)},${more}}`;
  const nested = (depth: number, open: string, close: string) => `${open.repeat(depth)}1${close.repeat(depth)}`;

  test.each<[string, RequestOptions, string]>([
    ['none', {}, 'invalid_json'],
    ['nothing but white space', { body: ' \n ', headers: json }, 'invalid_json'],
    ['no JSON', { body: '{"name": ', headers: json }, 'invalid_json'],
    ['text after the JSON', { body: '{} {}', headers: json }, 'invalid_json'],
    ['JSON with a comment', { body: '{/* */}', headers: json }, 'invalid_json'],
    ['a form', { body: 'name=x', headers: { 'content-type': 'application/x-www-form-urlencoded' } }, 'unsupported_media_type'],
    ['JSON as text', { body: '{}', headers: { 'content-type': 'text/plain' } }, 'unsupported_media_type'],
    ['JSON without a content type', { body: '{}' }, 'unsupported_media_type'],
    ['JSON of a type that only starts alike', { body: '{}', headers: { 'content-type': 'application/jsonx' } }, 'unsupported_media_type'],
    ['a list', { body: '[]', headers: json }, 'invalid_request'],
    ['null', { body: 'null', headers: json }, 'invalid_request'],
    ['a number', { body: '1e999', headers: json }, 'invalid_request'],
    ['text', { body: '"name"', headers: json }, 'invalid_request'],
    ['bytes that are not UTF-8', { body: Buffer.from('{"name":"\xff\xfe"}', 'latin1'), headers: json }, 'invalid_json'],
    ['half a surrogate pair in bytes', { body: Buffer.from('{"name":"\xed\xa0\x80"}', 'latin1'), headers: json }, 'invalid_json'],
    ['an overlong slash', { body: Buffer.from('{"name":"\xc0\xaf"}', 'latin1'), headers: json }, 'invalid_json'],
    ['UTF-16', { body: Buffer.from('{"name":"x"}', 'utf16le'), headers: json }, 'invalid_json'],
  ])('%s is refused', async (_, options, code) => {
    expectRefusal(await call('POST', '/v1/products', options), 400, code);
  });

  test.each([
    ['half a surrogate pair', '"other":"\\ud83d"'],
    ['the other half', '"name":"\\udc00"'],
    ['half a surrogate pair in a name', '"\\ud83d":1'],
    ['NUL in an unknown field', '"other":"a\\u0000b"'],
    ['NUL in a name', '"a\\u0000":1'],
    ['NUL deep inside', '"other":[{"a":["\\u0000"]}]'],
    ['33 levels of lists', `"other":${nested(32, '[', ']')}`],
    ['33 levels of objects', `"other":${nested(32, '{"a":', '}')}`],
    ['5,000 levels', `"other":${nested(5000, '[', ']')}`],
    ['5,000 levels of objects with __proto__', `"other":${nested(5000, '{"__proto__":', '}')}`],
    ['120,000 levels', `"other":${nested(120_000, '[', ']')}`],
  ])('a product with %s is refused', async (_, more) => {
    expectRefusal(await call('POST', '/v1/products', { body: withMore(more), headers: json }), 400, 'invalid_request');
  });

  test('32 levels are not too many', async () => {
    expect((await call('POST', '/v1/products', { body: withMore(`"other":${nested(31, '[', ']')}`), headers: json })).status).toBe(201);
  });

  test('256 KiB are taken, a byte more is not, on every endpoint', async () => {
    const start = JSON.stringify(fresh()).slice(0, -1);
    const filled = (bytes: number) => `${start},"other":"${'x'.repeat(bytes - start.length - 12)}"}`;
    expect(Buffer.byteLength(filled(256 * 1024))).toBe(256 * 1024);
    expect((await call('POST', '/v1/products', { body: filled(256 * 1024), headers: json })).status).toBe(201);
    catalog.takeRequestCounts();
    for (const body of [filled(256 * 1024 + 1), 'x'.repeat(300 * 1024), Buffer.alloc(300 * 1024)]) {
      for (const [method, target] of [
        ['POST', '/v1/products'],
        ['GET', '/v1/products'],
        ['POST', '/v1/products/prd_1/submit-review'],
      ] as const) {
        expectRefusal(await call(method, target, { body, headers: json }), 400, 'payload_too_large');
      }
      const publicReply = await catalog.publicCall('GET', '/v1/public/products/x', { body });
      expect([publicReply.status, publicReply.json.code]).toEqual([400, 'payload_too_large']);
    }
  });

  test('the size counts bytes, not characters', async () => {
    const body = JSON.stringify(fresh({ other: '🎨'.repeat(66_000) }));
    expect(body.length).toBeLessThan(256 * 1024);
    expectRefusal(await call('POST', '/v1/products', { body, headers: json }), 400, 'payload_too_large');
  });

  test.each(['application/json', 'Application/JSON; charset=utf-8', 'application/json ;charset=UTF-8', 'application/merge-patch+json'])(
    '%s is JSON',
    async (type) => {
      const reply = await call('POST', '/v1/products', { body: JSON.stringify(fresh()), headers: { 'content-type': type } });
      expect(reply.status).toBe(201);
    },
  );

  test('a byte order mark and a body in base64 change nothing', async () => {
    const body = Buffer.concat([Buffer.from('\ufeff'), Buffer.from(JSON.stringify(fresh({ description: '日本語' })))]);
    expect((await call('POST', '/v1/products', { body, headers: json })).json.description).toBe('日本語');
    const encoded = await call('POST', '/v1/products', {
      body: JSON.stringify(fresh()),
      headers: { ...json, 'content-encoding': 'identity' },
    });
    expect(encoded.status).toBe(201);
  });

  test('unknown fields are ignored, __proto__ and constructor among them', async () => {
    const more =
      '"__proto__":{"activation_limit":9,"status":"approved"},"constructor":{"prototype":{"x":1}},"status":"approved","id":"x","seller_id":"sel_x","slug":"mine","revision":9,"activationLimit":9,"activation__limit":9,"Price_Amount":1,"toString":1';
    const { status, json: product } = await call('POST', '/v1/products', { body: withMore(more), headers: json });
    expect(status).toBe(201);
    expect(product).toMatchObject({ status: 'draft', revision: 1, activation_limit: 1, price_amount: productRequest.price_amount });
    expect(product.slug).not.toBe('mine');
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
    catalog.takeRequestCounts();
    const only = await call('POST', '/v1/products', { body: `{"__proto__":${JSON.stringify(fresh())}}`, headers: json });
    expectRefusal(only, 400, 'invalid_request');
  });

  test('of duplicate keys the last wins', async () => {
    const reply = await call('POST', '/v1/products', { body: withMore('"price_amount":1,"price_amount":2'), headers: json });
    expect(reply.json.price_amount).toBe(2);
    catalog.takeRequestCounts();
    expectRefusal(await call('POST', '/v1/products', { body: withMore('"price_amount":"3"'), headers: json }), 400, 'invalid_request');
  });

  test('a refusal echoes no value', async () => {
    const marks = {
      name: 'MARK1'.repeat(60),
      currency: 'MARK2',
      support_email: 'MARK3',
      license_key_prefix: 'mark4',
      MARK5: 1,
      features: ['MARK6'.repeat(20)],
    };
    const reply = await call('POST', '/v1/products', { body: fresh(marks) });
    expectRefusal(reply, 400, 'invalid_request');
    expect(reply.text).not.toMatch(/mark\d/i);
    const query = await call('GET', '/v1/products?status=MARK1&limit=MARK2&cursor=MARK3');
    expect(query.text).not.toMatch(/MARK/);
    const path = await call('GET', '/v1/products/MARK1');
    expect(path.text).not.toMatch(/MARK/);
  });

  test('headers of 8 KiB are ignored where they mean nothing', async () => {
    const headers = { 'X-Other': 'x'.repeat(8192), 'If-None-Match': '"x",'.repeat(2000), Origin: `https://${'x'.repeat(8000)}` };
    expect((await call('GET', '/v1/products', { headers })).status).toBe(200);
    expect((await catalog.publicCall('GET', '/v1/public/products/x', { headers })).status).toBe(404);
    expectRefusal(await call('GET', '/v1/products', { headers: { 'X-User-ID': 'x'.repeat(8192) } }), 401, 'unauthenticated');
  });

  test.each([
    ['limit', 'limit='],
    ['limit', 'limit=10&limit=10'],
    ['limit', 'limit=0'],
    ['limit', 'limit=101'],
    ['limit', 'limit=-1'],
    ['limit', 'limit=1e1'],
    ['limit', 'limit=%31%30x'],
    ['limit', 'limit=+10'],
    ['cursor', 'cursor='],
    ['cursor', 'cursor=x'],
    ['cursor', 'cursor=%00'],
    ['cursor', `cursor=${'A'.repeat(5000)}`],
    ['cursor', `cursor=${Buffer.from('products prd_1').toString('base64url')}`],
    ['status', 'status='],
    ['status', 'status=Draft'],
    ['status', 'status=draft&status=approved'],
    ['status', 'status=%FF'],
  ])('a bad %s in the query is refused: %s', async (field, query) => {
    const reply = await call('GET', `/v1/products?${query}`);
    expect(reply.json.message).toMatch(new RegExp(`^${field}: `));
    expectRefusal(reply, 400, 'invalid_request');
  });

  test('every bad query value is named, and what is not known is ignored', async () => {
    const reply = await call('GET', '/v1/products?status=x&limit=0&cursor=');
    expect(reply.json.message.split('; ').map((fault: string) => fault.split(':')[0])).toEqual(['cursor', 'limit', 'status']);
    const ignored = '?other=&other=&toString=1&__proto__=x&__proto__=y&constructor=&STATUS=x&hasOwnProperty=1&%00=1&limit=5';
    expect((await call('GET', `/v1/products${ignored}`)).status).toBe(200);
  });
});

describe('order, replies and cross-origin rules', () => {
  const events: string[] = [];
  const replied = { status: 200, body: z.object({ ok: z.boolean(), none: z.optional(z.string()) }) };
  const common = { tag: 'Test', summary: 'Test', success: replied, errors: [] } as const;
  type Services = { fail?: unknown };
  const declare = (fields: Pick<Endpoint<Services>, 'operationId' | 'method' | 'path' | 'audience'> & Partial<Endpoint<Services>>) =>
    endpoint<Services>({
      ...common,
      handle: (_, services) => {
        events.push('handle');
        if (services.fail !== undefined) throw services.fail;
        return { ok: true, none: undefined, undeclared: 'hidden' };
      },
      ...(fields as object as Pick<Endpoint<Services>, 'operationId' | 'method' | 'path' | 'audience'>),
    });
  const routes = [
    declare({
      operationId: 'all',
      method: 'POST',
      path: '/v1/all/{thing_id}',
      audience: 'seller',
      rateLimit: 'checkout',
      bodyKind: 'json',
      body: z.object({ name: text(5) }),
      query: z.object({ limit: z.optional(z.string().check(z.regex(/^\d+$/))) }),
      errors: [{ code: 'seller_not_eligible', status: 400 }],
      verify: () => {
        events.push('verify');
      },
    }),
    declare({
      operationId: 'optional',
      method: 'POST',
      path: '/v1/purchases/optional',
      audience: 'anyone',
      bodyKind: 'optional-json',
      body: z.object({ name: z.optional(text(5)) }),
    }),
    declare({ operationId: 'bodyless', method: 'POST', path: '/v1/licenses/bodyless', audience: 'anyone' }),
    declare({ operationId: 'health', method: 'GET', path: '/healthz', audience: 'anyone' }),
    declare({ operationId: 'ready', method: 'GET', path: '/readyz', audience: 'anyone' }),
    declare({ operationId: 'public', method: 'GET', path: '/v1/public/x', audience: 'anyone', sensitive: true }),
    declare({ operationId: 'publicPost', method: 'POST', path: '/v1/public/x', audience: 'anyone' }),
    declare({ operationId: 'webhook', method: 'POST', path: '/v1/payment/webhook', audience: 'anyone' }),
    declare({ operationId: 'admin', method: 'GET', path: '/v1/admin/x', audience: 'admin' }),
    declare({
      operationId: 'broken',
      method: 'GET',
      path: '/v1/licenses/broken',
      audience: 'anyone',
      success: { status: 200, body: z.object({ missing: z.string() }) },
    }),
  ];
  const services: Services = {};
  const logged: string[] = [];
  let limited = false;
  const handler = createHandler<Services>({
    routes,
    services,
    logger: createLogger({}, (line) => logged.push(line)),
    authenticate: async (headers) => {
      events.push('authenticate');
      return authenticateByHeaders(headers);
    },
    adminAllowlist: ['admin@example.com', 'sub:root'],
    consoleOrigins: ['https://console.example.com', 'http://localhost:5173'],
    limitRate: async () => {
      events.push('limit');
      if (limited) throw new AppError('rate_limited', undefined, { retryAfterSeconds: 7 });
    },
  });
  const call = createCaller(handler, routes);
  const user = { 'X-User-ID': 'user-1' };

  beforeEach(() => {
    events.length = 0;
    limited = false;
    delete services.fail;
  });

  test('checks come in the order that is decided', async () => {
    const large = 'x'.repeat(300 * 1024);
    const steps: [RequestOptions, string, string, string[]][] = [
      [{ body: large }, '?limit=x', 'rate_limited', ['limit']],
      [{ body: large }, '?limit=x', 'unauthenticated', ['limit', 'authenticate']],
      [{ body: large, headers: user }, '?limit=x', 'payload_too_large', ['limit', 'authenticate']],
      [{ body: '{', headers: { ...user, ...json } }, '?limit=x', 'invalid_json', ['limit', 'authenticate', 'verify']],
      [{ body: { name: 'too long' }, headers: user }, '?limit=x', 'invalid_request', ['limit', 'authenticate', 'verify']],
      [{ body: { name: 'fits' }, headers: user }, '?limit=x', 'invalid_request', ['limit', 'authenticate', 'verify']],
    ];
    for (const [options, query, code, passed] of steps) {
      events.length = 0;
      limited = code === 'rate_limited';
      const reply = await call('POST', `/v1/all/1${query}`, options);
      expect([reply.json.code, events]).toEqual([code, passed]);
    }
    events.length = 0;
    expect((await call('POST', '/v1/all/1?limit=3', { body: { name: 'fits' }, headers: user })).status).toBe(200);
    expect(events).toEqual(['limit', 'authenticate', 'verify', 'handle']);
  });

  test('every 429 says when to come back', async () => {
    limited = true;
    const reply = await call('POST', '/v1/all/1');
    expect([reply.status, reply.json.code, reply.headers['retry-after']]).toEqual([429, 'rate_limited', '7']);
  });

  test('where the body is optional, none and {} are the same, and null is not', async () => {
    for (const options of [{}, { body: '' }, { body: '', headers: { 'content-type': 'text/plain' } }, { body: {} }]) {
      expect((await call('POST', '/v1/purchases/optional', options)).status).toBe(200);
    }
    for (const [body, code] of [
      ['null', 'invalid_request'],
      ['[]', 'invalid_request'],
      [' ', 'invalid_json'],
      ['x', 'invalid_json'],
      ['{"name":null}', 'invalid_request'],
    ]) {
      const reply = await call('POST', '/v1/purchases/optional', { body, headers: json });
      expect([reply.status, reply.json.code]).toEqual([400, code]);
    }
    expect((await call('POST', '/v1/purchases/optional', { body: '{}' })).json.code).toBe('unsupported_media_type');
  });

  test('an endpoint without request schema ignores body and content type', async () => {
    for (const options of [{ body: '{' }, { body: Buffer.from([0xff, 0]) }, { body: 'null', headers: json }]) {
      expect((await call('POST', '/v1/licenses/bodyless', options)).status).toBe(200);
    }
  });

  test('what the reply’s schema does not declare does not leave, and what has no value is left out', async () => {
    const reply = await call('GET', '/healthz');
    expect([reply.text, reply.headers['content-type']]).toEqual(['{"ok":true}', 'application/json']);
  });

  test('sensitive replies are kept by no cache, refusals too', async () => {
    expect((await call('GET', '/v1/public/x')).headers['cache-control']).toBe('no-store');
    services.fail = new AppError('order_not_paid');
    expect((await call('GET', '/v1/public/x')).headers['cache-control']).toBe('no-store');
  });

  describe('failures', () => {
    test.each<[string, () => unknown, number, string]>([
      ['an unexpected error', () => new TypeError('secret detail'), 500, 'internal_error'],
      [
        'an error with a status of its own',
        () => Object.assign(new Error('secret detail'), { statusCode: 418, expose: true, code: 'teapot' }),
        500,
        'internal_error',
      ],
      ['what is no error', () => 'secret detail', 500, 'internal_error'],
      ['nothing', () => null, 500, 'internal_error'],
      [
        'a dependency away',
        () => new AppError('dependency_unavailable', undefined, { cause: new Error('secret detail') }),
        503,
        'dependency_unavailable',
      ],
      [
        'a dependency away for long',
        () => new AppError('dependency_unavailable', undefined, { retryAfterSeconds: 30 }),
        503,
        'dependency_unavailable',
      ],
    ])('%s', async (_, fail, status, code) => {
      services.fail = fail();
      logged.length = 0;
      const reply = await call('POST', '/v1/licenses/bodyless');
      expect([reply.status, reply.json]).toEqual([
        status,
        { code, message: errorCodes[code as 'internal_error'].when, request_id: reply.headers['x-request-id'] },
      ]);
      expect(reply.text).not.toContain('secret detail');
      expect(reply.headers['retry-after']).toEqual(status === 503 ? expect.stringMatching(/^\d+$/) : undefined);
      expect(logged).toHaveLength(1);
      expect(JSON.parse(logged[0] ?? '')).toMatchObject({
        level: 'error',
        message: 'request_failed',
        code,
        requestId: reply.json.request_id,
        operation: 'bodyless',
      });
    });

    test('a reply that is not what it should be is our failure', async () => {
      expect((await call('GET', '/v1/licenses/broken')).json.code).toBe('internal_error');
    });

    test('a code has the status that the endpoint declares', async () => {
      services.fail = new AppError('seller_not_eligible');
      expect((await call('POST', '/v1/all/1', { body: { name: 'x' }, headers: user })).status).toBe(400);
      expect((await call('POST', '/v1/licenses/bodyless')).status).toBe(403);
    });
  });

  test('what no route matches is not found, with the rules of its path', async () => {
    for (const [method, path] of [
      ['GET', '/'],
      ['DELETE', '/healthz'],
      ['HEAD', '/healthz'],
      ['POST', '/healthz'],
      ['GET', '/healthz/'],
      ['GET', '/v1/all/'],
      ['OPTIONS', '/nowhere'],
      ['GET', '/v1/licenses/../healthz'],
      ['GET', '//healthz'],
      ['BREW', '/v1/all/1'],
    ] as const) {
      const reply = await call(method, path);
      expect([method, path, reply.status, reply.json]).toEqual([
        method,
        path,
        404,
        { code: 'route_not_found', message: errorCodes.route_not_found.when, request_id: reply.headers['x-request-id'] },
      ]);
    }
    expect((await call('GET', '/v1/public/nowhere')).headers['access-control-allow-origin']).toBe('*');
    expect((await call('GET', '/v1/nowhere')).headers).not.toHaveProperty('access-control-allow-origin');
  });

  test('request ids differ, and each is the one in its reply', async () => {
    const replies = await Promise.all(Array.from({ length: 5 }, () => call('GET', '/v1/admin/x')));
    expect(new Set(replies.map((reply) => reply.json.request_id)).size).toBe(5);
    expect(replies.every((reply) => reply.json.request_id === reply.headers['x-request-id'])).toBe(true);
  });

  describe('cross-origin', () => {
    const exposed = 'X-Request-Id, Retry-After, ETag';
    const anyOrigin: [string, string][] = [
      ['GET', '/v1/public/x'],
      ['POST', '/v1/purchases/optional'],
      ['POST', '/v1/licenses/bodyless'],
      ['GET', '/healthz'],
      ['GET', '/readyz'],
    ];
    const consoleOnly: [string, string][] = [
      ['POST', '/v1/all/1'],
      ['GET', '/v1/admin/x'],
    ];

    test.each(anyOrigin)('%s %s is for any origin', async (method, path) => {
      for (const headers of [{ Origin: 'https://anyone.example' }, { Origin: 'null' }, {}] as Record<string, string>[]) {
        const reply = await call(method, path, { headers });
        expect(reply.headers).toMatchObject({ 'access-control-allow-origin': '*', 'access-control-expose-headers': exposed });
        expect(reply.headers).not.toHaveProperty('access-control-allow-credentials');
        const preflight = await call('OPTIONS', path, { headers });
        expect([preflight.status, preflight.text]).toEqual([204, '']);
        expect(preflight.headers['access-control-allow-methods']?.split(', ')).toContain(method);
        expect(preflight.headers['access-control-allow-headers']).toMatch(/Content-Type/);
        expect(preflight.headers).toHaveProperty('x-request-id');
      }
    });

    test.each(consoleOnly)('%s %s is for the console’s origins alone', async (method, path) => {
      for (const Origin of ['https://console.example.com', 'http://localhost:5173']) {
        const reply = await call(method, path, { headers: { Origin } });
        expect(reply.headers).toMatchObject({
          'access-control-allow-origin': Origin,
          'access-control-expose-headers': exposed,
          vary: 'Origin',
        });
        const preflight = await call('OPTIONS', path, { headers: { Origin } });
        expect(preflight.headers).toMatchObject({
          'access-control-allow-origin': Origin,
          'access-control-allow-methods': method,
          vary: 'Origin',
        });
        expect(preflight.headers['access-control-allow-headers']).toMatch(/Authorization/);
      }
      for (const Origin of [
        'https://console.example.com.evil.example',
        'https://CONSOLE.example.com',
        'http://console.example.com',
        'null',
        '*',
        '',
      ]) {
        for (const verb of [method, 'OPTIONS']) {
          const reply = await call(verb, path, { headers: { Origin } });
          expect(reply.headers).not.toHaveProperty('access-control-allow-origin');
          expect(reply.headers['vary']).toBe('Origin');
          if (verb === 'OPTIONS') expect(reply.status).toBe(204);
        }
      }
    });

    test('webhooks are for none', async () => {
      const reply = await call('POST', '/v1/payment/webhook', { headers: { Origin: 'https://console.example.com' } });
      expect(reply.headers).not.toHaveProperty('access-control-allow-origin');
      const preflight = await call('OPTIONS', '/v1/payment/webhook', { headers: { Origin: 'https://console.example.com' } });
      expect([preflight.status, preflight.headers['access-control-allow-origin']]).toEqual([204, undefined]);
    });

    test('a preflight comes before limits and authentication, and names every method of the path', async () => {
      limited = true;
      expect((await call('OPTIONS', '/v1/all/1')).status).toBe(204);
      expect(events).toEqual([]);
      expect((await call('OPTIONS', '/v1/public/x')).headers['access-control-allow-methods']).toBe('GET, POST');
    });
  });

  test('an endpoint documents every code that its kind can send', () => {
    const codes = (operationId: string) => {
      const route = routes.find((candidate) => candidate.operationId === operationId);
      return route ? errorsOf(route).map(({ code, status }) => `${code} ${status}`) : [];
    };
    expect(codes('all').sort()).toEqual([
      'dependency_unavailable 503',
      'internal_error 500',
      'invalid_json 400',
      'invalid_request 400',
      'payload_too_large 400',
      'rate_limited 429',
      'seller_not_eligible 400',
      'unauthenticated 401',
      'unsupported_media_type 400',
    ]);
    expect(codes('admin').sort()).toEqual(['dependency_unavailable 503', 'forbidden 403', 'internal_error 500', 'payload_too_large 400']);
  });
});
