import { describe, expect, test } from '@jest/globals';
import { type EventId, lastIdBefore, newId } from '../../shared/ids.ts';
import type { SellerEvent } from '../../shared/seller-events/seller-event.ts';
import {
  afterAttempt,
  type Delivery,
  eventIdOfMessage,
  messageIdOf,
  type PendingDelivery,
} from '../../shared/webhook-endpoints/deliveries/delivery.ts';
import {
  DeliveryPace,
  deliveryLateSeconds,
  nextDue,
  paceAfter,
  pendingToRead,
  restingUntil,
} from '../../shared/webhook-endpoints/deliveries/delivery-pace.ts';
import { isReplayed, replayRangeOf } from '../../shared/webhook-endpoints/deliveries/replay.ts';
import { endpointUrl } from '../../shared/webhook-endpoints/endpoints/endpoint-url.ts';
import { earlierStartOf, type WebhookEndpointRecord } from '../../shared/webhook-endpoints/endpoints/webhook-endpoint.ts';
import { isPublicAddress } from '../../shared/webhook-endpoints/requests/public-address.ts';

const accepts = (url: string, stage: 'local' | 'staging' | 'production' = 'production') => endpointUrl(stage).safeParse(url).success;
const longest = `https://hooks.example.com/${'a'.repeat(2048 - 'https://hooks.example.com/'.length)}`;

describe('the URL of an endpoint', () => {
  test.each([
    'https://example.com',
    'https://hooks.example.com/events?from=us&key=1',
    'https://hooks.example.com:443/events',
    'HTTPS://Hooks.Example.com/',
    'https://bücher.example/',
    'https://xn--bcher-kva.example/',
    'https://a.例え.jp/フック',
    'https://1.2.3.4.example.com/',
    'https://a.localhost.example.com/',
    'https://example.thelocal/',
    'https://example.com/@hook:80',
    longest,
  ])('is https of a public name: %s', (url) => {
    expect(accepts(url)).toBe(true);
    expect(endpointUrl('production').parse(url)).toBe(url);
  });

  test('has its scheme where that was left out', () => {
    expect(endpointUrl('production').parse(' hooks.example.com/events')).toBe('https://hooks.example.com/events');
  });

  const urls = (list: string) => list.trim().split(/\s+/);
  test.each([
    ['another scheme', urls('http://b.jp/?https://b.jp ftp://example.com/ ws://example.com/ javascript:alert(1) //example.com/')],
    ['a port', urls('https://example.com:80/ https://example.com:8443/ https://example.com:0/ https://example.com:65536/')],
    ['credentials', urls('https://user:pass@example.com/ https://user@example.com/ https://@example.com/ https://:@example.com/')],
    ['an address behind credentials', ['https://example.com@169.254.169.254/']],
    ['a fragment', urls('https://example.com/#x https://example.com/# https://example.com#@10.0.0.1/')],
    ['an IPv4 address', urls('https://127.0.0.1/ https://8.8.8.8/ https://8.8.8.8./ https://8.8.8/ https://134744072/')],
    ['an octal address', urls('https://0177.0.0.1/ https://017700000001/')],
    ['a hexadecimal address', urls('https://0x7f.0.0.1/ https://0x7f000001/ https://0x7f.1/')],
    ['an address in other digits', urls('https://１２７.０.０.１/ https://127。0。0。1/ https://①②⑦.0.0.1/ https://%31%32%37.0.0.1/')],
    ['an IPv6 address', urls('https://[::1]/ https://[2606:2800::1]/ https://[::ffff:127.0.0.1]/')],
    ['an IPv6 address of another kind', urls('https://[64:ff9b::7f00:1]/ https://[fe80::1%25eth0]/')],
    ['a name without a dot', urls('https://localhost/ https://metadata/ https://com/ https://xn--fiqs8s/')],
    [
      'a local name',
      urls('https://a.localhost/ https://printer.local/ https://metadata.google.internal/ https://A.LOCALHOST/ https://x.ⓛocal/'),
    ],
    ['a name that ends with a dot', urls('https://example.com./ https://localhost./ https://a.internal./')],
    ['an empty label', urls('https://a..example.com/ https://.example.com/')],
    ['a misformed label', urls('https://-a.example.com/ https://a.example.1/ https://a.b-/ https://a_b.c_d/')],
    ['a name that is too long', [`https://${'a'.repeat(64)}.example.com/`, `https://${'abcdefg.'.repeat(32)}com/`]],
    ['space that parsers leave out', ['https:// example.com/', 'https://example.com /', 'https://exa\tmple.com/']],
    ['signs that parsers leave out', ['https://example.com/\u0000', 'https://exam\u200eple.com/']],
    [
      'slashes that parsers correct',
      ['https:\\\\example.com/', 'https:/example.com/', 'https:///example.com/', 'https://example.com\\hook'],
    ],
    ['a backslash before an address', ['https://example.com\\@10.0.0.1/']],
    ['nothing', ['', 'https://', 'https://?', 'https:///']],
  ])('is not one with %s', (_, refused) => {
    for (const stage of ['local', 'staging', 'production'] as const) expect(refused.filter((url) => accepts(url, stage))).toEqual([]);
  });

  test('is at most 2,048 characters long, and longer ones are not looked at', () => {
    expect(endpointUrl('production').safeParse(`${longest}a`).error?.issues).toMatchObject([
      { message: 'must be at most 2048 characters long' },
    ]);
    expect(accepts(`https://example.com/${'😀'.repeat(2028)}`)).toBe(true);
  });

  test.each([
    ['https://shop.example.com', 'production', 'https://Shop.example.com:443/v1/public/products/a/checkout', false],
    ['https://shop.example.com/', 'staging', 'https://shop.example.com/__local/receiver', false],
    ['https://shop.example.com:8443', 'production', 'https://shop.example.com/', false],
    ['https://shop.example.com', 'production', 'https://hooks.shop.example.com/', true],
    ['https://shop.example.com', 'local', 'https://shop.example.com/', false],
    ['http://127.0.0.1:3000', 'local', 'http://127.0.0.1:3000/v1/licenses/activate', false],
    ['http://127.0.0.1:3000', 'local', 'http://127.0.0.1:3000/__local/%2e%2e/v1/licenses/activate', false],
    ['http://127.0.0.1:3000', 'local', 'http://127.0.0.1:3000/__local/receiver/shop', true],
    ['http://127.0.0.1:3000', 'local', 'http://127.0.0.1:3001/hook', true],
  ] as const)('of a service at %s (%s) may be %s: %s', (own, stage, url, taken) => {
    expect(endpointUrl(stage, own).safeParse(url).success).toBe(taken);
  });

  test.each(['http://127.0.0.1', 'http://127.0.0.1:3000/__local/receiver/shop', 'http://127.0.0.1:80/?a=b'])('may locally be %s', (url) => {
    expect(accepts(url, 'local')).toBe(true);
    expect(accepts(url, 'staging')).toBe(false);
    expect(accepts(url, 'production')).toBe(false);
  });

  test.each([
    ...urls('http://127.0.0.2/ http://127.1/ http://2130706433/ http://0x7f.0.0.1/ http://localhost/ http://localhost:3000/ http://[::1]/'),
    ...urls('http://10.0.0.1/ http://169.254.169.254/ http://0.0.0.0/ http://127.0.0.1.example.com/ http://127.0.0.1@example.com/'),
    ...urls('http://example.com/?http://127.0.0.1/ http://user@127.0.0.1/ http://127.0.0.1:3000/#x http://127.0.0.1:99999/'),
    ...urls('https://127.0.0.1/ https://127.0.0.1:3000/'),
  ])('may locally not be %s', (url) => {
    expect(accepts(url, 'local')).toBe(false);
  });
});

