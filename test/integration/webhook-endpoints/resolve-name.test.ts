import { createSocket, type Socket } from 'node:dgram';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createResolveName } from '../../../shared/webhook-endpoints/requests/resolve-name.ts';
import { createSendRequest } from '../../../shared/webhook-endpoints/requests/send-request.ts';

type Answer = { rcode?: number; addresses?: readonly number[][] } | 'silence' | 'garbage';
const [typeA, typeAaaa] = [1, 28];
let server: Socket;
let servers: string[];
/** What is answered to questions for addresses of each kind. */
let answers: Record<number, Answer>;
let asked: number[];

/** A reply to the question, in the form of RFC 1035. */
function replyTo(query: Buffer, type: number, { rcode = 0, addresses = [] }: Exclude<Answer, string>): Buffer {
  const question = query.subarray(12, query.indexOf(0, 12) + 5);
  const header = Buffer.from(query.subarray(0, 12));
  header.writeUInt16BE(0x8180 | rcode, 2);
  header.writeUInt16BE(addresses.length, 6);
  header.writeUInt32BE(0, 8);
  const records = addresses.map((bytes) => Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, bytes.length, ...bytes]));
  return Buffer.concat([header, question, ...records]);
}

beforeAll(async () => {
  server = createSocket('udp4', (query, { port, address }) => {
    const type = query.readUInt16BE(query.indexOf(0, 12) + 1);
    asked.push(type);
    const answer = answers[type] ?? {};
    if (answer === 'silence') return;
    server.send(answer === 'garbage' ? Buffer.from('garbage') : replyTo(query, type, answer), port, address);
  });
  await new Promise<void>((resolve) => server.bind(0, '127.0.0.1', resolve));
  servers = [`127.0.0.1:${(server.address() as AddressInfo).port}`];
});
beforeEach(() => {
  asked = [];
});
afterAll(() => new Promise<void>((resolve) => server.close(resolve)));

const resolve = (signal = new AbortController().signal) => createResolveName({ servers })('hooks.example.com', signal);
const ipv6 = [0x26, 0x06, 0x28, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1];
const [some, same] = [
  {
    addresses: [
      [93, 184, 215, 14],
      [10, 0, 0, 1],
    ],
  },
  { addresses: [ipv6] },
];

describe('the addresses of a name', () => {
  test('are all of both kinds, those of IPv4 first', async () => {
    answers = { [typeA]: some, [typeAaaa]: same };
    expect(await resolve()).toEqual(['93.184.215.14', '10.0.0.1', '2606:2800::1']);
    expect(asked.toSorted()).toEqual([typeA, typeAaaa]);
  });

  test.each<[string, Answer]>([
    ['are none', {}],
    ['are refused', { rcode: 5 }],
  ])('are those of one kind where those of the other %s', async (_, none) => {
    answers = { [typeA]: none, [typeAaaa]: same };
    expect(await resolve()).toEqual(['2606:2800::1']);
    answers = { [typeA]: some, [typeAaaa]: none };
    expect(await resolve()).toEqual(['93.184.215.14', '10.0.0.1']);
  });

  test.each<[string, Answer]>([
    ['is not there', { rcode: 3 }],
    ['has no address', {}],
  ])('are none when it %s', async (_, answer) => {
    answers = { [typeA]: answer, [typeAaaa]: answer };
    expect(await resolve()).toEqual([]);
  });

  test.each(['silence', 'garbage'] as const)('are not waited for any longer than asked: %s', async (answer) => {
    answers = { [typeA]: answer, [typeAaaa]: answer };
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 50);
    const begun = Date.now();
    expect(await resolve(stop.signal)).toEqual([]);
    expect(Date.now() - begun).toBeLessThan(1500);
  });

  test('are the ones by which a request is sent, or not', async () => {
    answers = { [typeA]: some, [typeAaaa]: same };
    const called: string[] = [];
    const send = createSendRequest({
      stage: 'production',
      resolveName: createResolveName({ servers }),
      connect: (_port, address) => {
        called.push(address);
        throw new Error('Nothing is called.');
      },
    });
    expect(await send('https://hooks.example.com/', { headers: {}, body: '{}' })).toEqual({ error: 'address_not_public' });
    expect(called).toEqual([]);
  });
});
