import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readContents } from '../../support/engines/table-contents.ts';
import { sessionEvent } from '../../support/samples/provider-events.ts';
import { type Market, type Marketplace, openMarketplace, startMarket, webhookSecrets } from '../../support/scenes/marketplace.ts';
import { sampleOrder } from '../../support/scenes/projection-harness.ts';

describe.each(['platform', 'connect'] as const)('a signature at the %s endpoint', (endpoint) => {
  let market: Market;
  let scene: Marketplace;
  beforeAll(async () => {
    market = await startMarket();
    scene = await openMarketplace(market);
    // A whole second, so that a distance in seconds is exact.
    scene.setTime(1000 - (Date.parse(scene.at) % 1000));
  });
  afterAll(() => market.stop());

  const path = endpoint === 'platform' ? '/v1/payment/webhook' : '/v1/payment/connect/webhook';
  const secret = webhookSecrets[endpoint];
  const body = '{"id":"evt_1","type":"something.else"}';
  const seconds = () => Math.ceil(Date.parse(scene.at) / 1000 + 0.0005);
  const hmac = (time: number | string, key = secret, text = body) => createHmac('sha256', key).update(`${time}.${text}`).digest('hex');
  const send = (header: string, name = 'Payment-Signature') =>
    scene.call('POST', path, { body, headers: { 'Content-Type': 'application/json', [name]: header } });
  const invalid = { status: 400, json: { code: 'signature_invalid' } };

  test.each([
    [0, 200],
    [299, 200],
    [300, 200],
    [301, 400],
    [-299, 200],
    [-300, 200],
    [-301, 400],
    [3600, 400],
  ])('that is %d s old: %d', async (age, status) => {
    const time = seconds() - age;
    const reply = await send(`t=${time},v1=${hmac(time)}`);
    expect([reply.status, reply.json.code]).toEqual([status, status === 200 ? undefined : 'signature_invalid']);
  });

  test('is one of several, over the time that it names, and that time is named once', async () => {
    const now = seconds();
    const stale = now - 3600;
    const before = await readContents(scene);
    for (const header of [
      `t=${now},t=${stale},v1=${hmac(stale)}`,
      `t=${stale},t=${now},v1=${hmac(now)}`,
      `t=${now},v1=${hmac(now)},t=${now}`,
      `t=${now},v1=${hmac(stale)}`,
      `t=${now},v1=${hmac(now, endpoint === 'platform' ? webhookSecrets.connect : webhookSecrets.platform)}`,
      `t=${now},v1=${hmac(now, secret, `${body} `)}`,
      `t=${now},v0=${hmac(now)}`,
      `t=${now}`,
      `v1=${hmac(now)}`,
      `t=,v1=${hmac('')}`,
      `t=${now}.0,v1=${hmac(`${now}.0`)}`,
    ]) {
      expect([header.replaceAll(/[0-9a-f]{64}/g, '…'), (await send(header)).json]).toEqual([
        expect.any(String),
        expect.objectContaining(invalid.json),
      ]);
    }
    expect(await readContents(scene)).toEqual(before);
    expect((await send(`t=${now},v1=${'0'.repeat(64)},v1=${hmac(now)}`)).status).toBe(200);
    expect((await send(`t=${now},v1=${hmac(now)}`, 'Stripe-Signature')).status).toBe(200);
  });

  test(`over the event of a sale ${endpoint === 'platform' ? 'has it projected' : 'has no effect'}`, async () => {
    const event = JSON.stringify(sessionEvent(sampleOrder(), 'completed'));
    const time = seconds();
    const before = scene.queue.sent.length;
    const headers = { 'Content-Type': 'application/json', 'Payment-Signature': `t=${time},v1=${hmac(time, secret, event)}` };
    expect((await scene.call('POST', path, { body: event, headers })).json).toEqual({ received: true, processed: false });
    expect(scene.queue.sent.slice(before)).toHaveLength(endpoint === 'platform' ? 1 : 0);
  });
});
