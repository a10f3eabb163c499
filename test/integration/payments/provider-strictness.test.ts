import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import Stripe from 'stripe';
import type { Engine } from '../../../infra/local/engines/engine.ts';
import { startPaymentProvider } from '../../../infra/local/payment-provider/payment-provider.ts';
import { sampleAccount, sampleCheckout } from '../../support/samples/sample-account.ts';

describe('the fake payment provider is as strict as the real one', () => {
  let provider: Engine;
  let stripe: Stripe;

  beforeEach(async () => {
    const nowhere = { url: 'http://127.0.0.1:9/', secret: 'whsec_none' };
    provider = await startPaymentProvider({ platformWebhook: nowhere, connectWebhook: nowhere });
    const port = new URL(provider.endpoint).port;
    stripe = new Stripe('sk_test_local', { host: '127.0.0.1', port, protocol: 'http', telemetry: false, maxNetworkRetries: 0 });
  });
  afterEach(() => provider.stop());

  async function control(path: string, body: object = {}): Promise<void> {
    const headers = { 'Content-Type': 'application/json' };
    await fetch(`${provider.endpoint}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  }

  async function enabledAccount(): Promise<string> {
    const { id } = await stripe.v2.core.accounts.create(sampleAccount);
    await control(`/test/accounts/${id}/state`, { state: 'enabled' });
    return id;
  }

  test.each([
    ['none', undefined, 401, 401],
    ['a live key', 'sk_live_x', 401, 401],
    ['a publishable key', 'pk_test_x', 401, 401],
    ['a restricted key', 'rk_test_x', 404, 403],
    ['a secret key', 'sk_test_x', 404, 404],
  ])('with %s as API key requests are refused where they must be', async (_, key, v1, v2) => {
    const headers = { 'Stripe-Version': Stripe.API_VERSION, ...(key && { Authorization: `Bearer ${key}` }) };
    const statusOf = async (path: string) => (await fetch(`${provider.endpoint}${path}`, { headers })).status;
    expect(await Promise.all(['/v1/charges/ch_none', '/v2/core/accounts/acct_none'].map(statusOf))).toEqual([v1, v2]);
  });

  test.each([
    ['amount_too_small', { amount: 49 }],
    ['amount_too_small', { amount: 49, currency: 'usd' }],
    ['amount_too_large', { amount: 100_000_000 }],
    ['invalid_charge_amount', { amount: 12345, currency: 'kwd' }],
    [undefined, { currency: 'xxx' }],
    [undefined, { allowed_payment_method_types: ['alipay'] }],
    [undefined, { allowed_payment_method_types: ['konbini'], currency: 'usd' }],
    [undefined, { locale: 'xx' }],
    ['url_invalid', { success_url: 'javascript:alert(1)' }],
    ['email_invalid', { customer_email: 'nobody' }],
    ['parameter_invalid_integer', { expires_at: 'tomorrow' } as never],
    ['parameter_unknown', { payment_method_types: ['card'] } as never],
    ['parameter_unknown', { adaptive_pricing: { enabled: false, other: true } } as never],
    ['parameter_missing', { line_items: undefined as never }],
    ['parameter_unknown', { branding_settings: { name: 'Shop' } } as never],
    [undefined, { branding_settings: { display_name: 'x'.repeat(5001) } }],
    [undefined, { payment_intent_data: { statement_descriptor_suffix: 'x'.repeat(23) } }],
    [undefined, { payment_intent_data: { statement_descriptor_suffix: '港' } }],
    [undefined, { payment_intent_data: { statement_descriptor_suffix: '12345' } }],
    ...[...'<>\\\'"*'].map((mark) => [undefined, { payment_intent_data: { statement_descriptor_suffix: `Shop ${mark}` } }] as const),
  ])('refuses with %s what the provider refuses: %j', async (code, changes) => {
    const created = stripe.checkout.sessions.create(sampleCheckout(await enabledAccount(), changes));
    await expect(created).rejects.toMatchObject({ statusCode: 400, type: 'StripeInvalidRequestError' });
    expect(await created.catch((error: Stripe.errors.StripeError) => error.code)).toBe(code);
  });

  test.each([
    [1799, false],
    [1801 + 60, true],
    [24 * 3600 - 60, true],
    [24 * 3600 + 60, false],
  ])('a session that expires %s s after its request is made: %s', async (seconds, isMade) => {
    const destination = await enabledAccount();
    const changes = { expires_at: Math.floor(Date.now() / 1000) + seconds };
    const made = stripe.checkout.sessions.create(sampleCheckout(destination, changes));
    await (isMade ? expect(made).resolves.toMatchObject(changes) : expect(made).rejects.toMatchObject({ param: 'expires_at' }));
  });

  test('a destination that cannot receive money is refused', async () => {
    const { id } = await stripe.v2.core.accounts.create(sampleAccount);
    const created = stripe.checkout.sessions.create(sampleCheckout(id));
    await expect(created).rejects.toMatchObject({ code: 'capability_not_active' });
  });

  describe('under an idempotency key', () => {
    const options = { idempotencyKey: 'order-1' };

    test('the same request gives the same session, and other parameters are refused', async () => {
      const params = sampleCheckout(await enabledAccount());
      const session = await stripe.checkout.sessions.create(params, options);
      const again = await stripe.checkout.sessions.create(params, options);
      expect(again.id).toBe(session.id);
      expect(again.lastResponse.headers).toMatchObject({
        'idempotent-replayed': 'true',
        'original-request': session.lastResponse.requestId,
      });
      const changed = stripe.checkout.sessions.create({ ...params, client_reference_id: 'ord_2' }, options);
      await expect(changed).rejects.toMatchObject({ type: 'StripeIdempotencyError', statusCode: 400 });
    });

    test('a refusal is kept once the work had begun, though its reason is gone', async () => {
      const { id } = await stripe.v2.core.accounts.create(sampleAccount);
      const params = sampleCheckout(id);
      const refusal = { code: 'capability_not_active', statusCode: 400 };
      await expect(stripe.checkout.sessions.create(params, options)).rejects.toMatchObject(refusal);
      await control(`/test/accounts/${id}/state`, { state: 'enabled' });
      const replayed = stripe.checkout.sessions.create(params, options);
      await expect(replayed).rejects.toMatchObject({ ...refusal, headers: { 'idempotent-replayed': 'true' } });
      expect((await stripe.checkout.sessions.create(params, { idempotencyKey: 'order-2' })).status).toBe('open');
    });

    test('parameters of the wrong form leave the key free', async () => {
      const params = sampleCheckout(await enabledAccount());
      const wrong = stripe.checkout.sessions.create({ ...params, customer_email: 'nobody' }, options);
      await expect(wrong).rejects.toMatchObject({ code: 'email_invalid' });
      expect((await stripe.checkout.sessions.create(params, options)).status).toBe('open');
    });

    test('an outage leaves the key free', async () => {
      const params = sampleCheckout(await enabledAccount());
      await control('/test/api', { status: 503 });
      await expect(stripe.checkout.sessions.create(params, options)).rejects.toMatchObject({ statusCode: 503 });
      await control('/test/api', {});
      expect((await stripe.checkout.sessions.create(params, options)).status).toBe('open');
    });
  });

  test('the same idempotency key gives the same account, and refuses other parameters', async () => {
    const options = { idempotencyKey: 'seller-1' };
    const accounts = await Promise.all(Array.from({ length: 5 }, () => stripe.v2.core.accounts.create(sampleAccount, options)));
    expect(new Set(accounts.map(({ id }) => id)).size).toBe(1);
    const changed = stripe.v2.core.accounts.create({ ...sampleAccount, display_name: 'Other' }, options);
    await expect(changed).rejects.toMatchObject({ type: 'StripeIdempotencyError', statusCode: 400 });
  });

  test.each([
    ['characters of any script', `http://127.0.0.1:1/p/${'写真-é'}?x=ü`, `http://127.0.0.1:1/p/${encodeURIComponent('写真-é')}?x=%C3%BC`],
    ['a host of any script', 'http://写真.example/', `http://${new URL('http://写真.example/').host}/`],
    ['5,000 characters', `http://127.0.0.1:1/${'x'.repeat(4900)}`, `http://127.0.0.1:1/${'x'.repeat(4900)}`],
  ])('cancelling leads back to an address with %s', async (_, url, location) => {
    const session = await stripe.checkout.sessions.create(sampleCheckout(await enabledAccount(), { cancel_url: url }));
    const body = new URLSearchParams({ outcome: 'cancel' });
    const cancelled = await fetch(session.url!, { method: 'POST', body, redirect: 'manual' });
    expect([cancelled.status, cancelled.headers.get('location')]).toEqual([303, location]);
  });

  test('the longest names of any script are shown', async () => {
    const name = '\u{1f4f7}写'.repeat(40_000);
    const session = await stripe.checkout.sessions.create({
      ...sampleCheckout(await enabledAccount()),
      line_items: [{ quantity: 1, price_data: { currency: 'jpy', unit_amount: 1200, product_data: { name } } }],
    });
    expect(await (await fetch(session.url!)).text()).toContain(name);
  });

  test('an account that nobody opened is missing', async () => {
    await expect(stripe.v2.core.accounts.retrieve('acct_none')).rejects.toMatchObject({ statusCode: 404, code: 'resource_missing' });
  });

  test('the provider can be made to fail', async () => {
    await control('/test/api', { status: 503 });
    await expect(stripe.v2.core.accounts.retrieve('acct_1')).rejects.toMatchObject({ statusCode: 503 });
    await control('/test/api', {});
    await expect(stripe.v2.core.accounts.retrieve('acct_1')).rejects.toMatchObject({ statusCode: 404 });
  });

  test.each(['cancel', 'pay'])('leads back to an address with other letters than ASCII: %s', async (outcome) => {
    const account = await enabledAccount();
    const session = await stripe.checkout.sessions.create({
      ...sampleCheckout(account),
      success_url: 'https://例え.jp/完了?x=ü#token=é',
      cancel_url: 'https://例え.jp/取消?商品=波形 \u{1f3a8}',
    });
    const reply = await fetch(session.url ?? '', {
      method: 'POST',
      body: new URLSearchParams({ outcome, email: 'buyer@example.com' }),
      redirect: 'manual',
    });
    expect(reply.status).toBe(303);
    expect(new URL(reply.headers.get('location') ?? '').hostname).toBe('xn--r8jz45g.jp');
    expect(decodeURIComponent(new URL(reply.headers.get('location') ?? '').pathname)).toBe(outcome === 'cancel' ? '/取消' : '/完了');
    expect((await fetch(provider.endpoint)).status).toBe(200);
  });
});
