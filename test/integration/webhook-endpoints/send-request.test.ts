import { connect as connectTcp, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { ResolveName } from '../../../shared/webhook-endpoints/requests/resolve-name.ts';
import { createSendRequest } from '../../../shared/webhook-endpoints/requests/send-request.ts';
import { flood, type RawReceiver, receiverAuthority, startRawReceiver, trickle } from '../../support/scenes/events/hostile-receiver.ts';

const outgoing = { headers: { 'webhook-id': 'evt_1' }, body: '{"type":"test"}' };
const ok = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';
const url = 'https://hooks.example.com/events?shop=1';

const started: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  for (const receiver of started.splice(0)) await receiver.stop();
});

const receiver = async (...args: Parameters<typeof startRawReceiver>): Promise<RawReceiver> => {
  const made = await startRawReceiver(...args);
  started.push(made);
  return made;
};
const reply = (text: string) => (socket: Socket) => void socket.end(text);
const sendTo = (port: number, deadlineMs = 2000) =>
  createSendRequest({ stage: 'local', deadlineMs })(`http://127.0.0.1:${port}/hook?a=1`, outgoing);

/** A sender for names, whose connections all end at one receiver here. */
function throughNames({ port, ...options }: { port: number; resolveName: ResolveName; ca?: string; deadlineMs?: number }) {
  const connections: [number, string][] = [];
  const send = createSendRequest({
    stage: 'production',
    deadlineMs: 2000,
    ca: receiverAuthority,
    connect: (wantedPort, address) => {
      connections.push([wantedPort, address]);
      return connectTcp(port, '127.0.0.1');
    },
    ...options,
  });
  return { send, connections };
}

describe('a request', () => {
  test('says what it is, once, and leaves nothing open', async () => {
    const { port, received, open } = await receiver(reply(ok));
    expect(await sendTo(port)).toEqual({ statusCode: 200 });
    const [head = '', body] = received.join('').split('\r\n\r\n');
    expect(body).toBe(outgoing.body);
    const [line, ...headers] = head.split('\r\n');
    expect(line).toBe('POST /hook?a=1 HTTP/1.1');
    expect(headers.map((header) => header.toLowerCase()).toSorted()).toEqual([
      'connection: close',
      'content-length: 15',
      'content-type: application/json',
      `host: 127.0.0.1:${port}`,
      'user-agent: license-service-events/1',
      'webhook-id: evt_1',
    ]);
    while (open() > 0) await new Promise((resolve) => setImmediate(resolve));
  });

  test.each([
    [200, undefined],
    [204, undefined],
    [299, undefined],
    [300, 'redirected'],
    [302, 'redirected'],
    [399, 'redirected'],
    [400, 'status'],
    [410, 'status'],
    [500, 'status'],
    [503, 'status'],
  ])('is taken by a status from 200 to 299 alone: %i', async (statusCode, error) => {
    const { port } = await receiver(reply(`HTTP/1.1 ${statusCode} X\r\ncontent-length: 0\r\n\r\n`));
    expect(await sendTo(port)).toEqual(error === undefined ? { statusCode } : { statusCode, error });
  });

  test('follows no redirect', async () => {
    const inner = await receiver(reply(ok));
    const { port } = await receiver(reply(`HTTP/1.1 307 X\r\nlocation: http://127.0.0.1:${inner.port}/\r\ncontent-length: 0\r\n\r\n`));
    expect(await sendTo(port)).toEqual({ statusCode: 307, error: 'redirected' });
    expect(inner.received).toEqual([]);
  });
});

