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

  test('is taken by a status from 200 to 299 alone', async () => {
    const errors = [
      [undefined, [200, 204, 299]],
      ['redirected', [300, 302, 399]],
      ['status', [400, 410, 500, 503]],
    ] as const;
    for (const [error, statuses] of errors) {
      for (const statusCode of statuses) {
        const { port } = await receiver(reply(`HTTP/1.1 ${statusCode} X\r\ncontent-length: 0\r\n\r\n`));
        expect(await sendTo(port)).toEqual(error === undefined ? { statusCode } : { statusCode, error });
      }
    }
  });

  test('follows no redirect', async () => {
    const inner = await receiver(reply(ok));
    const { port } = await receiver(reply(`HTTP/1.1 307 X\r\nlocation: http://127.0.0.1:${inner.port}/\r\ncontent-length: 0\r\n\r\n`));
    expect(await sendTo(port)).toEqual({ statusCode: 307, error: 'redirected' });
    expect(inner.received).toEqual([]);
  });
});

const head = 'HTTP/1.1 200 OK\r\n';
const contradiction = 'content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n';
const switching = 'HTTP/1.1 101 Switching\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n';

describe('a hostile receiver fails its own attempt and no more:', () => {
  test.each<[string, (socket: Socket) => void, string]>([
    ['it never answers', () => undefined, 'timeout'],
    ['it trickles its headers', (socket) => trickle(socket, 'a', `${head}x: `), 'timeout'],
    ['it trickles its body', (socket) => trickle(socket, 'a', `${head}\r\n`), 'timeout'],
    ['it trickles line ends', (socket) => trickle(socket, '\r\n'), 'timeout'],
    ['it says 100 forever', (socket) => flood(socket, 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(1000)), 'reply_malformed'],
    ['it sends line ends forever', (socket) => flood(socket, '\r\n'.repeat(1000)), 'reply_malformed'],
    ['it sends a header without end', (socket) => flood(socket, 'a'.repeat(1000), `${head}x: `), 'reply_malformed'],
    ['it sends headers without end', (socket) => flood(socket, 'x: y\r\n'.repeat(1000), head), 'reply_malformed'],
    ['its headers are 17 KiB', reply(`${head}x: ${'a'.repeat(17 * 1024)}\r\ncontent-length: 0\r\n\r\n`), 'reply_malformed'],
    ['it answers garbage', reply('\u0000\u0001\u0002 garbage \r\n\r\n'), 'reply_malformed'],
    ['it answers another protocol', reply('SSH-2.0-OpenSSH_9.2\r\n'), 'reply_malformed'],
    ['it wants another protocol', reply(switching), 'reply_malformed'],
    ['it contradicts itself', reply(`${head}${contradiction}`), 'reply_malformed'],
    ['it hangs up at once', (socket) => void socket.end(), 'connection_failed'],
    ['it resets', (socket) => void socket.resetAndDestroy(), 'connection_failed'],
    ['it breaks off its body', reply(`${head}content-length: 100\r\n\r\nonly this`), 'connection_failed'],
  ])('%s', async (_, answer, error) => {
    const { port } = await receiver(answer);
    expect(await sendTo(port, 300)).toEqual({ error });
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
    ['to a name that leads to loopback', url, ['127.0.0.1'], 'address_not_public'],
    ['to a private address among several', url, ['93.184.215.14', '10.0.0.1', '8.8.8.8'], 'address_not_public'],
    ['to what is no address', url, ['93.184.215.14', 'localhost'], 'address_not_public'],
    ['to a name without address', url, [], 'name_not_resolved'],
    ['in the clear', 'http://127.0.0.1:3000/', ['93.184.215.14'], 'url_not_allowed'],
    ['to nonsense', 'nonsense', ['93.184.215.14'], 'url_not_allowed'],
  ])('is not made %s', async (_, target, addresses, error) => {
    const { send, connections } = throughNames({ port: 9, resolveName: async () => addresses });
    expect(await send(target, outgoing)).toEqual({ error });
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
    ['is not known', () => Promise.reject(new Error('ENOTFOUND')), 'name_not_resolved'],
    ['is looked up forever', () => new Promise(() => undefined), 'timeout'],
  ])('fails when its name %s', async (_, lookUp, error) => {
    const { send, connections } = throughNames({ port: 9, resolveName: lookUp, deadlineMs: 100 });
    expect(await send(url, outgoing)).toEqual({ error });
    expect(connections).toEqual([]);
  });

  test('goes to no name that leads here, not even locally', async () => {
    const send = createSendRequest({ stage: 'local', resolveName: async () => ['127.0.0.1'], deadlineMs: 500 });
    expect(await send(url, outgoing)).toEqual({ error: 'address_not_public' });
  });
});
