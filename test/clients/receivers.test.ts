import { type ChildProcess, spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { sellerEventTypes } from '../../shared/seller-events/seller-event.ts';
import { python, pythonPath } from './languages/python.ts';

// Programs start here, which a busy machine takes its time for.
jest.setTimeout(60_000);

const samples = join(import.meta.dirname, '../../infra/documents/samples');

/** What the specification of Standard Webhooks gives as an example. */
const example = {
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  timestamp: 1_614_265_330,
  body: '{"test": 2432232314}',
  signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
};
/** The clocks of the receivers stand at the time of that example. */
const { secret, timestamp: now } = example;
const otherSecret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

type Sign = (id: string, timestamp: number, body: string, secret?: string) => string;
const byLibrary: Sign = (id, timestamp, body, key = secret) => new Webhook(key).sign(id, new Date(timestamp * 1000), body);
const byHand: Sign = (id, timestamp, body, key = secret) => {
  const hmac = createHmac('sha256', Buffer.from(key.slice('whsec_'.length), 'base64'));
  return `v1,${hmac.update(`${id}.${timestamp}.${body}`).digest('base64')}`;
};

interface Message {
  id: string;
  timestamp: number;
  body: string;
  signature: string;
}
let messages = 0;
/** A message of the service, of an event that no other test sends. */
function messageOf(type = 'order.paid', { timestamp = now, sign = byHand }: { timestamp?: number; sign?: Sign } = {}): Message {
  messages += 1;
  const ids = ['license', 'order', 'product', 'file', 'endpoint'].map((noun) => [`${noun}_id`, `${noun}_${messages}`]);
  const texts = ['status', 'previous_status', 'outcome', 'decision', 'code', 'cause', 'version'].map((name) => [
    name,
    `${name} ${messages}`,
  ]);
  const numbers = { amount: 4900, amount_refunded: 1200, activation_count: 2 };
  const data = { ...Object.fromEntries([...ids, ...texts]), ...numbers, currency: '円' };
  const body = JSON.stringify({ type, timestamp: '2026-01-31T08:00:00.000Z', data });
  const id = `evt_${messages}`;
  return { id, timestamp, body, signature: sign(id, timestamp, body) };
}

const headersOf = ({ id, timestamp, signature }: Message) => ({
  'webhook-id': id,
  'webhook-timestamp': String(timestamp),
  'webhook-signature': signature,
});

interface Receiver {
  /** The status of the reply. */
  post(body: string, headers: Record<string, string>, method?: string): Promise<number>;
  send(message: Message): Promise<number>;
  /** The lines that it said since it was last asked, which are so many, and said before what it says of another event. */
  said(count: number): Promise<string[]>;
  /** Ends it, and returns what it said that nobody asked for. */
  stop(): Promise<string[]>;
}

async function startReceiver(command: readonly string[]): Promise<Receiver> {
  const [file = '', ...args] = command;
  const child: ChildProcess = spawn(file, args, {
    cwd: samples,
    env: { PATH: process.env['PATH'], WEBHOOK_SECRET: secret, PORT: '0', PYTHONDONTWRITEBYTECODE: '1', PYTHONUTF8: '1' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  const output = createInterface(child.stdout!)[Symbol.asyncIterator]();
  const nextLine = async (): Promise<string> => {
    // One that has nothing more to say would hold each test for its whole time.
    const timer = setTimeout(() => child.kill(), 20_000);
    const { value, done } = await output.next();
    clearTimeout(timer);
    if (done) throw new Error('The receiver has ended.');
    return value;
  };
  const port = Number(/\b\d{4,5}\b/.exec(await nextLine())?.[0]);

  const receiver: Receiver = {
    post: (body, headers, method = 'POST') =>
      new Promise((resolve, reject) => {
        const sent = httpRequest({ host: '127.0.0.1', port, method, agent: false }, (reply) => resolve(reply.resume().statusCode ?? 0));
        for (const [name, value] of Object.entries({ ...headers, 'content-length': Buffer.byteLength(body) })) sent.setHeader(name, value);
        sent.on('error', reject).end(body);
      }),
    send: (message) => receiver.post(message.body, headersOf(message)),
    async said(count) {
      const said: string[] = [];
      // Threads may speak in another order than they were asked: then it gets a few more to answer.
      for (let asked = 0; asked < 20 && (asked === 0 || said.length < count); asked += 1) {
        expect(await receiver.send(messageOf('last'))).toBe(204);
        for (let line = await nextLine(); line !== 'Nothing to do: last'; line = await nextLine()) said.push(line);
      }
      expect(said).toHaveLength(count);
      return said;
    },
    async stop() {
      child.kill();
      await ended;
      const left: string[] = [];
      for await (const line of { [Symbol.asyncIterator]: () => output }) left.push(line);
      return left;
    },
  };
  return receiver;
}

const clock = { node: `data:text/javascript,Date.now=()=>${now}*1000`, python: `import time;time.time=lambda:${now}+0.9` };
const programs: [string, boolean, string[]][] = [
  ['TypeScript', true, [process.execPath, '--import', clock.node, 'receiver.ts']],
  ['Python', python.isInstalled(), [pythonPath, '-c', `${clock.python}\nimport runpy;runpy.run_path('receiver.py')`]],
];

describe('signatures', () => {
  test('of library and hand are those of the specification’s example', () => {
    for (const sign of [byLibrary, byHand]) expect(sign(example.id, now, example.body)).toBe(example.signature);
  });
});

describe.each(programs)('the receiver in %s', (_, isInstalled, command) => {
  const it = isInstalled ? test : test.skip;
  let receiver: Receiver;
  beforeAll(async () => {
    if (isInstalled) receiver = await startReceiver(command);
  });
  afterAll(async () => expect(await receiver?.stop()).toEqual(isInstalled ? [] : undefined));

  it.each([
    ['the library', byLibrary],
    ['hand', byHand],
  ])('takes what is signed by %s, and does something about it', async (_signer, sign) => {
    const message = messageOf('order.paid', { sign });
    // Whoever waits for what it says sends more.
    const order = messages;
    expect(await receiver.send(message)).toBe(204);
    expect(await receiver.said(1)).toEqual([`Order order_${order} was paid: 4900 円`]);
  });

  it('verifies the example of the specification', async () => {
    expect(await receiver.send({ ...example, body: example.body.replace('4', '5') })).toBe(400);
    expect(await receiver.send(example)).toBe(204);
    expect(await receiver.said(1)).toEqual([expect.stringContaining('Nothing to do')]);
  });

  it('takes what an old and a new secret signed, in either order, and beside signatures of other versions', async () => {
    const [one, two, three] = [messageOf(), messageOf(), messageOf()];
    const foreign = byHand('x', now, 'x', otherSecret);
    expect(await receiver.send({ ...one, signature: `${one.signature} ${foreign}` })).toBe(204);
    expect(await receiver.send({ ...two, signature: `${foreign} ${two.signature}` })).toBe(204);
    expect(await receiver.send({ ...three, signature: `v1a,${foreign.slice(3)} v1 ${three.signature}` })).toBe(204);
    await receiver.said(3);
  });

  it('does something about every type, and answers well to one that it does not know', async () => {
    for (const type of [...sellerEventTypes, 'order.of_tomorrow'])
      expect([type, await receiver.send(messageOf(type))]).toEqual([type, 204]);
    const said = await receiver.said(sellerEventTypes.length + 1);
    expect(said.toSorted().filter((line) => line.startsWith('Nothing'))).toEqual(['Nothing to do: order.of_tomorrow']);
    expect(said.join('\n')).not.toMatch(/undefined|\{/);
  });

  it.each<[string, (message: Message) => Partial<Message>]>([
    ['another body', ({ body }) => ({ body: body.replace('4900', '4901') })],
    ['a body that begins with a space', ({ body }) => ({ body: ` ${body}` })],
    ['another id', ({ id }) => ({ id: `${id}0` })],
    ['another timestamp', ({ timestamp }) => ({ timestamp: timestamp - 1 })],
    ['a signature by another secret', ({ id, timestamp, body }) => ({ signature: byHand(id, timestamp, body, otherSecret) })],
    ['two signatures by others', ({ id, body }) => ({ signature: `${byHand(id, now, body, otherSecret)} ${byHand(id, 0, body)}` })],
    ['the signature under another version', ({ signature }) => ({ signature: signature.replace('v1,', 'v2,') })],
    ['the signature without a version', ({ signature }) => ({ signature: signature.replace('v1,', '') })],
    ['a part of the signature', ({ signature }) => ({ signature: signature.slice(0, -1) })],
    ['no signature in its place', () => ({ signature: 'v1,' })],
    ['an empty signature', () => ({ signature: '' })],
    ['an empty id', ({ timestamp, body }) => ({ id: '', signature: byHand('', timestamp, body) })],
    ['a timestamp that is none', ({ id, body }) => ({ timestamp: Number.NaN, signature: byHand(id, Number.NaN, body) })],
  ])('refuses %s, and does nothing', async (_fault, change) => {
    const message = messageOf();
    expect(await receiver.send({ ...message, ...change(message) })).toBe(400);
    await receiver.said(0);
  });

  it.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])('refuses what comes without %s', async (name) => {
    const message = messageOf();
    const { [name]: _left, ...others }: Record<string, string> = headersOf(message);
    expect(await receiver.post(message.body, others)).toBe(400);
    await receiver.said(0);
  });

  it.each([
    [-301, 400],
    [-300, 204],
    [300, 204],
    [301, 400],
  ])('answers to what was signed %i seconds from now: %i', async (seconds, status) => {
    expect(await receiver.send(messageOf('order.paid', { timestamp: now + seconds }))).toBe(status);
    await receiver.said(status === 204 ? 1 : 0);
  });

  it('does nothing about what comes again, at another time and signed anew, and answers well', async () => {
    const message = messageOf();
    const later = { ...message, timestamp: now + 5, signature: byHand(message.id, now + 5, message.body) };
    for (const again of [message, message, later]) expect(await receiver.send(again)).toBe(204);
    await receiver.said(1);
  });

  it('is not kept from an event by a forged one of its id', async () => {
    const message = messageOf();
    expect(await receiver.send({ ...message, body: message.body.replace('4900', '0') })).toBe(400);
    expect(await receiver.send(message)).toBe(204);
    await receiver.said(1);
  });

  it('reads no more than 64 KiB, and no other method', async () => {
    const message = messageOf();
    const long = { ...message, body: message.body.padEnd(65_537) };
    const status = await receiver.send({ ...long, signature: byHand(long.id, now, long.body) }).catch(() => 'hung up');
    expect([413, 'hung up']).toContain(status);
    expect(await receiver.post('', headersOf(message), 'GET')).toBeGreaterThanOrEqual(400);
    await receiver.said(0);
  });
});
