import { createSocket, type Socket } from 'node:dgram';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createResolveName } from '../../../shared/webhook-endpoints/requests/resolve-name.ts';

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
const ipv6 = { addresses: [[0x26, 0x06, 0x28, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]] };
const ipv4 = { addresses: ['93.184.215.14', '10.0.0.1'].map((address) => address.split('.').map(Number)) };

describe('the addresses of a name', () => {
  test.each<[string, Answer, Answer, string[]]>([
    ['of both kinds, those of IPv4 first', ipv4, ipv6, ['93.184.215.14', '10.0.0.1', '2606:2800::1']],
    ['those of IPv6 where there are none of IPv4', {}, ipv6, ['2606:2800::1']],
    ['those of IPv6 where those of IPv4 are refused', { rcode: 5 }, ipv6, ['2606:2800::1']],
    ['those of IPv4 where those of IPv6 are refused', ipv4, { rcode: 5 }, ['93.184.215.14', '10.0.0.1']],
    ['none when it is not there', { rcode: 3 }, { rcode: 3 }, []],
    ['none when it has none', {}, {}, []],
  ])('are %s', async (_, a, aaaa, addresses) => {
    answers = { [typeA]: a, [typeAaaa]: aaaa };
    expect(await resolve()).toEqual(addresses);
    expect(asked.toSorted()).toEqual([typeA, typeAaaa]);
  });

  test.each(['silence', 'garbage'] as const)('are not waited for any longer than asked: %s', async (answer) => {
    answers = { [typeA]: answer, [typeAaaa]: answer };
    const stop = new AbortController();
    const resolved = resolve(stop.signal);
    while (asked.length < 2) await new Promise((turn) => setImmediate(turn));
    stop.abort();
    expect(await resolved).toEqual([]);
  });
});
