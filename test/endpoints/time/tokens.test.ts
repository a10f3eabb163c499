import type { KeyObject } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { decodeJwt, SignJWT } from 'jose';
import { mintCompletionToken } from '../../../shared/buyer-access/completion-token.ts';
import { newId } from '../../../shared/ids.ts';
import type { OutgoingMail } from '../../../shared/mail/sending/mail-client.ts';
import { getOrder, replaceOrder } from '../../../shared/orders/order-repository.ts';
import { type Market, type Marketplace, openMarketplace, startMarket } from '../../support/scenes/marketplace.ts';
import { createMailer } from '../../support/scenes/projection-harness.ts';
import { type SalesHarness, startSalesHarness } from '../../support/scenes/sales-harness.ts';

const minutes = 60_000;
const hours = 60 * minutes;
const uses = ['mail', 'redirect', 'admin'] as const;
const expired = { status: 403, json: { code: 'completion_token_expired' } };

describe('a completion token', () => {
  let market: Market;
  let scene: Marketplace;
  beforeAll(async () => {
    market = await startMarket();
    scene = await openMarketplace(market);
  });
  afterAll(() => market.stop());
  beforeEach(() => scene.setTime(0));

  const opened = () => Date.parse(scene.at);
  const complete = (token: string) => scene.call('POST', '/v1/purchases/complete', { body: { token } });
  const legacy = (completion_token: string) =>
    scene.call('POST', '/v1/purchases/complete', { body: { buyer_email: scene.own.buyerEmail, completion_token } });
  const download = (token: string) =>
    scene.call('POST', `/v1/purchases/files/${scene.own.downloadable.id}/download-intent`, { body: { token } });
  /** When a token that ends so long after the opening ends: tokens count in whole seconds. */
  const wholeSeconds = (after: number) => Math.floor((opened() + after) / 1000) * 1000;
  const mint = (use: (typeof uses)[number], end: number) =>
    mintCompletionToken({ orderId: scene.own.order.id, use, expiresAt: new Date(end) }, new Date(opened()), scene.settings.TOKEN_KEYS);
  /** As if the payment of the order had been heard of at this moment, an hour after it. */
  async function pay(at: number): Promise<void> {
    const read = await getOrder(scene.table, scene.own.order.id);
    const checkout = { paidAt: new Date(at - hours).toISOString(), paidHeardAt: new Date(at).toISOString() };
    await scene.table.transact([replaceOrder(read, { ...read, checkout })]);
  }

  test.each(uses)('of use %s is good until it ends, and not at that very moment', async (use) => {
    await pay(opened());
    const end = wholeSeconds(10 * minutes);
    const token = await mint(use, end);
    for (const [moment, status] of [
      [0, 200],
      [end - opened() - 1, 200],
      [end - opened(), 403],
      [end - opened() + 1, 403],
      [end - opened() + hours, 403],
    ] as const) {
      scene.setTime(moment);
      for (const ask of [complete, download]) {
        const reply = await ask(token);
        expect([moment, reply.status]).toEqual([moment, status]);
        if (status === 403) expect(reply).toMatchObject(expired);
      }
    }
    scene.setTime(0);
    expect((await complete(token)).json.expires_at).toBe(new Date(end).toISOString());
  });

  test('is judged by the clock of the function', async () => {
    await pay(opened() - 3 * hours);
    const token = await mint('mail', wholeSeconds(-hours));
    scene.setTime(-2 * hours);
    expect((await complete(token)).status).toBe(200);
    scene.setTime(-hours);
    expect(await complete(token)).toMatchObject(expired);
  });

  test('of a redirect ends a quarter of an hour after payment, and the reply says so', async () => {
    await pay(opened());
    const token = await mint('redirect', wholeSeconds(2 * hours));
    scene.setTime(15 * minutes - 1);
    expect(await complete(token)).toMatchObject({ status: 200, json: { expires_at: new Date(opened() + 15 * minutes).toISOString() } });
    scene.setTime(15 * minutes);
    for (const ask of [complete, download]) expect(await ask(token)).toMatchObject(expired);
  });

  test.each(['mail', 'admin'] as const)('of use %s is not cut short by the payment', async (use) => {
    await pay(opened());
    scene.setTime(16 * minutes);
    expect((await complete(await mint(use, wholeSeconds(hours)))).status).toBe(200);
  });

  test('of a redirect is not taken in the legacy form, where the others are', async () => {
    await pay(opened());
    for (const use of uses) {
      const reply = await legacy(await mint(use, wholeSeconds(hours)));
      expect([use, reply.status, reply.json.code]).toEqual(
        use === 'redirect' ? [use, 403, 'completion_token_invalid'] : [use, 200, undefined],
      );
    }
  });

  test('is of this service’s making alone', async () => {
    const [key] = scene.settings.TOKEN_KEYS.all;
    const claims = { use: 'mail', sub: scene.own.order.id, exp: Math.floor(opened() / 1000) + 600 };
    const sign = (payload: object, header: object = {}, secret: KeyObject | Uint8Array = key!.secret) =>
      new SignJWT({ ...payload }).setProtectedHeader({ alg: 'HS256', kid: key!.version, typ: 'completion+jwt', ...header }).sign(secret);
    expect((await complete(await sign(claims))).status).toBe(200);
    for (const token of [
      await sign(claims, { typ: 'JWT' }),
      await sign(claims, { alg: 'HS512' }),
      await sign(claims, { kid: '9' }),
      await sign(claims, {}, Buffer.alloc(32)),
      await sign(claims, {}, scene.settings.ENCRYPTION_KEYS.current.secret),
      await sign(claims, {}, scene.settings.LICENSE_PEPPERS.current.secret),
      `${Buffer.from(JSON.stringify({ alg: 'none', kid: key!.version, typ: 'completion+jwt' })).toString('base64url')}.${(await sign(claims)).split('.')[1]}.`,
      await sign({ ...claims, use: 'other' }),
      await sign({ ...claims, exp: undefined }),
      await sign({ ...claims, sub: undefined }),
    ]) {
      expect(await complete(token)).toMatchObject({ status: 403, json: { code: 'completion_token_invalid' } });
    }
    const token = await sign({ ...claims, use: 'redirect', sub: newId('order') });
    for (const path of ['complete', 'devices', 'replace-key', 'buyer-email']) {
      const gone = await scene.call('POST', `/v1/purchases/${path}`, {
        body: { token, ...(path === 'buyer-email' && { buyer_email: 'any@example.com' }) },
      });
      expect([path, gone.status, gone.json.code]).toEqual([path, 404, 'order_not_found']);
    }
  });
});