/** Each range with its first and last address, and those beside it that are public, if they are. */
const ranges: readonly [string, readonly string[], readonly string[]][] = [
  ['this network', ['0.0.0.0', '0.255.255.255'], ['1.0.0.0']],
  ['private 10/8', ['10.0.0.0', '10.255.255.255'], ['9.255.255.255', '11.0.0.0']],
  ['carrier-grade NAT', ['100.64.0.0', '100.127.255.255'], ['100.63.255.255', '100.128.0.0']],
  ['loopback', ['127.0.0.0', '127.0.0.1', '127.255.255.255'], ['126.255.255.255', '128.0.0.0']],
  ['link-local', ['169.254.0.0', '169.254.169.254', '169.254.255.255'], ['169.253.255.255', '169.255.0.0']],
  ['private 172.16/12', ['172.16.0.0', '172.31.255.255'], ['172.15.255.255', '172.32.0.0']],
  ['protocol assignments', ['192.0.0.0', '192.0.0.255'], ['191.255.255.255', '192.0.1.0']],
  ['documentation 1', ['192.0.2.0', '192.0.2.255'], ['192.0.1.255', '192.0.3.0']],
  ['6to4 relays', ['192.88.99.0', '192.88.99.255'], ['192.88.98.255', '192.88.100.0']],
  ['private 192.168/16', ['192.168.0.0', '192.168.255.255'], ['192.167.255.255', '192.169.0.0']],
  ['benchmarking', ['198.18.0.0', '198.19.255.255'], ['198.17.255.255', '198.20.0.0']],
  ['documentation 2', ['198.51.100.0', '198.51.100.255'], ['198.51.99.255', '198.51.101.0']],
  ['documentation 3', ['203.0.113.0', '203.0.113.255'], ['203.0.112.255', '203.0.114.0']],
  ['multicast', ['224.0.0.0', '239.255.255.255'], ['223.255.255.255']],
  ['reserved and broadcast', ['240.0.0.0', '255.255.255.254', '255.255.255.255'], []],
  ['below what is given out of IPv6', ['::', '::1', '1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'], []],
  ['above what is given out of IPv6', ['4000::', '5f00::1'], []],
  ['IPv4-mapped', ['::ffff:0.0.0.0', '::ffff:8.8.8.8', '::ffff:808:808', '::ffff:255.255.255.255'], []],
  ['IPv4-compatible', ['::8.8.8.8', '::127.0.0.1'], []],
  ['IPv4-translated', ['::ffff:0:8.8.8.8', '::ffff:0:7f00:1'], []],
  ['NAT64', ['64:ff9b::8.8.8.8', '64:ff9b::7f00:1', '64:ff9b:1::', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff'], []],
  ['discard only', ['100::', '100::ffff:ffff:ffff:ffff'], []],
  ['Teredo', ['2001::', '2001:0:ffff:ffff:ffff:ffff:ffff:ffff'], []],
  ['protocol assignments of IPv6', ['2001:1::1', '2001:2::', '2001:10::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff'], ['2001:200::']],
  ['documentation of IPv6', ['2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff'], ['2001:db7:ffff::', '2001:db9::']],
  ['6to4', ['2002::', '2002:7f00:1::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff'], ['2001:ffff::', '2003::']],
  ['documentation of IPv6, the longer', ['3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff'], ['3ffe:ffff::', '3fff:1000::']],
  ['unique-local', ['fc00::', 'fd00:ec2::254', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'], []],
  ['link-local of IPv6', ['fe80::', 'fe80::1%eth0', 'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff'], []],
  ['site-local', ['fec0::', 'feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'], []],
  ['multicast of IPv6', ['ff00::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'], []],
];

describe('an address is public', () => {
  test.each(ranges)('unless it is of a range with a purpose, to its very edges: %s', (_, inside, beside) => {
    expect(inside.filter(isPublicAddress)).toEqual([]);
    expect(beside.filter((address) => !isPublicAddress(address))).toEqual([]);
  });

  test.each(['8.8.8.8', '93.184.215.14', '2606:2800:21f:cb07:6820:80da:af6b:8b2c', '2000::', '3fff:1000::'])('%s', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  test('and written as addresses are', () => {
    const numbers = ['', '8.8.8', '134744072', '0x08080808', '010.8.8.8', '8.8.8.8 '];
    const others = ['localhost', '8.8.8.8%eth0', '2606:2800::1%eth0', '[2606:2800::1]'];
    expect([...numbers, ...others].filter(isPublicAddress)).toEqual([]);
  });
});

const at = new Date('2026-01-31T09:00:00.000Z');
const later = (seconds: number) => new Date(at.getTime() + seconds * 1000).toISOString();
const pending = (type: Delivery['type'], seconds: number): PendingDelivery => {
  return { eventId: newId('event'), type, nextAttemptAt: later(seconds) };
};
const fresh: Delivery = { ...pending('order.paid', 0), status: 'pending', attempts: 0, createdAt: later(-60) };
const pace = (changes: Partial<DeliveryPace> = {}) => ({ ...DeliveryPace.parse({}), ...changes });

describe('the next attempt', () => {
  test.each([
    [0, 270],
    [0.5, 300],
    [0.999999999, 330],
  ])('comes up to a tenth earlier or later by chance: %d', (random, seconds) => {
    const after = afterAttempt({ ...fresh, attempts: 1 }, { error: 'timeout' }, at, random);
    expect(Math.round((Date.parse(after.nextAttemptAt ?? '') - at.getTime()) / 1000)).toBe(seconds);
    expect(after).toMatchObject({ status: 'pending', attempts: 2, lastError: 'timeout', createdAt: fresh.createdAt });
    expect(after.lastStatusCode).toBeUndefined();
  });

  test('comes after seconds, minutes, hours, at last a day', () => {
    const waits = Array.from({ length: 9 }, (_, attempts) => afterAttempt({ ...fresh, attempts }, { error: 'timeout' }, at, 0.5));
    const seconds = waits.map(({ nextAttemptAt = '' }) => (Date.parse(nextAttemptAt) - at.getTime()) / 1000);
    expect(seconds).toEqual([5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]);
  });

  test('there is none after the tenth, nor after one that was taken', () => {
    expect(afterAttempt({ ...fresh, attempts: 9 }, { statusCode: 500, error: 'status' }, at, 0)).toMatchObject({
      status: 'failed',
      attempts: 10,
    });
    const taken = afterAttempt({ ...fresh, attempts: 9, lastError: 'status' }, { statusCode: 200 }, at, 0);
    expect(taken).toMatchObject({ status: 'delivered', attempts: 10, lastStatusCode: 200 });
    expect([taken.lastError, taken.nextAttemptAt]).toEqual([undefined, undefined]);
  });
});

describe('the id of a message', () => {
  test('is the event’s with something of the endpoint, the same each time', () => {
    const [event, one, other] = [newId('event'), newId('endpoint'), newId('endpoint')];
    expect(messageIdOf(event, one)).toBe(messageIdOf(event, one));
    expect(messageIdOf(event, one)).not.toBe(messageIdOf(event, other));
    expect(messageIdOf(event, one)).toMatch(new RegExp(`^${event}_[\\w-]{8}$`));
  });

  test('leads back to its event, and so does that of the event itself', () => {
    const event = newId('event');
    for (const id of [event, messageIdOf(event, newId('endpoint')), `${event}_-_aZ09-b`]) expect(eventIdOfMessage(id)).toBe(event);
    const tails = ['x', '_', '_1234567', '_12345678x', '_1234567.'].map((tail) => `${event}${tail}`);
    const others = [...tails, '', 'evt_1', `x${event}`, `evt_${'U'.repeat(26)}`];
    for (const text of [...others, event.toLowerCase(), newId('order')]) expect(eventIdOfMessage(text)).toBeUndefined();
  });
});

describe('what is sent next', () => {
  test('is due, eight at most, and of types that are not failing first', () => {
    const due = [
      pending('order.paid', -9),
      ...Array.from({ length: 8 }, (_, index) => pending('order.refunded', index - 8)),
      pending('order.refunded', 0.001),
    ];
    expect(nextDue(due, pace(), at)).toEqual(due.slice(0, 8));
    expect(nextDue(due, pace({ failingTypes: ['order.paid'] }), at)).toEqual(due.slice(1, 9));
    expect([pace(), pace({ failingTypes: ['order.paid'] })].map(pendingToRead)).toEqual([8, 256]);
    expect(nextDue([pending('test', 0.001)], pace(), at)).toEqual([]);
    expect(nextDue([pending('test', 0)], pace({ failingTypes: ['test'] }), at)).toHaveLength(1);
  });

  test('waits for the end of a rest, and no longer', () => {
    expect(restingUntil(pace({ restsUntil: later(0.001) }), at)).toBe(later(0.001));
    expect(restingUntil(pace({ restsUntil: later(0) }), at)).toBeUndefined();
    expect(restingUntil(pace(), at)).toBeUndefined();
  });
});

describe('the pace of an endpoint', () => {
  const [taken, failed] = [
    { type: 'order.paid', isAccepted: true, isHung: false },
    { type: 'order.refunded', isAccepted: false, isHung: false },
  ] as const;
  const hung = { ...failed, isHung: true };

  test('knows the types of which nothing was taken lately, until one is', () => {
    const failing = paceAfter(pace(), [taken, failed, { ...failed, type: 'test' }, { ...taken, type: 'test' }], at);
    expect(failing).toMatchObject({ failingTypes: ['order.refunded'], hungRuns: 0 });
    expect(failing.restsUntil).toBeUndefined();
    expect(paceAfter(failing, [taken], at).failingTypes).toEqual(['order.refunded']);
    expect(paceAfter(failing, [{ ...failed, isAccepted: true }], at).failingTypes).toEqual([]);
  });

  test('is a rest after nothing was taken, and none after nothing was sent', () => {
    const once = paceAfter(pace(), [failed], at);
    expect(once).toMatchObject({ hungRuns: 0, restsUntil: later(5) });
    expect(paceAfter(once, [], at)).toBe(once);
    expect(paceAfter(once, [failed, taken], at)).toMatchObject({ hungRuns: 0, restsUntil: undefined });
  });

  test('is a longer rest each time no answer came, until one comes', () => {
    const once = paceAfter(pace(), [failed, hung], at);
    expect(once).toMatchObject({ hungRuns: 1, restsUntil: later(5) });
    const twice = paceAfter(once, [hung], at);
    expect(twice).toMatchObject({ hungRuns: 2, restsUntil: later(10) });
    expect(paceAfter(twice, [failed], at)).toMatchObject({ hungRuns: 0, restsUntil: later(5) });
    expect(paceAfter(twice, [hung, taken], at)).toMatchObject({ hungRuns: 0, restsUntil: undefined });
    expect(paceAfter(pace({ hungRuns: 2000 }), [hung], at).restsUntil).toBe(later(300));
  });

  test('counts as late from when a delivery was due, the endpoint rested, a run left off or its seller changed it', () => {
    const one = pending('test', -1000);
    expect(deliveryLateSeconds(one, pace(), later(-5000), at)).toBe(1000);
    expect(deliveryLateSeconds(one, pace({ restsUntil: later(-900) }), later(-5000), at)).toBe(900);
    expect(deliveryLateSeconds(one, pace({ leftAt: later(-800) }), later(-5000), at)).toBe(800);
    expect(deliveryLateSeconds(one, pace({ restsUntil: later(-900), leftAt: later(-800) }), later(-700), at)).toBe(700);
  });
});

describe('the range of a replay', () => {
  const id = (seconds: number): EventId => lastIdBefore('event', new Date(later(seconds)));
  const replay = { askedAt: later(0) };

  test('begins right before the time that was asked for, and goes on where it came', () => {
    expect(replayRangeOf({ ...replay, sinces: new Set([later(-60)]) })).toEqual({ since: later(-60), position: id(-60) });
    expect(replayRangeOf({ ...replay, since: later(-60), position: id(-10) })).toEqual({ since: later(-60), position: id(-10) });
    for (const none of [{ eventIds: new Set([id(0)]) }, { since: later(-60) }, { position: id(-10) }])
      expect(replayRangeOf({ ...replay, ...none })).toBeUndefined();
  });

  test('of several begins at the first of them, and goes back for one that it had passed', () => {
    expect(replayRangeOf({ ...replay, sinces: new Set([later(-20), later(-60)]) })?.since).toBe(later(-60));
    const half = { ...replay, since: later(-60), position: id(-30) };
    expect(replayRangeOf({ ...half, sinces: new Set([later(-20)]) })).toEqual({ since: later(-60), position: id(-30) });
    expect(replayRangeOf({ ...half, sinces: new Set([later(-90)]) })).toEqual({ since: later(-90), position: id(-90) });
  });

  test('sends what happened since, is still kept, and the endpoint wants', () => {
    const endpoint = {
      ...{ id: newId('endpoint'), sellerId: newId('seller'), url: 'https://example.com/', sealedSecret: '', enabled: true, revision: 1 },
      ...{ eventTypes: ['order.paid' as const], createdAt: later(-3600), updatedAt: later(-3600) },
    };
    const sent = (seconds: number, type: Delivery['type'], now = at) =>
      isReplayed(endpoint, { id: id(seconds), sellerId: endpoint.sellerId, type, at: later(seconds), data: {} }, later(-60), now);
    expect([sent(-60, 'order.paid'), sent(-61, 'order.paid'), sent(-60, 'license.issued')]).toEqual([true, false, false]);
    const gone = new Date(Date.parse(later(-60)) + 30 * 24 * 3600_000);
    expect([sent(-60, 'order.paid', new Date(gone.getTime() - 1)), sent(-60, 'order.paid', gone)]).toEqual([true, false]);
  });

  test('finds every event of the moment at which it begins', () => {
    const before = newId('event', new Date(Date.parse('2100-01-01T00:00:00.000Z') - 1));
    const first = newId('event', new Date('2100-01-01T00:00:00.000Z'));
    const position = lastIdBefore('event', new Date('2100-01-01T00:00:00.000Z'));
    expect([before < position, position < first]).toEqual([true, true]);
    expect(lastIdBefore('event', new Date(0))).toMatch(/^evt_0000000000Z{16}$/);
  });
});

test.each([
  ['12:00:00.001', '11:59:00.000', '11:59:00.000'],
  ['12:05:00.000', '12:00:00.000', '12:00:00.000'],
  ['12:05:00.001', '12:00:00.000', undefined],
  ['12:00:00.000', '11:59:00.000', undefined],
  ['12:01:00.000', '12:01:00.000', undefined],
])(
  'at 12:00 an endpoint that says it was made at %s may have been there for an event of %s, so that it was made at %s',
  (made, at, start) => {
    const day = (time: string) => `2026-01-15T${time}Z`;
    const event = { at: day(at) } as SellerEvent;
    const endpoint = { createdAt: day(made) } as WebhookEndpointRecord;
    expect(earlierStartOf(endpoint, event, new Date(day('12:00:00.000')))).toBe(start && day(start));
  },
);
