import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { tries } from '../support/depth.ts';
import { createTestTable } from '../support/engines/test-table.ts';
import { type ServedFunction, secretValues, serveEveryFunction } from '../support/http/every-function.ts';
import { createCaller, type RequestOptions } from '../support/http/http-event.ts';
import { addKnownTargets } from '../support/http/known-targets.ts';

const hostileText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    ...['', ' ', '\0', '\ud800', '\u202e', '../../etc/passwd', '%00', "' OR 1=1 --", '{{7*7}}', 'jndi:ldap://x', '<script>', '__proto__'],
    ...['constructor', 'null', 'NaN', '-1', '1e999', '9007199254740993', 'true', '#', '?', '\r\nX-Injected: 1', '🎨'.repeat(200)],
    ...['a@b.example', 'x'.repeat(5000), 'SELLER#', 'LIC1-00000-00000-00000-00000-00000', 'eyJhbGciOiJub25lIn0.e30.', 'JPY'],
    ...['approve', 'file:///etc/passwd'],
  ),
);
const hostileValue = fc.oneof(
  hostileText,
  fc.constantFrom<unknown>(null, true, false, 0, -1, 1.5, 1e308, -0, [], {}, [[]], [null], { a: { b: {} } }, 2 ** 53),
  fc.double({ noNaN: true }),
  fc.array(hostileText, { maxLength: 4 }),
  fc.dictionary(hostileText, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 }),
);
const fieldNames = `name description price_amount currency support_email refund_policy software_operating_environment features publish
  activation_limit license_key_prefix decision note rejection_reason expected_revision product_id license_key token device_fingerprint
  device_label buyer_email completion_token locale display_name contact_email site_url reason filename content_type size_bytes sha256_hex
  visibility limit cursor status seller_id target_id __proto__`.split(/\s+/);
const body = fc.oneof(
  fc.constant(undefined),
  fc.dictionary(fc.oneof(fc.constantFrom(...fieldNames), hostileText), hostileValue, { maxKeys: 12 }),
  fc.json(),
  fc.uint8Array({ maxLength: 300 }),
  fc.constantFrom(
    ...['null', '[]', '{', '{"a":1,"a":2}', '\ufeff{}', '['.repeat(20_000), 'x'.repeat(300_000)],
    `{"__proto__":${'['.repeat(100)}${']'.repeat(100)}}`,
  ),
);
const contentType = fc.constantFrom(
  ...['application/json', 'application/json; charset=utf-16', 'text/plain', '', '\\', 'multipart/form-data'],
  'multipart/form-data; boundary=x',
);
const headerNames = 'X-User-ID X-User-Email Authorization Idempotency-Key If-None-Match Origin Payment-Signature X-Origin-Secret';
const header = fc.tuple(fc.constantFrom(...headerNames.split(' ')), hostileText);
const queryName = fc.oneof(fc.constantFrom('limit', 'cursor', 'status', 'seller_id', 'product_id', 'target_id'), hostileText);
const query = fc.array(fc.tuple(queryName, hostileText), { maxLength: 4 });

/** The body that the document shows, of which one field is spoilt: so that what lies behind the checks is reached. */
const document = JSON.parse(readFileSync(process.env['OPENAPI_DOCUMENT'] ?? '', 'utf8'));
function soundBodyOf({ method, path }: { method: string; path: string }): Record<string, unknown> | undefined {
  const { example, examples = {} } = document.paths[path]?.[method.toLowerCase()]?.requestBody?.content['application/json'] ?? {};
  return example ?? Object.values<any>(examples)[0]?.value;
}
const spoil = fc.option(fc.tuple(fc.nat(), hostileValue));

