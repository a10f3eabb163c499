import { beforeEach, describe, expect, test } from '@jest/globals';
import * as z from 'zod/mini';
import { AppError, errorCodes } from '../../../shared/errors.ts';
import { authenticateLocally } from '../../../shared/http/callers/authenticate.ts';
import { createHandler } from '../../../shared/http/create-handler.ts';
import { type Endpoint, endpoint } from '../../../shared/http/endpoint.ts';
import { createLogger } from '../../../shared/logging/logger.ts';
import { text } from '../../../shared/schemas.ts';
import { createCaller, type RequestOptions } from '../../support/http/http-event.ts';

const json = { 'content-type': 'application/json' };

describe('order, replies and cross-origin rules', () => {
  const events: string[] = [];
  const replied = { status: 200, body: z.object({ ok: z.boolean(), none: z.optional(z.string()) }) };
  const common = { tag: 'Test', summary: 'Test', success: replied, errors: [] } as const;
  type Services = { fail?: unknown };
  const declare = (fields: Pick<Endpoint<Services>, 'operationId' | 'method' | 'path' | 'audience'> & Partial<Endpoint<Services>>) =>
    endpoint<string, Services>({
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
    declare({ operationId: 'cachedPost', method: 'POST', path: '/v1/public/posted', audience: 'anyone', cacheSeconds: 60 }),
    declare({ operationId: 'cachedAdmin', method: 'GET', path: '/v1/admin/cached', audience: 'admin', cacheSeconds: 60 }),
    declare({ operationId: 'seller', method: 'GET', path: '/v1/seller/x', audience: 'seller' }),
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
  let spent = false;
  const handler = createHandler<Services>({
    routes,
    services,
    logger: createLogger({}, (line) => logged.push(line)),
    authenticate: async (headers) => {
      events.push('authenticate');
      return authenticateLocally(headers);
    },
    adminAllowlist: ['admin@example.com', 'sub:root'],
    consoleOrigins: ['https://console.example.com', 'http://localhost:5173'],
    limitRate: async () => {
      events.push('limit');
      if (limited) throw new AppError('rate_limited', undefined, { retryAfterSeconds: 7 });
    },
    limitWrites: async (userId) => {
      events.push(`count ${userId}`);
      if (spent) throw new AppError('rate_limited', undefined, { retryAfterSeconds: 7 });
    },
  });
  const call = createCaller(handler, routes, { described: false });
  const user = { 'X-User-ID': 'user-1' };

  beforeEach(() => {
    events.length = 0;
    limited = false;
    spent = false;
    delete services.fail;
  });

  test('checks come in the order that is decided', async () => {
    const large = 'x'.repeat(300 * 1024);
    const steps: [RequestOptions, string, string, string[]][] = [
      [{ body: large }, '?limit=x', 'rate_limited', ['limit']],
      [{ body: large }, '?limit=x', 'unauthenticated', ['limit', 'authenticate']],
      [{ body: large, headers: user }, '?limit=x', 'rate_limited', ['limit', 'authenticate', 'count user-1']],
      [{ body: large, headers: user }, '?limit=x', 'payload_too_large', ['limit', 'authenticate', 'count user-1']],
      [{ body: '{', headers: { ...user, ...json } }, '?limit=x', 'invalid_json', ['limit', 'authenticate', 'count user-1', 'verify']],
      [{ body: { name: 'too long' }, headers: user }, '?limit=x', 'invalid_request', ['limit', 'authenticate', 'count user-1', 'verify']],
      [{ body: { name: 'fits' }, headers: user }, '?limit=x', 'invalid_request', ['limit', 'authenticate', 'count user-1', 'verify']],
    ];
    for (const [options, query, code, passed] of steps) {
      events.length = 0;
      limited = code === 'rate_limited' && passed.length === 1;
      spent = code === 'rate_limited';
      const reply = await call('POST', `/v1/all/1${query}`, options);
      expect([reply.json.code, events]).toEqual([code, passed]);
    }
    events.length = 0;
    expect((await call('POST', '/v1/all/1?limit=3', { body: { name: 'fits' }, headers: user })).status).toBe(200);
    expect(events).toEqual(['limit', 'authenticate', 'count user-1', 'verify', 'handle']);
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

  test('a reply has no field that its schema does not declare, and none without a value', async () => {
    const reply = await call('GET', '/healthz');
    expect([reply.text, reply.headers['content-type']]).toEqual(['{"ok":true}', 'application/json']);
  });

  describe('failures', () => {
    const unavailable = (options: object) => new AppError('dependency_unavailable', undefined, options);
    const teapot = Object.assign(new Error('secret detail'), { statusCode: 418, expose: true, code: 'teapot' });
    test.each<[string, unknown, number, string]>([
      ['an unexpected error', new TypeError('secret detail'), 500, 'internal_error'],
      ['an error with a status of its own', teapot, 500, 'internal_error'],
      ['what is no error', 'secret detail', 500, 'internal_error'],
      ['nothing', null, 500, 'internal_error'],
      ['a dependency that is unavailable', unavailable({ cause: new Error('secret detail') }), 503, 'dependency_unavailable'],
      ['a dependency that is unavailable for long', unavailable({ retryAfterSeconds: 30 }), 503, 'dependency_unavailable'],
    ])('%s', async (_, fail, status, code) => {
      services.fail = fail;
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
      ['POST', '/healthz'],
      ['GET', '/healthz/'],
      ['GET', '/v1/all/'],
      ['OPTIONS', '/nowhere'],
      ['GET', '/v1/licenses/../healthz'],
      ['GET', '//healthz'],
      ['BREW', '/v1/all/1'],
    ] as const) {
      const reply = await call(method, path);
      const json = { code: 'route_not_found', message: errorCodes.route_not_found.when, request_id: reply.headers['x-request-id'] };
      expect([method, path, reply.status, reply.json]).toEqual([method, path, 404, json]);
    }
    expect((await call('GET', '/v1/public/nowhere')).headers['access-control-allow-origin']).toBe('*');
    expect((await call('GET', '/v1/nowhere')).headers).not.toHaveProperty('access-control-allow-origin');
  });

  test.each(['/v1/public/posted', '/v1/admin/x', '/v1/admin/cached', '/v1/seller/x', '/v1/all/1'])(
    'HEAD on %s is not found, whoever asks: it is for what is read by anyone alone',
    async (path) => {
      for (const headers of [{}, user, { 'X-User-ID': 'root' }]) {
        expect(await call('HEAD', path, { headers })).toMatchObject({ status: 404, text: '' });
      }
      expect(events).not.toContain('handle');
    },
  );

  describe('cross-origin', () => {
    const exposed = 'X-Request-Id, Retry-After, ETag';
    const sendable = ['Authorization', 'Content-Type', 'Idempotency-Key', 'If-None-Match'];

    test.each([
      ['GET', '/v1/public/x'],
      ['POST', '/v1/purchases/optional'],
      ['POST', '/v1/licenses/bodyless'],
      ['GET', '/healthz'],
      ['GET', '/readyz'],
    ])('%s %s is for any origin', async (method, path) => {
      for (const headers of [{ Origin: 'https://anyone.example' }, { Origin: 'null' }, {}] as Record<string, string>[]) {
        const reply = await call(method, path, { headers });
        expect(reply.headers).toMatchObject({ 'access-control-allow-origin': '*', 'access-control-expose-headers': exposed });
        expect(reply.headers).not.toHaveProperty('access-control-allow-credentials');
        const preflight = await call('OPTIONS', path, { headers });
        expect(preflight.headers['access-control-allow-methods']?.split(', ')).toContain(method);
        expect(preflight.headers['access-control-allow-headers']?.split(', ')).toEqual(expect.arrayContaining(sendable));
      }
    });

    test.each([
      ['POST', '/v1/all/1'],
      ['GET', '/v1/admin/x'],
    ])('%s %s is for the console’s origins alone', async (method, path) => {
      for (const Origin of ['https://console.example.com', 'http://localhost:5173']) {
        const reply = await call(method, path, { headers: { Origin } });
        expect(reply.headers).toMatchObject({
          'access-control-allow-origin': Origin,
          'access-control-expose-headers': `${exposed}, X-Ignored-Fields`,
          vary: 'Origin',
        });
        const preflight = await call('OPTIONS', path, { headers: { Origin } });
        expect(preflight.headers).toMatchObject({
          'access-control-allow-origin': Origin,
          'access-control-allow-methods': method,
          vary: 'Origin',
        });
        expect(preflight.headers['access-control-allow-headers']?.split(', ')).toEqual(expect.arrayContaining(sendable));
      }
      const others = ['https://console.example.com.evil.example', 'https://CONSOLE.example.com', 'http://console.example.com', 'null'];
      for (const Origin of [...others, '*', '']) {
        for (const verb of [method, 'OPTIONS']) {
          const reply = await call(verb, path, { headers: { Origin } });
          expect(reply.headers).not.toHaveProperty('access-control-allow-origin');
          expect(reply.headers['vary']).toBe('Origin');
        }
      }
    });

    test('webhooks are for none', async () => {
      for (const method of ['POST', 'OPTIONS']) {
        const { headers } = await call(method, '/v1/payment/webhook', { headers: { Origin: 'https://console.example.com' } });
        expect(headers).not.toHaveProperty('access-control-allow-origin');
      }
    });

    test('a preflight comes before limits and authentication, and names every method of the path', async () => {
      limited = true;
      expect((await call('OPTIONS', '/v1/all/1')).status).toBe(204);
      expect(events).toEqual([]);
      expect((await call('OPTIONS', '/v1/public/x')).headers['access-control-allow-methods']).toBe('GET, POST');
    });
  });
});
