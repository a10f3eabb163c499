import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import Stripe from 'stripe';
import type { Needs } from '../../../shared/context.ts';
import { newId } from '../../../shared/ids.ts';
import {
  createOnboardingLink,
  findAccountOfEvent,
  openAccount,
  retrieveAccount,
} from '../../../shared/payments/onboarding/connected-accounts.ts';
import {
  type CheckoutSessionRequest,
  findDisputeStatus,
  findSessionState,
  openCheckoutSession,
  retrieveCharge,
  retrieveChargeOfPayment,
  retrieveSession,
} from '../../../shared/payments/provider/checkout-sessions.ts';
import { createStripeClient } from '../../../shared/payments/provider/stripe-client.ts';
import { type RecordedExchange, startRecordingProxy } from '../../support/http/recording-proxy.ts';
import { faultsOfExchange, namesOf, paramsOf, routeOf } from '../../support/provider-schemas/provider-schemas.ts';
import { type ProviderScene, startProviderScene } from '../../support/scenes/provider-scene.ts';

const publicBaseUrl = 'https://licenses.example';

/** What the service itself asks the provider, and of what form. */
describe('requests to the payment provider', () => {
  let scene: ProviderScene;
  let proxy: Awaited<ReturnType<typeof startRecordingProxy>>;
  let c: Needs<'provider' | 'CONSOLE_CLIENT_ID' | 'PUBLIC_BASE_URL' | 'STAGE'>;
  let destinationAccountId: string;

  beforeAll(async () => {
    namesOf('requests');
    scene = await startProviderScene();
    proxy = await startRecordingProxy(scene.endpoint);
    const provider = createStripeClient({ secretKey: 'sk_test_requests', apiBase: proxy.endpoint });
    c = { provider, settings: { CONSOLE_CLIENT_ID: undefined, PUBLIC_BASE_URL: publicBaseUrl, STAGE: 'staging' } };
    destinationAccountId = (await openAccount(c, { ...seller(), country: 'US' })).id;
    await scene.control(`/test/accounts/${destinationAccountId}/state`, { state: 'enabled' });
  }, 120_000);
  afterAll(() => Promise.all([proxy.stop(), scene.stop()]));

  beforeEach(() => {
    proxy.exchanges.length = 0;
  });
  // Whatever a test here asks is of the SDK's form, in its version, and names the service's key.
  afterEach(() => {
    expect(proxy.exchanges.flatMap(faultsOfExchange)).toEqual([]);
    for (const { requestHeaders } of proxy.exchanges) {
      expect(requestHeaders).toMatchObject({ 'stripe-version': Stripe.API_VERSION, authorization: 'Bearer sk_test_requests' });
      expect(requestHeaders).not.toHaveProperty('x-stripe-client-telemetry');
    }
  });

  const seller = () => ({ sellerId: newId('seller'), displayName: '例 Shop', contactEmail: 'owner@example.com', country: 'JP' });

  const checkout = (changes: Partial<CheckoutSessionRequest> = {}) => ({
    orderId: newId('order'),
    attempt: 1,
    productId: newId('product'),
    sellerId: newId('seller'),
    stage: 'staging',
    productName: 'Photo & Studio 写真',
    productSummary: 'Edits photos.',
    sellerName: 'Minato Labs 港',
    quantity: 1,
    unitAmount: 1900,
    currency: 'USD',
    applicationFeeAmount: 190,
    destinationAccountId,
    locale: 'ja' as const,
    successUrl: `${publicBaseUrl}/complete#token=abc`,
    cancelUrl: `${publicBaseUrl}/p/photo`,
    expiresAt: new Date((Math.floor(Date.now() / 1000) + 1820) * 1000 + 999),
    ...changes,
  });

  /** The one exchange that there was. */
  function only(route: string): RecordedExchange {
    expect(proxy.exchanges.map(routeOf)).toEqual([route]);
    return proxy.exchanges[0]!;
  }

  describe('a checkout', () => {
    const tagsOf = ({ orderId, productId, sellerId }: ReturnType<typeof checkout>) => {
      return { order_id: orderId, product_id: productId, seller_id: sellerId, stage: 'staging' };
    };
    const common = (request: ReturnType<typeof checkout>) => ({
      mode: 'payment',
      ui_mode: 'hosted_page',
      adaptive_pricing: { enabled: 'false' },
      client_reference_id: request.orderId,
      locale: 'ja',
      success_url: request.successUrl,
      cancel_url: request.cancelUrl,
      expires_at: String(Math.floor(request.expiresAt.getTime() / 1000)),
      branding_settings: { display_name: 'Minato Labs 港' },
      metadata: tagsOf(request),
    });
    const lineOf = (amount: string) => [
      {
        quantity: '1',
        price_data: { currency: 'usd', unit_amount: amount, product_data: { name: 'Photo & Studio 写真', description: 'Edits photos.' } },
      },
    ];

    test('sends the money to the seller less the fee, and tags session and payment', async () => {
      const request = checkout({ buyerEmail: 'buyer@example.com' });
      const { id, url } = await openCheckoutSession(c, request);
      const sent = only('POST /v1/checkout/sessions');
      expect(paramsOf(sent)).toEqual({
        ...common(request),
        customer_email: 'buyer@example.com',
        line_items: lineOf('1900'),
        allowed_payment_method_types: ['card'],
        payment_intent_data: {
          application_fee_amount: '190',
          transfer_data: { destination: destinationAccountId },
          statement_descriptor_suffix: 'Minato Lab',
          metadata: tagsOf(request),
        },
        payment_method_options: { card: { statement_descriptor_suffix_kanji: 'Minato Labs 港' } },
      });
      expect(JSON.parse(sent.body)).toMatchObject({ id, url });
    });

    test('of several asks for so much each, and must be worth charging as a whole', async () => {
      const several = { quantity: 3, unitAmount: 20, applicationFeeAmount: 6 };
      const { id, url } = await openCheckoutSession(c, checkout(several));
      expect(paramsOf(only('POST /v1/checkout/sessions'))).toMatchObject({
        line_items: [{ quantity: '3', price_data: { currency: 'usd', unit_amount: '20' } }],
      });
      const page = await (await fetch(url)).text();
      for (const shown of ['3 × $0.20', 'Pay $0.60']) expect(page).toContain(shown);
      await scene.control(`/test/checkout/${id}/pay`, { email: 'buyer@example.com' });
      expect(await retrieveSession(c, id)).toMatchObject({ amount: 60 });
      const refused = { code: 'price_not_chargeable' };
      await expect(openCheckoutSession(c, checkout({ ...several, quantity: 2, applicationFeeAmount: 4 }))).rejects.toMatchObject(refused);
      await expect(openCheckoutSession(c, checkout({ quantity: 100, unitAmount: 1_000_000 }))).rejects.toMatchObject(refused);
      await expect(openCheckoutSession(c, checkout({ quantity: 0 }))).rejects.toThrow();
    });

    test('cannot be opened while no way to pay is switched on, unless it is free', async () => {
      await scene.control('/test/api', { payment_methods: 'off' });
      const free = checkout({ unitAmount: 0, applicationFeeAmount: 0 });
      await expect(openCheckoutSession(c, checkout())).rejects.toMatchObject({ code: 'checkout_not_available' });
      await expect(openCheckoutSession(c, free)).resolves.toMatchObject({ url: expect.any(String) });
      await scene.control('/test/api', {});
      await expect(openCheckoutSession(c, checkout())).resolves.toMatchObject({ url: expect.any(String) });
    });

    test('is open until it is completed or over, and what there is none of is over', async () => {
      const [paid, ended] = [await openCheckoutSession(c, checkout()), await openCheckoutSession(c, checkout())];
      expect(await findSessionState(c, paid.id)).toEqual({ state: 'open', url: paid.url });
      await scene.control(`/test/checkout/${paid.id}/pay`, { email: 'buyer@example.com' });
      await scene.control(`/test/checkout/${ended.id}/expire`);
      proxy.exchanges.length = 0;
      const states = [];
      for (const id of [paid.id, ended.id, 'cs_test_none']) states.push(await findSessionState(c, id));
      expect(states).toEqual([{ state: 'complete' }, { state: 'over' }, { state: 'over' }]);
      expect(proxy.exchanges.map(routeOf)).toEqual(Array(3).fill('GET /v1/checkout/sessions/:id'));
    });

    test.each([
      ['Harbour Works Ltd.', 'Harbour Wo'],
      ['Café Ñandú', 'Cafe Nandu'],
      ['ＡＢＣ工房', 'ABC'],
      ['<b>"O\'Neil" * Sons\\', 'b O Neil S'],
      ['A-1 & Co., Ltd.', 'A-1 & Co.'],
      ['1234567890 Ltd', undefined],
      ['株式会社みなと', undefined],
      ['---', undefined],
      ['Straße', 'Stra e'],
    ])('of the seller %s is marked on the statement with %s', async (sellerName, suffix) => {
      await openCheckoutSession(c, checkout({ sellerName }));
      const { payment_intent_data: payment } = paramsOf(only('POST /v1/checkout/sessions')) as Record<string, Record<string, unknown>>;
      expect(payment?.['statement_descriptor_suffix']).toBe(suffix);
    });

    test.each([
      ['株式会社みなと', 'ミナト', '株式会社みなと'],
      ['港', undefined, '港'],
      ['ﾐﾅﾄ ソフトウェアー・ラボ', 'ミナト ソフトウェアー ラボ', 'ミナト ソフトウェアー ラボ'],
      ['佐々木 & Co.', undefined, '佐々木 & Co.'],
      ['<港> "みなと" *', 'ミナト', '港 みなと'],
      ['みなと'.repeat(10), 'ミナト'.repeat(8).slice(0, 22), 'みなと'.repeat(6).slice(0, 17)],
      ['Harbour Works', undefined, undefined],
      ['한국', undefined, undefined],
    ])('of the seller %s is marked in Japan with %s and %s', async (sellerName, kana, kanji) => {
      await openCheckoutSession(c, checkout({ sellerName }));
      const { payment_method_options: options } = paramsOf(only('POST /v1/checkout/sessions')) as Record<string, any>;
      expect(options?.card).toEqual(
        kanji && { ...(kana && { statement_descriptor_suffix_kana: kana }), statement_descriptor_suffix_kanji: kanji },
      );
    });

    test.each([
      ['港'.repeat(100), '港'.repeat(100)],
      ['\u{1f3b5}'.repeat(101), `${'\u{1f3b5}'.repeat(99)}…`],
      ['Minato\nLabs\u202e', 'Minato Labs'],
      ['\u202e', undefined],
    ])('is headed by the name of the seller on one line: %j', async (sellerName, shown) => {
      await openCheckoutSession(c, checkout({ sellerName, productSummary: '' }));
      const params = paramsOf(only('POST /v1/checkout/sessions')) as Record<string, any>;
      expect(params['branding_settings']?.display_name).toBe(shown);
      expect(params['line_items'][0].price_data.product_data).toEqual({ name: 'Photo & Studio 写真' });
    });

    test('is the same however often it is asked for, and another for another order', async () => {
      const request = checkout();
      const ids = [];
      for (const each of [request, request, checkout()]) ids.push((await openCheckoutSession(c, each)).id);
      const keys = proxy.exchanges.map(({ requestHeaders }) => requestHeaders['idempotency-key']);
      for (const [first, again, other] of [ids, keys]) expect([again === first, other === first]).toEqual([true, false]);
      expect(keys[0]).toContain(request.orderId);
    });

    test('is retrieved with its payment, which names the account that the money went to', async () => {
      const request = checkout();
      const { id } = await openCheckoutSession(c, request);
      await scene.control(`/test/checkout/${id}/pay`, { email: 'buyer@example.com' });
      proxy.exchanges.length = 0;
      expect(await retrieveSession(c, id)).toMatchObject({
        orderId: request.orderId,
        amount: 1900,
        currency: 'usd',
        mode: 'payment',
        destinationAccountId,
      });
      expect(paramsOf(only('GET /v1/checkout/sessions/:id'))).toEqual({ expand: ['payment_intent'] });
    });
  });

  test('charges, payments and disputes are retrieved by their ids, a payment with its charge', async () => {
    const { id } = await openCheckoutSession(c, checkout());
    const { payment_intent: intent } = await scene.control(`/test/checkout/${id}/pay`, { email: 'buyer@example.com' });
    const { charge } = await scene.control(`/test/payments/${intent}/refund`, { amount: 300 });
    const dispute = await scene.control(`/test/payments/${intent}/dispute`);
    proxy.exchanges.length = 0;
    expect(await retrieveCharge(c, charge)).toEqual({ paymentIntentId: intent, refundedAmount: 300 });
    expect(await retrieveChargeOfPayment(c, intent)).toMatchObject({ refundedAmount: 300 });
    expect(await findDisputeStatus(c, dispute.id)).toBe('needs_response');
    expect(proxy.exchanges.map(({ path }) => path)).toEqual([
      `/v1/charges/${charge}`,
      `/v1/payment_intents/${intent}`,
      `/v1/disputes/${dispute.id}`,
    ]);
    expect(await findDisputeStatus(c, 'du_none')).toBeUndefined();
  });

  describe('an account', () => {
    const include = ['configuration.recipient', 'configuration.merchant', 'requirements'];
    const whole = (country: string, sellerId: string) => ({
      contact_email: 'owner@example.com',
      display_name: '例 Shop',
      dashboard: 'express',
      identity: { country },
      defaults: { responsibilities: { fees_collector: 'application', losses_collector: 'application' } },
      configuration: {
        recipient: { capabilities: { stripe_balance: { stripe_transfers: { requested: true } } } },
        merchant: { capabilities: { card_payments: { requested: true } } },
      },
      metadata: { seller_id: sellerId, stage: 'staging' },
      include,
    });

    test.each([
      ['FR', undefined],
      ['JP', ['ja-JP']],
    ])('of %s is opened with who bears what, the language %j, and what the reply must hold', async (country, locales) => {
      const request = { ...seller(), country };
      const { id, account } = await openAccount(c, request);
      const sent = only('POST /v2/core/accounts');
      const { defaults, ...rest } = whole(country, request.sellerId);
      expect(paramsOf(sent)).toEqual({ ...rest, defaults: { ...defaults, ...(locales && { locales }) } });
      expect(JSON.parse(sent.body).id).toBe(id);
      expect(account.requirementsDue).not.toEqual([]);
    });

    test('is one however often it is opened with the same, and the key says for which seller and with what', async () => {
      const request = seller();
      const opened = [];
      for (const changes of [{}, {}, { displayName: 'Renamed' }, { sellerId: newId('seller') }]) {
        opened.push(await openAccount(c, { ...request, ...changes }));
      }
      const [first, again, renamed, other] = opened.map(({ id }) => id);
      expect(again).toBe(first);
      expect(new Set([first, renamed, other]).size).toBe(3);
      expect(proxy.exchanges[0]?.requestHeaders['idempotency-key']).toContain(request.sellerId);
    });

    test('is retrieved with what its status is read from', async () => {
      const retrieved = await retrieveAccount(c, destinationAccountId);
      expect(paramsOf(only('GET /v2/core/accounts/:id'))).toEqual({ include });
      expect(retrieved.facts).toMatchObject({ transfersActive: true, payoutsActive: true, rejected: false });
    });

    test('gets a link to onboarding that asks for everything at once, and leads back here', async () => {
      const url = await createOnboardingLink(c, destinationAccountId);
      const sent = only('POST /v2/core/account_links');
      expect(paramsOf(sent)).toEqual({
        account: destinationAccountId,
        use_case: {
          type: 'account_onboarding',
          account_onboarding: {
            collection_options: { fields: 'eventually_due' },
            refresh_url: `${publicBaseUrl}/onboarding/return?link=used`,
            return_url: `${publicBaseUrl}/onboarding/return`,
          },
        },
      });
      expect(JSON.parse(sent.body).url).toBe(url);
      expect(await createOnboardingLink(c, destinationAccountId)).not.toBe(url);
    });

    test('is told by the event of a link that was returned, and by no other', async () => {
      await scene.control(`/test/accounts/${destinationAccountId}/onboarding`, { outcome: 'leave' });
      const types = ['v2.core.account_link.returned', 'v2.core.account.created'];
      const events = [];
      for (const type of types) events.push((await scene.platform.until(type))[0]);
      const told = await Promise.all(events.map((one) => findAccountOfEvent(c, one?.event.id ?? '')));
      expect(told).toEqual([destinationAccountId, undefined]);
      expect(proxy.exchanges.map(routeOf)).toEqual(['GET /v2/core/events/:id', 'GET /v2/core/events/:id']);
    });
  });

  test('an answer that does not come is given up after 17 s, whatever the connection does', async () => {
    jest.useFakeTimers();
    const client = createStripeClient({ secretKey: 'sk_test_x' });
    const outcome = jest.fn();
    const call = client.call(() => new Promise(() => {})).then(outcome, outcome);
    await jest.advanceTimersByTimeAsync(16_999);
    expect(outcome).not.toHaveBeenCalled();
    await jest.advanceTimersByTimeAsync(1);
    await call;
    jest.useRealTimers();
    expect(outcome).toHaveBeenCalledWith(expect.objectContaining({ code: 'dependency_unavailable', retryAfterSeconds: 2 }));
  });
});
