import { describe, expect, test } from '@jest/globals';
import * as z from 'zod/mini';
import { settingNames } from '../../../shared/config.ts';
import { AppError } from '../../../shared/errors.ts';
import { authenticateLocally } from '../../../shared/http/callers/authenticate.ts';
import { createHandler } from '../../../shared/http/create-handler.ts';
import type { Endpoint } from '../../../shared/http/endpoint.ts';
import { createLogger } from '../../../shared/logging/logger.ts';
import { wireName } from '../../../shared/wire.ts';
import { createCaller } from '../../support/http/http-event.ts';
import { httpFunctions } from '../../support/http/service.ts';
import { readDocument } from '../../support/interface/read-document.ts';
import { csv, multipart } from '../../support/samples/multipart.ts';
import { sampleSettings } from '../../support/samples/sample-settings.ts';

const document = readDocument();

const found = httpFunctions.flatMap(({ name, routes }) => {
  const described = routes.filter(({ path, method }) => document.paths[path]?.[method.toLowerCase()]);
  return described.map((endpoint) => ({ name: `${name}: ${endpoint.operationId}`, endpoint, routes }));
});

/** Of which everything that is called or listed fails with `error`. */
const failing = (error: Error): any =>
  new Proxy(() => undefined, {
    get: (_target, name) => (name === 'then' ? undefined : failing(error)),
    ownKeys: () => {
      throw error;
    },
    apply() {
      throw error;
    },
  });

const settings = sampleSettings(settingNames);
/** A context whose settings alone can be used. */
const failingContext = (error: Error) =>
  new Proxy({ settings }, { get: (target, name) => (name === 'settings' ? target.settings : failing(error)[name]) });

/** The endpoint as its function serves it, and the request that its documentation shows. */
async function serve(
  routes: readonly Endpoint<any>[],
  { method, path }: Endpoint<any>,
  options: { error?: Error; limited?: boolean } = {},
) {
  const refuseIfLimited = async () => {
    if (options.limited) throw new AppError('rate_limited', undefined, { retryAfterSeconds: 7 });
  };
  const handler = createHandler<any>({
    routes,
    services: failingContext(options.error ?? new Error('Nothing is to be called.')),
    logger: createLogger({}, () => undefined),
    authenticate: authenticateLocally,
    adminAllowlist: ['sub:admin'],
    limitRate: refuseIfLimited,
    limitWrites: refuseIfLimited,
  });
  const call = createCaller(handler, routes);
  const operation = document.paths[path][method.toLowerCase()];
  const target = path.replaceAll(/\{(\w+)\}/g, (_, name) => {
    return operation.parameters.find((parameter: { name: string }) => parameter.name === name).schema.examples[0];
  });
  return { call, target, example: await exampleOf(operation) };
}

async function exampleOf({ requestBody, parameters = [] }: any): Promise<{ body?: unknown; headers: Record<string, string> }> {
  const inHeaders = parameters.filter((parameter: any) => parameter.in === 'header' && parameter.required);
  const headers = Object.fromEntries(inHeaders.map(({ name, schema }: any) => [name, schema.examples[0]]));
  const json = requestBody?.content['application/json'];
  if (json) return { headers, body: json.example ?? Object.values<any>(json.examples)[0].value };
  if (!requestBody) return { headers };
  const form = await multipart([
    ['idempotency_key', 'k'],
    ['file', csv('code\nABCD-EFGH\n')],
  ]);
  return { ...form, headers: { ...headers, ...form.headers } };
}

const admin = { 'X-User-ID': 'admin' };
const ofEveryReply = {
  'x-content-type-options': 'nosniff',
  'strict-transport-security': 'max-age=63072000; includeSubDomains',
};
const cases = found.map(({ name, endpoint, routes }) => [name, endpoint, routes] as const);

