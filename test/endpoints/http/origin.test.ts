import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { readContents } from '../../support/engines/table-contents.ts';
import { createTestTable, type TestTable } from '../../support/engines/test-table.ts';
import { type ServedFunction, secretValues, serveEveryFunction } from '../../support/http/every-function.ts';
import { createCaller } from '../../support/http/http-event.ts';

const [current, next] = ['the-present-secret-of-the-cdn', 'the-next-secret-of-the-cdn'];

describe('where only the CDN may call', () => {
  const environment = { ...process.env };
  const lines: string[] = [];
  let place: TestTable;
  let functions: ServedFunction[];

  beforeAll(async () => {
    place = await createTestTable();
    jest.spyOn(process.stdout, 'write').mockImplementation((line) => {
      lines.push(String(line));
      return true;
    });
    const changes = { ORIGIN_REQUIRED: 'true', ORIGIN_SECRET: `${next},${current}`, RATE_LIMIT_CHECKOUT: '5', RATE_LIMIT_OFFLINE: '5' };
    functions = await serveEveryFunction(place.tableName, changes);
  });
  afterAll(() => {
    jest.restoreAllMocks();
    process.env = environment;
  });

  const callerOf = ({ handler, routes }: ServedFunction) => createCaller(handler, routes, { described: false });
  /** Every route, OPTIONS and HEAD on its path, and a path that no route takes. */
  const requests = () =>
    functions.flatMap((of) => [
      ...of.endpoints.flatMap(({ method, path }) => [method, 'OPTIONS', 'HEAD'].map((each) => ({ of, method: each, path }))),
      { of, method: 'GET', path: '/nothing' },
    ]);
  const admin = { 'X-User-ID': 'admin', 'X-User-Email': 'admin@example.com' };

  test.each([
    ['no secret', {}],
    ['an empty one', { 'X-Origin-Secret': '' }],
    ['another', { 'X-Origin-Secret': 'a-guessed-secret-of-the-cdn' }],
  ])('every endpoint refuses a request with %s, and nothing is written', async (_, headers) => {
    expect(functions.map(({ name }) => name)).toEqual(expect.arrayContaining(['licenses', 'health', 'payment-webhooks', 'pictures']));
    for (const { of, method, path } of requests()) {
      const reply = await callerOf(of)(method, path.replace(/\{\w+\+?\}/g, 'x'), { headers: { ...admin, ...headers }, body: {} });
      expect({ method, path, status: reply.status }).toEqual({ method, path, status: 403 });
      expect(reply.headers['x-request-id']).toMatch(/^[\w-]+$/);
    }
    expect(await readContents(place)).toEqual([]);
  });

  test('a refusal is an Error, and a line by which its caller can be told apart', async () => {
    lines.length = 0;
    const licenses = functions.find(({ name }) => name === 'licenses')!;
    const reply = await callerOf(licenses)('POST', '/v1/licenses/validate', { headers: { 'X-Origin-Secret': 'guess' } });
    expect(reply.json).toEqual({ code: 'forbidden', message: expect.any(String), request_id: reply.headers['x-request-id'] });
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ message: 'request_refused', code: 'forbidden', caller: expect.stringMatching(/^[\w-]{22}$/) }),
    ]);
    for (const secret of [...secretValues, current, next, 'guess']) expect(lines.join()).not.toContain(secret);
  });

  test.each([current, next])('every endpoint takes what comes with a secret of the CDN: %s', async (secret) => {
    const asked = requests().filter(({ method }) => method !== 'HEAD');
    for (const { of, method, path } of asked) {
      const reply = await callerOf(of)(method, path.replace(/\{\w+\+?\}/g, 'x'), { headers: { 'X-Origin-Secret': secret, ...admin } });
      expect({ method, path, code: reply.json?.code }).not.toEqual({ method, path, code: 'forbidden' });
    }
  });
});