describe('the times of a sale', () => {
  let harness: SalesHarness;
  beforeAll(async () => {
    harness = await startSalesHarness();
  });
  afterAll(() => harness.fakeProvider.stop());

  async function checkout() {
    const product = await harness.offer();
    const { json } = await harness.checkoutCall('POST', `/v1/public/products/${product.slug}/checkout`);
    const session = await harness.sessionOf(json.checkout_url);
    return { ...json, token: (session.success_url ?? '').split('#token=')[1] ?? '' };
  }

  test('a mail has a token of a day', async () => {
    const { order_id, checkout_url } = await checkout();
    await harness.pay(checkout_url);
    const mails: OutgoingMail[] = [];
    const mailer = createMailer(harness, { send: async (mail) => void mails.push(mail) });
    await mailer({ Records: harness.queue.take().Records.filter(({ body }) => body.includes('send-mail')) });
    const tokens = mails.map(({ text }) => decodeJwt(/#token=(\S+)/.exec(text)?.[1] ?? ''));
    expect(tokens).toEqual([{ use: 'mail', sub: order_id, iat: expect.any(Number), exp: (tokens[0]?.iat ?? 0) + 24 * 3600 }]);
    expect(Math.abs((tokens[0]?.iat ?? 0) - Date.now() / 1000)).toBeLessThan(60);
  });
});