describe('hostile requests', () => {
  const logged: string[] = [];
  const callers = new Map<ServedFunction, ReturnType<typeof createCaller>>();
  const known: Record<string, string> = {};
  const owner = 'hostile-owner';
  const before = { ...process.env };

  beforeAll(async () => {
    const { table, tableName } = await createTestTable();
    jest.spyOn(process.stdout, 'write').mockImplementation((line) => {
      logged.push(String(line));
      return true;
    });
    for (const served of await serveEveryFunction(tableName)) callers.set(served, createCaller(served.handler, served.routes));
    Object.assign(known, await addKnownTargets(table, owner));
  });
  afterAll(() => {
    jest.restoreAllMocks();
    process.env = before;
  });

  test('get an answer in the shape of the interface, and never a 500', async () => {
    const routes = [...callers.keys()].flatMap((definition) => definition.routes.map((route) => ({ definition, route })));
    expect(routes.length).toBeGreaterThan(20);
    const request = fc.record({
      target: fc.constantFrom(...routes),
      useKnown: fc.boolean(),
      segments: fc.array(hostileText, { minLength: 3, maxLength: 3 }),
      query,
      user: fc.constantFrom<Record<string, string>>(
        {},
        { 'x-user-id': owner },
        { 'x-user-id': 'stranger' },
        { 'x-user-id': 'admin', 'x-user-email': 'admin@example.com' },
      ),
      headers: fc.array(header, { maxLength: 3 }),
      contentType,
      body,
      spoil,
    });
    await fc.assert(
      fc.asyncProperty(
        request,
        async ({ target: { definition, route }, useKnown, segments, query, user, headers, contentType, body, spoil }) => {
          let next = 0;
          const path = route.path.replace(/\{(\w+)\+?\}/g, (_, name: string) => {
            next += 1;
            const value = useKnown ? known[name] : segments[next];
            return encodeURIComponent((value ?? 'x').toWellFormed()) || '%20';
          });
          const search = new URLSearchParams(
            query.map(([name, value]): [string, string] => [name.toWellFormed(), value.toWellFormed()]),
          ).toString();
          const sound = soundBodyOf(route);
          if (sound && spoil) {
            const field = Object.keys(sound)[spoil[0] % Object.keys(sound).length] ?? '';
            body = JSON.stringify({ ...sound, [field]: spoil[1] });
            contentType = 'application/json';
            user = /\/admin\//.test(route.path) ? { 'x-user-id': 'admin', 'x-user-email': 'admin@example.com' } : { 'x-user-id': owner };
          }
          const sent: RequestOptions = {
            headers: {
              ...user,
              ...(contentType && { 'content-type': contentType }),
              ...Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), printable(value)])),
            },
            body: body instanceof Uint8Array || typeof body === 'string' || body === undefined ? body : JSON.stringify(body),
          };
          const reply = await callers.get(definition)!(route.method, search ? `${path}?${search}` : path, sent);
          const needsDependency = /account-link|refresh|webhook|readyz|checkout|upload-intent|finalize|code-batches|config\.json/.test(
            route.path,
          );
          if (reply.status === 503) expect([route.path, needsDependency]).toEqual([route.path, true]);
          else expect([route.path, reply.status, reply.status < 500]).toEqual([route.path, reply.status, true]);
          expect(reply.headers['x-request-id']).toBeTruthy();
          if (route.method === 'HEAD') {
            expect(reply.text).toBe('');
          } else if (reply.status >= 400 && /^\/(v1|healthz|readyz)/.test(route.path)) {
            expect(reply.json).toEqual({
              code: expect.stringMatching(/^[a-z_]+$/),
              message: expect.any(String),
              request_id: reply.headers['x-request-id'],
            });
          }
        },
      ),
      { numRuns: tries(900) },
    );
  }, 600_000);

  test('leave no secret in the log', () => {
    const text = logged.join('');
    for (const secret of secretValues) expect(text).not.toContain(secret);
  });
});

/** What may stand in a header at all: the rest never gets past a server. */
const printable = (text: string) => text.replace(/[^\x20-\x7e\x80-\xff]/g, '').trim();
