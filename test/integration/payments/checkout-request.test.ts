import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { compose as composeStorefront } from '../../../functions/storefront/compose.ts';
import { routes as storefrontRoutes } from '../../../functions/storefront/routes.ts';
import { createStripeClient } from '../../../shared/payments/stripe-client.ts';
import { createCaller } from '../../support/http/http-event.ts';
import { silentLogger } from '../../support/scenes/projection-harness.ts';
import { type SalesHarness, startSalesHarness } from '../../support/scenes/sales-harness.ts';

interface Asked {
  path: string;
  headers: Record<string, unknown>;
  body: Record<string, string>;
}

let harness: SalesHarness;
let recorder: Server;
let asked: Asked[];
let checkout: ReturnType<typeof createCaller>;
const now = new Date();

beforeAll(async () => {
  harness = await startSalesHarness();
  // Stands before the provider, and keeps what it is asked.
  recorder = createServer(async (request, response) => {
    const body = await text(request);
    asked.push({ path: request.url ?? '', headers: request.headers, body: Object.fromEntries(new URLSearchParams(body)) });
    const { host: _, ...headers } = request.headers as Record<string, string>;
    const reply = await fetch(harness.fakeProvider.endpoint + request.url, { method: request.method ?? '', headers, body });
    response.writeHead(reply.status, { 'content-type': 'application/json' }).end(await reply.text());
  });
  await new Promise<void>((resolve) => recorder.listen(0, '127.0.0.1', resolve));
  const { port } = recorder.address() as AddressInfo;
  const provider = createStripeClient({ secretKey: 'sk_test_shop', apiBase: `http://127.0.0.1:${port}` });
  const { settings, table } = harness;
  checkout = createCaller(composeStorefront({ settings, logger: silentLogger, table, provider, now: () => now }), storefrontRoutes);
});
afterAll(async () => {
  await harness.fakeProvider.stop();
  recorder.closeAllConnections();
  await new Promise((resolve) => recorder.close(resolve));
});
beforeEach(() => {
  asked = [];
});

async function open(priceAmount: number, body: object = {}) {
  const product = await harness.offer({ priceAmount, currency: 'JPY' });
  const { json, status } = await checkout('POST', `/v1/public/products/${product.slug}/checkout`, { body });
  expect(status).toBe(201);
  const order = await harness.orders.getOrder(json.order_id);
  const [request] = asked;
  if (!request || asked.length !== 1) throw new Error(`The provider was asked ${asked.length} times.`);
  return { product, order, request, reply: json };
}

test('a checkout asks the provider for one payment to the seller’s account, less our fee, with everything that names it', async () => {
  const { product, order, request } = await open(4805, { buyer_email: 'buyer@example.com', locale: 'ja' });
  expect(request.path).toBe('/v1/checkout/sessions');
  const { success_url: successUrl, ...body } = request.body;
  expect(body).toEqual({
    mode: 'payment',
    ui_mode: 'hosted_page',
    'adaptive_pricing[enabled]': 'false',
    'branding_settings[display_name]': 'Example Shop',
    client_reference_id: order.id,
    customer_email: 'buyer@example.com',
    locale: 'ja',
    cancel_url: `http://shop.test/checkout/cancelled?product=${product.slug}&lang=ja`,
    expires_at: String(Math.floor((now.getTime() + 30 * 60_000 + 20_000) / 1000)),
    'line_items[0][quantity]': '1',
    'line_items[0][price_data][currency]': 'jpy',
    'line_items[0][price_data][unit_amount]': '4805',
    'line_items[0][price_data][product_data][name]': product.name,
    'line_items[0][price_data][product_data][description]': product.description,
    'metadata[order_id]': order.id,
    'metadata[product_id]': product.id,
    'metadata[seller_id]': product.sellerId,
    'metadata[stage]': 'local',
    'allowed_payment_method_types[0]': 'card',
    'payment_intent_data[statement_descriptor_suffix]': 'Example Sh',
    'payment_intent_data[application_fee_amount]': '480',
    'payment_intent_data[transfer_data][destination]': order.destinationAccountId,
    'payment_intent_data[metadata][order_id]': order.id,
    'payment_intent_data[metadata][product_id]': product.id,
    'payment_intent_data[metadata][seller_id]': product.sellerId,
    'payment_intent_data[metadata][stage]': 'local',
  });
  expect(successUrl).toMatch(/^http:\/\/shop\.test\/complete\?lang=ja#token=eyJ[\w.-]+$/);
  expect(request.headers['authorization']).toBe('Bearer sk_test_shop');
  expect(request.headers['idempotency-key']).toContain(order.id);
});

test('a session is asked for as long as it takes to get there, so that it lives half an hour', async () => {
  const { reply, request } = await open(1000);
  expect(Date.parse(reply.expires_at)).toBe(now.getTime() + 30 * 60_000 + 20_000);
  expect(Number(request.body['expires_at']) * 1000 - now.getTime()).toBeGreaterThan(30 * 60_000 + 19_000);
});

test('a free checkout asks for no payment, no fee and no account', async () => {
  const { request } = await open(0);
  expect(Object.keys(request.body).filter((name) => /payment_intent_data|payment_method/.test(name))).toEqual([]);
  expect(request.body).toMatchObject({ 'line_items[0][price_data][unit_amount]': '0', 'adaptive_pricing[enabled]': 'false' });
});

test.each([
  [50, '5'],
  [59, '5'],
  [999, '99'],
  [99_999_999, '9999999'],
])('of %i it asks for a fee of %s: a tenth, rounded down', async (priceAmount, fee) => {
  const { request, order } = await open(priceAmount);
  expect(request.body['payment_intent_data[application_fee_amount]']).toBe(fee);
  expect(String(order.applicationFeeAmount)).toBe(fee);
});

test('a payment at the provider goes to the seller’s account, less the fee that was asked for', async () => {
  const { reply, order } = await open(4805);
  await harness.pay(reply.checkout_url);
  const { payment_intent: paid } = await harness.sessionOf(reply.checkout_url);
  expect(paid).toMatchObject({
    amount: 4805,
    application_fee_amount: 480,
    transfer_data: { destination: order.destinationAccountId },
    metadata: { order_id: order.id, stage: 'local' },
  });
});
