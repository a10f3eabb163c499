import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { type Engine, freePort } from '../../infra/local/engines/engine.ts';
import { startApiGateway } from '../../infra/local/gateway/api-gateway.ts';
import { createRouteTable } from '../../infra/local/gateway/route-table.ts';

const megabyte = 1024 * 1024;

describe('the local gateway', () => {
  let gateway: Engine;
  let events: APIGatewayProxyEventV2[];
  let reply: () => Promise<unknown>;

  beforeAll(async () => {
    const take = async (event: unknown) => {
      events.push(event as APIGatewayProxyEventV2);
      return reply();
    };
    const routeKeys = ['POST /things', 'GET /things/{thing_id}', 'HEAD /pages/{name}', '$default'];
    gateway = await startApiGateway({
      port: await freePort(),
      routes: new Map(routeKeys.map((routeKey) => [routeKey, take])),
    });
  });
  afterAll(() => gateway.stop());
  beforeEach(() => {
    events = [];
    reply = async () => ({ statusCode: 200, headers: { 'Content-Type': 'application/json' }, body: '{}' });
  });

  const send = (path: string, init: RequestInit = {}) => fetch(gateway.endpoint + path, init);

  /** Sends bytes as they are; fetch would mend or refuse them. */
  async function sendRaw(text: string): Promise<string> {
    const socket = connect(Number(new URL(gateway.endpoint).port), '127.0.0.1');
    socket.end(text);
    let answer = '';
    for await (const chunk of socket) answer += chunk;
    return answer;
  }

  test('sends a function the event of payload format 2.0', async () => {
    await send('/things/a%20b%2Fc?x=1&x=2&y=%41', { headers: { 'X-Custom': 'Value', Cookie: 'a=1; b=2' } });
    expect(events[0]).toMatchObject({
      version: '2.0',
      routeKey: 'GET /things/{thing_id}',
      rawPath: '/things/a%20b%2Fc',
      rawQueryString: 'x=1&x=2&y=%41',
      queryStringParameters: { x: '1,2', y: 'A' },
      pathParameters: { thing_id: 'a b/c' },
      cookies: ['a=1', 'b=2'],
      headers: { 'x-custom': 'Value' },
      isBase64Encoded: false,
      requestContext: { http: { method: 'GET', path: '/things/a%20b%2Fc', sourceIp: '127.0.0.1' }, routeKey: 'GET /things/{thing_id}' },
    });
    expect(events[0]?.headers).not.toHaveProperty('cookie');
    expect(events[0]).not.toHaveProperty('body');
  });

  test('takes a path as it is, whatever URLs make of it', async () => {
    await sendRaw('GET //things/a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    expect(events[0]?.routeKey).toBe('$default');
  });

  test('answers HEAD with the headers of the reply and no body, whatever the function sends', async () => {
    reply = async () => ({ statusCode: 200, headers: { 'Content-Type': 'text/html', ETag: '"a"' }, body: 'a body' });
    const answer = await sendRaw('HEAD /pages/a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    expect(events[0]).toMatchObject({ routeKey: 'HEAD /pages/{name}', requestContext: { http: { method: 'HEAD' } } });
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(answer).toMatch(/\r\nContent-Type: text\/html\r\nETag: "a"\r\n/);
    expect(answer).not.toMatch(/content-length|transfer-encoding/i);
    expect(answer.endsWith('\r\n\r\n')).toBe(true);
  });

  test('passes text as text, and everything else in base64', async () => {
    const post = (type: string | undefined, body: string | Buffer) =>
      send('/things', { method: 'POST', headers: type ? { 'content-type': type } : {}, body });
    await post('application/json; charset=utf-8', '{"ä":1}');
    await post('application/vnd.api+json', '{}');
    await post('application/json', Buffer.from([0x22, 0xff, 0x22]));
    await post('multipart/form-data; boundary=x', 'text');
    expect(events.map(({ body, isBase64Encoded }) => [body, isBase64Encoded])).toEqual([
      ['{"ä":1}', false],
      ['{}', false],
      [Buffer.from([0x22, 0xff, 0x22]).toString('base64'), true],
      [Buffer.from('text').toString('base64'), true],
    ]);
  });

  test('takes the address of the caller from the connection, and joins repeated headers with a comma', async () => {
    const claims = 'X-Forwarded-For: 203.0.113.9\r\nForwarded: for=203.0.113.9';
    await sendRaw(`GET /things/a HTTP/1.1\r\nHost: x\r\n${claims}\r\nX-A: 1\r\nx-a: 2\r\nConnection: close\r\n\r\n`);
    expect(events[0]).toMatchObject({ headers: { 'x-a': '1,2' }, requestContext: { http: { sourceIp: '127.0.0.1' } } });
  });

  test('passes headers of 8 KiB, and refuses what the gateway would', async () => {
    expect((await send('/things/a', { headers: { 'X-Long': 'a'.repeat(8192) } })).status).toBe(200);
    expect((await send('/things/a', { headers: { 'X-Long': 'a'.repeat(20_000) } })).status).toBe(431);
    await sendRaw(`GET / HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(200_000)}\r\n\r\n`).catch(() => undefined);
    expect((await send('/things/a')).status).toBe(200);
  });

  test('refuses a body over 10 MB, and an event over 6 MB after base64', async () => {
    const post = (bytes: number, type: string) =>
      send('/things', { method: 'POST', headers: { 'content-type': type }, body: Buffer.alloc(bytes, 'a') });
    expect((await post(5.9 * megabyte, 'text/plain')).status).toBe(200);
    const overEvent = await post(5 * megabyte, 'application/octet-stream');
    expect([overEvent.status, await overEvent.json()]).toEqual([413, { message: 'Request Entity Too Large' }]);
    expect((await post(10 * megabyte + 1, 'text/plain')).status).toBe(413);
    expect(events).toHaveLength(1);
  });

  test('answers for a function that fails, and for a reply that is none', async () => {
    reply = () => Promise.reject(new Error('secret detail'));
    const failed = await send('/things/a');
    expect([failed.status, await failed.json()]).toEqual([500, { message: 'Internal Server Error' }]);
    reply = async () => ({ nothing: true });
    expect((await send('/things/a')).status).toBe(500);
  });

  test('sends back status, headers, cookies and a body in base64', async () => {
    reply = async () => ({
      statusCode: 201,
      headers: { 'X-A': 'b' },
      cookies: ['c=1', 'd=2'],
      body: Buffer.from('ü').toString('base64'),
      isBase64Encoded: true,
    });
    const answer = await send('/things/a');
    expect([answer.status, answer.headers.get('x-a'), answer.headers.getSetCookie(), await answer.text()]).toEqual([
      201,
      'b',
      ['c=1', 'd=2'],
      'ü',
    ]);
    reply = async () => ({ statusCode: 204 });
    expect((await send('/things/a')).status).toBe(204);
  });

  test('lives on when a caller sends nonsense or hangs up', async () => {
    expect(await sendRaw('NONSENSE\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /);
    const socket = connect(Number(new URL(gateway.endpoint).port), '127.0.0.1');
    socket.write('POST /things HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf', () => socket.destroy());
    await once(socket, 'close');
    expect((await send('/things/a')).status).toBe(200);
  });
});

describe('the route of a request', () => {
  const match = createRouteTable([
    'GET /c',
    'GET /c/{path+}',
    'GET /c/files/{name}',
    'GET /c/list',
    'POST /c/{id}/x',
    'ANY /d/{id}',
    'POST /d/{id}',
    'ANY /d/own',
    '$default',
  ]);

  test.each([
    ['GET', '/c', 'GET /c', {}],
    ['GET', '/c/list', 'GET /c/list', {}],
    ['GET', '/c/files/a.js', 'GET /c/files/{name}', { name: 'a.js' }],
    ['GET', '/c/files', 'GET /c/{path+}', { path: 'files' }],
    ['GET', '/c/files/a/b', 'GET /c/{path+}', { path: 'files/a/b' }],
    ['GET', '/c/', 'GET /c/{path+}', { path: '' }],
    ['GET', '/c/a//b', 'GET /c/{path+}', { path: 'a//b' }],
    ['GET', '/c/%E3%81%82/x%2Fy', 'GET /c/{path+}', { path: 'あ/x/y' }],
    ['GET', '/c/%zz', 'GET /c/{path+}', { path: '%zz' }],
    ['POST', '/c/1/x', 'POST /c/{id}/x', { id: '1' }],
    ['POST', '/c/1', '$default', {}],
    ['GET', '/cc', '$default', {}],
    ['HEAD', '/c/list', '$default', {}],
    ['POST', '/d/1', 'POST /d/{id}', { id: '1' }],
    ['PUT', '/d/1', 'ANY /d/{id}', { id: '1' }],
    ['PROPFIND', '/d/own', 'ANY /d/own', {}],
    ['POST', '/d/own', 'ANY /d/own', {}],
    ['GET', '/d', '$default', {}],
  ])('%s %s goes to %s', (method, path, routeKey, pathParameters) => {
    expect(match(method, path)).toEqual({ routeKey, pathParameters });
  });
});
