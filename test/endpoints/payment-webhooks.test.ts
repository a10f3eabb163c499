import { createHmac } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { routes } from '../../functions/payment-webhooks/routes.ts';
import { createLogger } from '../../shared/logging/logger.ts';
import { findPaymentEvent } from '../../shared/payments/payment-repository.ts';
import { readContents } from '../support/engines/table-contents.ts';
import { createTestTable, type TestTable } from '../support/engines/test-table.ts';
import { createCaller } from '../support/http/http-event.ts';
import { sessionEvent } from '../support/samples/provider-events.ts';
import { connectSecrets, createProjectionHarness, type ProjectionHarness, platformSecrets } from '../support/scenes/projection-harness.ts';

const at = Date.parse('2026-02-01T00:00:00.000Z') / 1000;
const logged: string[] = [];
let store: TestTable;
let harness: ProjectionHarness;
let call: ReturnType<typeof createCaller>;
beforeAll(async () => {
  store = await createTestTable();
  const logger = createLogger({}, (line) => logged.push(line));
  harness = await createProjectionHarness({ table: store.table, logger, now: () => new Date(at * 1000) });
  call = createCaller(harness.webhooks, routes);
});

const [newSecret = '', oldSecret = ''] = platformSecrets;
const [connectSecret = ''] = connectSecrets;
const endpoints = {
  platform: { path: '/v1/payment/webhook', secret: newSecret, foreign: connectSecret },
  connect: { path: '/v1/payment/connect/webhook', secret: connectSecret, foreign: newSecret },
};
type Name = keyof typeof endpoints;
const hmac = (text: string, secret = newSecret, time: number | string = at) =>
  createHmac('sha256', secret).update(`${time}.${text}`).digest('hex');
const post = (name: Name, body: string, headers: Record<string, string>) =>
  call('POST', endpoints[name].path, { body, headers: { 'content-type': 'application/json; charset=utf-8', ...headers } });
const signed = (body: string, name: Name = 'platform') =>
  post(name, body, { 'Payment-Signature': `t=${at},v1=${hmac(body, endpoints[name].secret)}` });
const refusal = (code: string) => ({ status: 400, json: { code } });
const unhandled = '{"id":"evt_1","type":"something.else"}';

describe.each(['platform', 'connect'] as const)('a signature at the %s endpoint', (name) => {
  const { secret, foreign } = endpoints[name];
  const send = (header: string, header_name = 'Payment-Signature') => post(name, unhandled, { [header_name]: header });

  test('is five minutes old or ahead at most', async () => {
    for (const age of [0, 299, 300, -299, -300]) {
      expect([age, (await send(`t=${at - age},v1=${hmac(unhandled, secret, at - age)}`)).status]).toEqual([age, 200]);
    }
    for (const age of [301, -301, 3600]) {
      expect(await send(`t=${at - age},v1=${hmac(unhandled, secret, at - age)}`)).toMatchObject(refusal('signature_invalid'));
    }
  });

  test('is one of the first five in at most 4,096 characters, over the time that it names, which is named once', async () => {
    const good = `v1=${hmac(unhandled, secret)}`;
    const stale = at - 3600;
    const wrong = (count: number) =>
      Array(count)
        .fill(`v1=${'0'.repeat(64)}`)
        .join();
    const before = await readContents(store);
    for (const [header, code] of [
      ['', 'signature_missing'],
      ...[
        `t=${at},t=${stale},v1=${hmac(unhandled, secret, stale)}`,
        `t=${stale},t=${at},${good}`,
        `t=${at},${good},t=${at}`,
        `t=${at},v1=${hmac(unhandled, secret, stale)}`,
        `t=${at},v1=${hmac(unhandled, foreign)}`,
        `t=${at},v1=${hmac(`${unhandled} `, secret)}`,
        `t=${at},v0=${hmac(unhandled, secret)}`,
        `t=${at}`,
        good,
        `t=,v1=${hmac(unhandled, secret, '')}`,
        `t=${at}.0,v1=${hmac(unhandled, secret, `${at}.0`)}`,
        `t=${at},${wrong(5)},${good}`,
        `t=${at},${good},v0=`.padEnd(4097, 'x'),
      ].map((text) => [text, 'signature_invalid']),
    ] as [string, string][]) {
      expect([header, (await send(header)).json.code]).toEqual([header, code]);
    }
    expect(await readContents(store)).toEqual(before);
    for (const header of [`t=${at},${wrong(4)},${good},${wrong(3)}`, `t=${at},${good},v0=`.padEnd(4096, 'x')]) {
      expect((await send(header)).status).toBe(200);
    }
    expect((await send(`t=${at},${good}`, 'Stripe-Signature')).status).toBe(200);
  });

  test(`over the event of a sale ${name === 'platform' ? 'has it projected' : 'has no effect'}`, async () => {
    const sent = harness.queue.sent.length;
    const reply = await signed(JSON.stringify(sessionEvent(await harness.addOrder(), 'completed')), name);
    expect(reply.json).toEqual({ received: true, processed: false });
    expect(harness.queue.sent.slice(sent)).toHaveLength(name === 'platform' ? 1 : 0);
  });
});

