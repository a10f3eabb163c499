import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { findPaymentEvent } from '../../shared/payments/payment-repository.ts';
import { sessionEvent, sign } from '../support/samples/provider-events.ts';
import { connectSecrets, platformSecrets } from '../support/scenes/projection-harness.ts';
import { type SalesHarness, startSalesHarness } from '../support/scenes/sales-harness.ts';

let harness: SalesHarness;
beforeAll(async () => {
  harness = await startSalesHarness();
});
afterAll(() => harness.fakeProvider.stop());

const [newSecret = '', oldSecret = ''] = platformSecrets;
const json = { 'content-type': 'application/json; charset=utf-8' };
const post = (path: string, body: string | Buffer, headers: Record<string, string>) =>
  harness.webhookCall('POST', path, { body, headers: { ...json, ...headers } });
const platform = (body: string, headers: Record<string, string>) => post('/v1/payment/webhook', body, headers);

describe('a webhook signature', () => {
  const wrong = (count: number) => `,v1=${'0'.repeat(64)}`.repeat(count);
  const behind = (body: string, count: number) => sign(body, newSecret).replace(/,(?=v1)/, `${wrong(count)},`);

  test('counts as the fifth v1, however many follow', async () => {
    const body = JSON.stringify(sessionEvent(await harness.addOrder(), 'completed'));
    expect((await platform(body, { 'Payment-Signature': `${behind(body, 4)}${wrong(3)}` })).status).toBe(200);
  });

  test('counts in a header of 4,096 characters', async () => {
    const body = JSON.stringify(sessionEvent(await harness.addOrder(), 'completed'));
    expect((await platform(body, { 'Payment-Signature': `${sign(body, newSecret)},v0=`.padEnd(4096, 'x') })).status).toBe(200);
  });

  const refused: [string, (body: string) => Record<string, string>, string][] = [
    ['none', () => ({}), 'signature_missing'],
    ['an empty one', () => ({ 'Payment-Signature': '' }), 'signature_missing'],
    ['the right v1 as the sixth', (body) => ({ 'Payment-Signature': behind(body, 5) }), 'signature_invalid'],
    ['too long a header', (body) => ({ 'Payment-Signature': `${sign(body, newSecret)},v0=`.padEnd(4097, 'x') }), 'signature_invalid'],
    [
      'two different headers',
      (body) => ({ 'Payment-Signature': sign(body, newSecret), 'Stripe-Signature': sign(body, oldSecret) }),
      'signature_invalid',
    ],
  ];

  test.each(refused)('%s is refused, and nothing is stored', async (_, headersOf, code) => {
    const event = sessionEvent(await harness.addOrder(), 'completed');
    const body = JSON.stringify(event);
    const reply = await platform(body, headersOf(body));
    expect([reply.status, reply.json.code]).toEqual([400, code]);
    expect(await findPaymentEvent(harness.table, event.id)).toBeUndefined();
  });

  test('is checked before the body is parsed', async () => {
    expect((await platform('{', { 'Payment-Signature': 't=1,v1=0' })).json.code).toBe('signature_invalid');
    expect((await platform('{', { 'Payment-Signature': sign('{', newSecret) })).json.code).toBe('invalid_json');
    expect((await platform('[]', { 'Payment-Signature': sign('[]', newSecret) })).json.code).toBe('invalid_request');
    expect((await platform('{"id":1}', { 'Payment-Signature': sign('{"id":1}', newSecret) })).json.code).toBe('invalid_request');
  });
});

test('an event of a kind we do not handle is received and ignored on the platform endpoint only', async () => {
  const body = JSON.stringify({ id: 'evt_unhandled', object: 'event', type: 'customer.created', livemode: false });
  expect((await platform(body, { 'Payment-Signature': sign(body, newSecret) })).json).toEqual({
    received: true,
    processed: false,
    ignored: true,
  });
  const reply = await post('/v1/payment/connect/webhook', body, { 'Payment-Signature': sign(body, connectSecrets[0] ?? '') });
  expect(reply.json).toEqual({ received: true, processed: false });
});

test.each([
  ['a name that every object has', { type: '__proto__' }],
  ['another such name', { type: 'constructor', data: { object: {} } }],
  ['a time of another form', { type: 'x', created: {} }],
  ['an id with dashes', { id: `evt_${randomUUID()}`, type: 'x' }],
  ['a live mode of another form', { type: 'charge.refunded', livemode: 'true' }],
])('an event with %s is received without an effect, and so is its repeat', async (_, event) => {
  const body = JSON.stringify({ id: `evt_${randomUUID().replaceAll('-', '')}`, ...event });
  for (let time = 0; time < 2; time += 1) {
    const reply = await platform(body, { 'Payment-Signature': sign(body, newSecret) });
    expect([reply.status, reply.json]).toEqual([200, { received: true, processed: false, ignored: true }]);
  }
});

test.each([
  ['no data', { type: 'charge.refunded', data: null }],
  ['data of another form', { type: 'checkout.session.completed', data: [] }],
])('an event of a kind we handle with %s is received, and not ignored', async (_, event) => {
  const body = JSON.stringify({ id: `evt_${randomUUID().replaceAll('-', '')}`, ...event });
  const reply = await platform(body, { 'Payment-Signature': sign(body, newSecret) });
  expect([reply.status, reply.json]).toEqual([200, { received: true, processed: false }]);
});

test('neither the e-mail nor any other part of the raw body is kept in plain form', async () => {
  const event = sessionEvent(await harness.addOrder(), 'completed');
  await harness.deliver(event);
  const stored = JSON.stringify(await findPaymentEvent(harness.table, event.id));
  expect(stored).not.toMatch(/buyer@example\.com|customer_details/i);
  expect(harness.logged.join()).not.toMatch(/buyer@example\.com/i);
});