describe('every endpoint', () => {
  test.each(cases)('%s refuses a body over the limit', async (_, endpoint, routes) => {
    const { call, target, example } = await serve(routes, endpoint);
    const body = Buffer.alloc((endpoint.bodyKind === 'multipart' ? 4096 : 256) * 1024 + 1, 'a');
    const reply = await call(endpoint.method, target, { body, headers: { ...example.headers, ...admin } });
    expect(reply).toMatchObject({ status: 400, json: { code: 'payload_too_large' } });
  });

  const limited = cases.filter(([, { rateLimit, audience, method }]) => rateLimit || (audience === 'seller' && method !== 'GET'));
  test.each(limited)('%s sends the refusal of its rate limit', async (_, endpoint, routes) => {
    const { call, target, example } = await serve(routes, endpoint, { limited: true });
    const reply = await call(endpoint.method, target, { ...example, headers: { ...example.headers, ...admin } });
    expect(reply).toMatchObject({ status: 429, json: { code: 'rate_limited' }, headers: { 'retry-after': '7' } });
  });

  test.each(cases)(
    '%s says that its reply is what it is called, belongs to https and is kept by those who may',
    async (_, endpoint, routes) => {
      const { call, target, example } = await serve(routes, endpoint);
      const mayKeep = endpoint.audience === 'anyone' && !endpoint.sensitive;
      for (const headers of [{}, admin]) {
        const reply = await call(endpoint.method, target, { ...example, headers: { ...example.headers, ...headers } });
        expect(reply.headers).toMatchObject({ ...ofEveryReply, ...(!mayKeep && { 'cache-control': 'no-store' }) });
      }
      const preflight = await call('OPTIONS', target, { headers: { origin: 'https://app.example.com' } });
      expect(preflight).toMatchObject({ status: 204, text: '', headers: { ...ofEveryReply, 'x-request-id': expect.any(String) } });
    },
  );

  test.each(cases)(
    '%s hides the cause of an unexpected failure, and sends Retry-After while a dependency is unavailable',
    async (_, endpoint, routes) => {
      const headers = endpoint.audience === 'anyone' ? {} : admin;
      for (const [error, status, code] of [
        [new Error('secret detail'), 500, 'internal_error'],
        [new AppError('dependency_unavailable'), 503, 'dependency_unavailable'],
      ] as const) {
        const { call, target, example } = await serve(routes, endpoint, { error });
        const reply = await call(endpoint.method, target, { ...example, headers: { ...example.headers, ...headers } });
        if (reply.status < 400) continue; // It needs no service.
        expect(reply).toMatchObject({ status, json: { code } });
        expect(reply.text).not.toContain('secret');
      }
    },
  );

  const taking = cases.filter(([, { bodyKind }]) => bodyKind === 'json' || bodyKind === 'optional-json');
  test.each(taking)('%s names what it does not know of a body to sellers and admins, and to nobody else', async (_, endpoint, routes) => {
    const { call, target, example } = await serve(routes, endpoint);
    const sent = (more: object) =>
      call(endpoint.method, target, { body: { ...(example.body as object), ...more }, headers: { ...example.headers, ...admin } });
    const told = endpoint.audience === 'anyone' ? undefined : 'surprise';
    expect((await sent({ surprise: 1 })).headers['x-ignored-fields']).toBe(told);
    expect((await sent({})).headers).not.toHaveProperty('x-ignored-fields');
  });

  test.each(cases.filter(([, { method }]) => method === 'GET'))(
    '%s names the parameters that it does not know likewise',
    async (_, endpoint, routes) => {
      const { call, target, example } = await serve(routes, endpoint);
      const told = async (query: string) =>
        (await call('GET', target + query, { headers: { ...example.headers, ...admin } })).headers['x-ignored-fields'];
      expect(await told('?surprise=1&limit=0&a.b=&surprise=2&%20=3')).toBe(
        endpoint.audience === 'anyone' ? undefined : endpoint.query ? 'surprise, a.b' : 'surprise, limit, a.b',
      );
      expect(await told('')).toBeUndefined();
    },
  );
});

/** The most characters of each text of a body or a query, whichever endpoint takes it; what `text(max)` takes is a matter of unit/schemas. */
const longestTexts = {
  3: 'currency',
  32: 'code',
  64: `app_version covered_at discount_id ends_at event_id order_id product_id seller_id since starts_at target_id updates_until version`,
  75: 'os',
  100: 'device_label invoice_registration_number lang name product_id',
  200: 'current description display_name local_version name',
  254: 'buyer_email contact_email support_email',
  255: 'content_type idempotency_key',
  500: `filename job_id slug manual_scan_clean_reason reason rejected_reason rejection_reason software_operating_environment tokushoho_address
    tokushoho_contact tokushoho_seller_name yank_reason`,
  512: 'device_fingerprint license_key',
  1024: 'cursor',
  2048: 'site_url url',
  4096: 'completion_token token',
  5000: 'note refund_policy',
  20000: 'description notes',
  200000: 'request_code',
  262144: 'discount_code',
};

test('the texts of every endpoint are as long as they may be', () => {
  const lengths = new Map<number, Set<string>>();
  for (const schema of found.flatMap(({ endpoint: { body, query } }) => [body, query])) {
    const { properties = {} } = schema ? z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) : {};
    for (const [name, property] of Object.entries(properties)) {
      const length = typeof property === 'object' ? property.maxLength : undefined;
      if (length !== undefined) lengths.set(length, (lengths.get(length) ?? new Set()).add(wireName(name)));
    }
  }
  expect(Object.fromEntries(lengths)).toEqual(
    Object.fromEntries(Object.entries(longestTexts).map(([length, names]) => [length, new Set(names.split(/\s+/))])),
  );
});