test('a signature that is missing or differs in two headers is refused, and nothing is stored', async () => {
  const event = sessionEvent(await harness.addOrder(), 'completed');
  const body = JSON.stringify(event);
  const [one, other] = [`t=${at},v1=${hmac(body)}`, `t=${at},v1=${hmac(body, oldSecret)}`];
  expect(await post('platform', body, {})).toMatchObject(refusal('signature_missing'));
  expect(await post('platform', body, { 'Payment-Signature': one, 'Stripe-Signature': other })).toMatchObject(refusal('signature_invalid'));
  expect(await findPaymentEvent(harness.table, event.id)).toBeUndefined();
  expect((await post('platform', body, { 'Payment-Signature': other })).status).toBe(200);
});

test('the signature is checked before the body is parsed', async () => {
  expect(await post('platform', '{', { 'Payment-Signature': 't=1,v1=0' })).toMatchObject(refusal('signature_invalid'));
  expect(await signed('{')).toMatchObject(refusal('invalid_json'));
  for (const body of ['[]', '{"id":1}']) expect(await signed(body)).toMatchObject(refusal('invalid_request'));
});

test.each([
  ['of a kind we do not handle', { type: 'customer.created', livemode: false }, { ignored: true }],
  ['with a name that every object has', { type: '__proto__' }, { ignored: true }],
  ['with another such name', { type: 'constructor', data: { object: {} } }, { ignored: true }],
  ['with a time of another form', { type: 'x', created: {} }, { ignored: true }],
  ['with an id with dashes', { id: 'evt_with-dashes', type: 'x' }, { ignored: true }],
  ['with a live mode of another form', { type: 'charge.refunded', livemode: 'true' }, { ignored: true }],
  ['without data', { type: 'charge.refunded', data: null }, {}],
  ['with data of another form', { type: 'checkout.session.completed', data: [] }, {}],
])('an event %s is received without an effect, and so is its repeat', async (what, event, said) => {
  const body = JSON.stringify({ id: `evt_${what.replaceAll(' ', '')}`, ...event });
  for (const _ of ['once', 'again']) {
    const { status, json } = await signed(body);
    expect([status, json]).toEqual([200, { received: true, processed: false, ...said }]);
  }
  // The other endpoint takes no such events at all.
  expect((await signed(body, 'connect')).json).toEqual({ received: true, processed: false });
});

test('neither the e-mail nor any other part of the raw body is kept in plain form', async () => {
  const event = sessionEvent(await harness.addOrder(), 'completed');
  await harness.deliver(event);
  const stored = JSON.stringify(await findPaymentEvent(harness.table, event.id));
  expect(stored).not.toMatch(/buyer@example\.com|customer_details/i);
  expect(logged.join()).not.toMatch(/buyer@example\.com/i);
});