describe('a hostile receiver fails its own attempt and no more:', () => {
  test.each<[string, (socket: Socket) => void, object]>([
    ['it never answers', () => undefined, { error: 'timeout' }],
    ['it trickles its headers', (socket) => trickle(socket, 'a', 'HTTP/1.1 200 OK\r\nx: '), { error: 'timeout' }],
    ['it trickles its body', (socket) => trickle(socket, 'a', 'HTTP/1.1 200 OK\r\n\r\n'), { error: 'timeout' }],
    ['it trickles line ends', (socket) => trickle(socket, '\r\n'), { error: 'timeout' }],
    ['it says 100 forever', (socket) => flood(socket, 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(1000)), { error: 'reply_malformed' }],
    ['it sends line ends forever', (socket) => flood(socket, '\r\n'.repeat(1000)), { error: 'reply_malformed' }],
    ['it sends a header without end', (socket) => flood(socket, 'a'.repeat(1000), 'HTTP/1.1 200 OK\r\nx: '), { error: 'reply_malformed' }],
    [
      'it sends headers without end',
      (socket) => flood(socket, 'x: y\r\n'.repeat(1000), 'HTTP/1.1 200 OK\r\n'),
      { error: 'reply_malformed' },
    ],
    [
      'its headers are 17 KiB',
      reply(`HTTP/1.1 200 OK\r\nx: ${'a'.repeat(17 * 1024)}\r\ncontent-length: 0\r\n\r\n`),
      { error: 'reply_malformed' },
    ],
    ['it answers garbage', reply('\u0000\u0001\u0002 garbage \r\n\r\n'), { error: 'reply_malformed' }],
    ['it answers another protocol', reply('SSH-2.0-OpenSSH_9.2\r\n'), { error: 'reply_malformed' }],
    [
      'it contradicts itself',
      reply('HTTP/1.1 200 OK\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n'),
      { error: 'reply_malformed' },
    ],
    ['it hangs up at once', (socket) => void socket.end(), { error: 'connection_failed' }],
    ['it resets', (socket) => void socket.resetAndDestroy(), { error: 'connection_failed' }],
    ['it breaks off its body', reply('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nonly this'), { error: 'connection_failed' }],
    [
      'it wants another protocol',
      reply('HTTP/1.1 101 Switching\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n'),
      { error: 'reply_malformed' },
    ],
  ])('%s', async (_, answer, outcome) => {
    const { port } = await receiver(answer);
    const begun = Date.now();
    expect(await sendTo(port, 300)).toEqual(outcome);
    expect(Date.now() - begun).toBeLessThan(1500);
  });

  test('it sends a gigabyte, of which 64 KiB are read and the status counts', async () => {
    const { port, sentBytes, open } = await receiver((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${1024 ** 3}\r\ncontent-encoding: gzip\r\n\r\n`);
      flood(socket, Buffer.alloc(64 * 1024));
    });
    expect(await sendTo(port)).toEqual({ statusCode: 200 });
    while (open() > 0) await new Promise((resolve) => setImmediate(resolve));
    // What the two kernels hold between them is not read.
    expect(sentBytes()).toBeLessThan(16 * 1024 ** 2);
  });

  test('it does not listen', async () => {
    const { port, stop } = await startRawReceiver(() => undefined);
    await stop();
    expect(await sendTo(port)).toEqual({ error: 'connection_failed' });
  });

  test('it is slow with TLS, or cannot speak it', async () => {
    const silent = await receiver(() => undefined, { atOnce: true });
    const resolveName = async () => ['93.184.215.14'];
    expect(await throughNames({ port: silent.port, resolveName, deadlineMs: 200 }).send(url, outgoing)).toEqual({ error: 'timeout' });
    const plain = await receiver(reply('HTTP/1.1 400 Bad Request\r\n\r\n'), { atOnce: true });
    expect(await throughNames({ port: plain.port, resolveName }).send(url, outgoing)).toEqual({ error: 'tls_failed' });
    const closing = await receiver((socket) => void socket.destroy(), { atOnce: true });
    expect(await throughNames({ port: closing.port, resolveName }).send(url, outgoing)).toEqual({ error: 'tls_failed' });
  });
});

describe('an https request', () => {
  const resolveName = async () => ['93.184.215.14', '2606:2800:21f::1'];

  test('goes to port 443 of the address that was looked at, and asks for the name there', async () => {
    const { port, received } = await receiver(reply(ok), { secure: true });
    const { send, connections } = throughNames({ port, resolveName });
    expect(await send(url, outgoing)).toEqual({ statusCode: 200 });
    expect(connections).toEqual([[443, '93.184.215.14']]);
    expect(received.join('')).toMatch(/^POST \/events\?shop=1 HTTP\/1\.1\r\n/);
    expect(received.join('')).toContain('host: hooks.example.com\r\n');
  });

  test('trusts no certificate of another name, or of nobody it knows', async () => {
    const { port, received } = await receiver(reply(ok), { secure: true });
    expect(await throughNames({ port, resolveName }).send('https://other.example.com/', outgoing)).toEqual({ error: 'tls_failed' });
    expect(await throughNames({ port, resolveName, ca: '' }).send(url, outgoing)).toEqual({ error: 'tls_failed' });
    expect(received.join('')).toBe('');
  });

  test.each([
    ['loopback', ['127.0.0.1']],
    ['one private address among several', ['93.184.215.14', '10.0.0.1', '8.8.8.8']],
    ['one private address of IPv6 behind public ones', ['93.184.215.14', 'fd00:ec2::254']],
    ['a mapped address', ['::ffff:93.184.215.14']],
    ['what is no address', ['93.184.215.14', 'localhost']],
  ])('is not made to a name that leads to %s', async (_, addresses) => {
    const { send, connections } = throughNames({ port: 9, resolveName: async () => addresses });
    expect(await send(url, outgoing)).toEqual({ error: 'address_not_public' });
    expect(connections).toEqual([]);
  });

  test('asks for the addresses of a name once, so that the connection cannot go elsewhere', async () => {
    const { port } = await receiver(reply(ok), { secure: true });
    const answers = [['93.184.215.14'], ['127.0.0.1']];
    const asked: string[] = [];
    const { send, connections } = throughNames({
      port,
      resolveName: async (name) => {
        asked.push(name);
        return answers.shift() ?? [];
      },
    });
    expect(await send(url, outgoing)).toEqual({ statusCode: 200 });
    expect([asked, connections]).toEqual([['hooks.example.com'], [[443, '93.184.215.14']]]);
    expect(await send(url, outgoing)).toEqual({ error: 'address_not_public' });
    expect(connections).toHaveLength(1);
  });

  test.each<[string, ResolveName, string]>([
    ['has no address', async () => [], 'name_not_resolved'],
    ['is not known', () => Promise.reject(new Error('ENOTFOUND')), 'name_not_resolved'],
    ['is looked up forever', () => new Promise(() => undefined), 'timeout'],
  ])('fails when its name %s', async (_, lookUp, error) => {
    const { send, connections } = throughNames({ port: 9, resolveName: lookUp, deadlineMs: 100 });
    expect(await send(url, outgoing)).toEqual({ error });
    expect(connections).toEqual([]);
  });

  test.each([
    'http://127.0.0.1:3000/',
    'https://127.0.0.1/',
    'https://user@hooks.example.com/',
    'https://hooks.example.com:8443/',
    'nonsense',
    'http://hooks.example.com/',
  ])('is not made to what no endpoint may be: %s', async (target) => {
    const { send, connections } = throughNames({ port: 9, resolveName });
    expect(await send(target, outgoing)).toEqual({ error: 'url_not_allowed' });
    expect(connections).toEqual([]);
  });

  test('goes to no name that leads here, not even locally', async () => {
    const send = createSendRequest({ stage: 'local', resolveName: async () => ['127.0.0.1'], deadlineMs: 500 });
    expect(await send(url, outgoing)).toEqual({ error: 'address_not_public' });
  });
});
