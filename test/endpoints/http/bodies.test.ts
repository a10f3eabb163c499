import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { RequestOptions, TestReply } from '../../support/http/http-event.ts';
import { type CatalogHarness, createCatalogHarness, productRequest } from '../../support/scenes/catalog-harness.ts';

const writes = ['PutItem', 'UpdateItem', 'DeleteItem', 'TransactWriteItems', 'BatchWriteItem'];
const json = { 'content-type': 'application/json' };

describe('bodies, against the endpoints of products', () => {
  let catalog: CatalogHarness;
  let call: Awaited<ReturnType<CatalogHarness['newSeller']>>['call'];
  let count = 0;

  beforeAll(async () => {
    catalog = await createCatalogHarness();
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

  const names = (count: number) => Array.from({ length: count }, (_, at) => `x${at}`);
  test.each<[string, string, string | undefined]>([
    ['in the order sent, each once', '"9":1,"zeta":1,"1":1,"price_amount":2,"alpha":{"inner":[{"deep":1}]},"zeta":2', '9, zeta, 1, alpha'],
    ['of names that mean something to the language', '"__proto__":{},"constructor":1,"toString":2', '__proto__, constructor, toString'],
    ['of names written with escapes', '"\\u0066oo":1,"a\\"b":1,"c":"},\\"d\\":"', 'foo, c'],
    ['that differ from a known one only in their form', '"priceAmount":1,"Name":1', 'priceAmount, Name'],
    [
      'of 64 characters at most, and of plain ones',
      `"${'a'.repeat(64)}":1,"${'b'.repeat(65)}":1,"":1,"a b":1,"名":1,"c,d":1,"$e.f-g":1`,
      `${'a'.repeat(64)}, $e.f-g`,
    ],
    ['twenty of many', `"${names(30).join('":1,"')}":1`, names(20).join(', ')],
    ['but for those it knows', '"price_amount":3', undefined],
  ])('the reply names what was ignored: %s', async (_, more, told) => {
    for (const content of [withMore(more), Buffer.from(`\ufeff${withMore(more)}`)]) {
      const reply = await call('POST', '/v1/products', { body: content, headers: json });
      expect([reply.status, reply.headers['x-ignored-fields']]).toEqual([201, told]);
    }
    catalog.takeRequestCounts();
    const refused = await call('POST', '/v1/products', { body: `{${more},"name":1}`, headers: json });
    expectRefusal(refused, 400, 'invalid_request');
    expect(refused.headers['x-ignored-fields']).toBe(told);
  });

  test('where no body is read nothing was ignored', async () => {
    const { id } = (await call('POST', '/v1/products', { body: fresh() })).json;
    const replies = [
      await call('POST', `/v1/products/${id}/submit-review`, { body: '{"surprise":1}', headers: { 'content-type': 'text/plain' } }),
      await call('POST', '/v1/products', { body: '{"surprise":', headers: json }),
      await call('POST', '/v1/products', { body: '["surprise"]', headers: json }),
    ];
    for (const reply of replies) expect(reply.headers).not.toHaveProperty('x-ignored-fields');
  });

  test('256 KiB are taken, a byte more is not, and bytes count, not characters', async () => {
    const start = JSON.stringify(fresh()).slice(0, -1);
    const filled = (bytes: number) => `${start},"other":"${'x'.repeat(bytes - start.length - 12)}"}`;
    expect(Buffer.byteLength(filled(256 * 1024))).toBe(256 * 1024);
    expect((await call('POST', '/v1/products', { body: filled(256 * 1024), headers: json })).status).toBe(201);
    catalog.takeRequestCounts();
    for (const body of [filled(256 * 1024 + 1), JSON.stringify(fresh({ other: '🎨'.repeat(66_000) }))]) {
      expectRefusal(await call('POST', '/v1/products', { body, headers: json }), 400, 'payload_too_large');
    }
  });

  test.each(['application/json', 'Application/JSON; charset=utf-8', 'application/json ;charset=UTF-8', 'application/merge-patch+json'])(
    '%s is JSON',
    async (type) => {
      const reply = await call('POST', '/v1/products', { body: JSON.stringify(fresh()), headers: { 'content-type': type } });
      expect(reply.status).toBe(201);
    },
  );

  test('a byte order mark, a body in base64 and 32 levels of it change nothing', async () => {
    const body = Buffer.concat([Buffer.from('\ufeff'), Buffer.from(JSON.stringify(fresh({ description: '日本語' })))]);
    expect((await call('POST', '/v1/products', { body, headers: json })).json.description).toBe('日本語');
    const deep = { body: withMore(`"other":${nested(31, '[', ']')}`), headers: { ...json, 'content-encoding': 'identity' } };
    expect((await call('POST', '/v1/products', deep)).status).toBe(201);
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
    const marks = { currency: 'MARK2', support_email: 'MARK3', license_key_prefix: 'mark4', MARK5: 1, features: ['MARK6'.repeat(20)] };
    const reply = await call('POST', '/v1/products', { body: fresh({ name: 'MARK1'.repeat(60), ...marks }) });
    expectRefusal(reply, 400, 'invalid_request');
    expect(reply.text).not.toMatch(/mark\d/i);
    for (const target of ['/v1/products?status=MARK1&limit=MARK2&cursor=MARK3', '/v1/products/MARK1']) {
      expect((await call('GET', target)).text).not.toMatch(/MARK/);
    }
  });

  test('headers of 8 KiB are ignored where they mean nothing', async () => {
    const headers = { 'X-Other': 'x'.repeat(8192), 'If-None-Match': '"x",'.repeat(2000), Origin: `https://${'x'.repeat(8000)}` };
    expect((await call('GET', '/v1/products', { headers })).status).toBe(200);
    expect((await catalog.publicCall('GET', '/v1/public/products/x', { headers })).status).toBe(404);
    expectRefusal(await call('GET', '/v1/products', { headers: { 'X-User-ID': 'x'.repeat(8192) } }), 401, 'unauthenticated');
  });

  test.each([
    ['limit', 'limit=10&limit=10'],
    ['limit', 'limit=%31%30x'],
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
    expect(reply.json.message).toMatch(new RegExp(`^${field} `));
    expectRefusal(reply, 400, 'invalid_request');
  });

  test('every bad query value is named, and what is not known is ignored', async () => {
    const reply = await call('GET', '/v1/products?status=x&limit=0&cursor=');
    expect(reply.json.message.split('; ').map((fault: string) => fault.split(' ')[0])).toEqual(['limit', 'cursor', 'status']);
    const ignored = '?other=&other=&toString=1&__proto__=x&__proto__=y&constructor=&STATUS=x&hasOwnProperty=1&%00=1&limit=5';
    expect((await call('GET', `/v1/products${ignored}`)).status).toBe(200);
  });
});
