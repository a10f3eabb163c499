import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import Stripe from 'stripe';
import { sampleAccount, sampleCheckout } from '../../support/samples/sample-account.ts';
import { type ProviderScene, startProviderScene } from '../../support/scenes/provider-scene.ts';

let scene: ProviderScene;
let stripe: Stripe;
let destination: string;
beforeAll(async () => {
  scene = await startProviderScene();
  ({ stripe } = scene);
  destination = await scene.account('enabled');
});
afterAll(() => scene.stop());

const openSession = (changes: Parameters<typeof sampleCheckout>[1] = {}, options: Stripe.RequestOptions = {}) =>
  stripe.checkout.sessions.create(sampleCheckout(destination, changes), options);

describe('the fake payment provider is as strict as the real one', () => {
  test.each([
    ['none', undefined, 401, 401],
    ['a live key', 'sk_live_x', 401, 401],
    ['a publishable key', 'pk_test_x', 401, 401],
    ['a restricted key', 'rk_test_x', 404, 403],
    ['a secret key', 'sk_test_x', 404, 404],
  ])('with %s as API key requests are refused where they must be', async (_, key, v1, v2) => {
    const headers = { 'Stripe-Version': Stripe.API_VERSION, ...(key && { Authorization: `Bearer ${key}` }) };
    const statusOf = async (path: string) => (await fetch(`${scene.endpoint}${path}`, { headers })).status;
    expect(await Promise.all(['/v1/charges/ch_none', '/v2/core/accounts/acct_none'].map(statusOf))).toEqual([v1, v2]);
  });

  const suffixed = (statement_descriptor_suffix: string) => ({ payment_intent_data: { statement_descriptor_suffix } });
  test.each<[string | undefined, object]>([
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
    ['parameter_invalid_integer', { expires_at: 'tomorrow' }],
    ['parameter_unknown', { payment_method_types: ['card'] }],
    ['parameter_unknown', { adaptive_pricing: { enabled: false, other: true } }],
    ['parameter_unknown', { branding_settings: { name: 'Shop' } }],
    ['parameter_missing', { line_items: undefined }],
    [undefined, { branding_settings: { display_name: 'x'.repeat(5001) } }],
    ...['x'.repeat(23), '港', '12345', ...'<>\\\'"*'].map((suffix): [undefined, object] => [undefined, suffixed(suffix)]),
  ])('refuses with %s what the provider refuses: %j', async (code, changes) => {
    const created = openSession(changes);
    await expect(created).rejects.toMatchObject({ statusCode: 400, type: 'StripeInvalidRequestError' });
    expect(await created.catch((error: Stripe.errors.StripeError) => error.code)).toBe(code);
  });

  test.each([
    [1799, false],
    [1801 + 60, true],
    [24 * 3600 - 60, true],
    [24 * 3600 + 60, false],
  ])('a session that expires %s s after its request is made: %s', async (seconds, isMade) => {
    const changes = { expires_at: Math.floor(Date.now() / 1000) + seconds };
    const made = openSession(changes);
    await (isMade ? expect(made).resolves.toMatchObject(changes) : expect(made).rejects.toMatchObject({ param: 'expires_at' }));
  });
});

describe('under an idempotency key the fake payment provider', () => {
  test('gives the same session to the same request, and refuses other parameters', async () => {
    const options = { idempotencyKey: 'order-1' };
    const params = sampleCheckout(destination);
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

  test('keeps a refusal once the work had begun, though its reason is gone', async () => {
    const id = await scene.account();
    const params = sampleCheckout(id);
    const create = (idempotencyKey: string) => stripe.checkout.sessions.create(params, { idempotencyKey });
    const refusal = { code: 'capability_not_active', statusCode: 400 };
    await expect(create('order-2')).rejects.toMatchObject(refusal);
    await scene.control(`/test/accounts/${id}/state`, { state: 'enabled' });
    await expect(create('order-2')).rejects.toMatchObject({ ...refusal, headers: { 'idempotent-replayed': 'true' } });
    expect((await create('order-3')).status).toBe('open');
  });

  test('leaves the key free after parameters of the wrong form, and after an outage', async () => {
    const options = { idempotencyKey: 'order-4' };
    await expect(openSession({ customer_email: 'nobody' }, options)).rejects.toMatchObject({ code: 'email_invalid' });
    await scene.control('/test/api', { status: 503 });
    await expect(openSession({}, options)).rejects.toMatchObject({ statusCode: 503 });
    await scene.control('/test/api', {});
    expect((await openSession({}, options)).status).toBe('open');
  });

  test('opens one account, and refuses other parameters', async () => {
    const create = (changes = {}) => stripe.v2.core.accounts.create({ ...sampleAccount, ...changes }, { idempotencyKey: 'seller-1' });
    const accounts = await Promise.all(Array.from({ length: 5 }, () => create()));
    expect(new Set(accounts.map(({ id }) => id)).size).toBe(1);
    const changed = create({ display_name: 'Other' });
    await expect(changed).rejects.toMatchObject({ type: 'StripeIdempotencyError', statusCode: 400 });
  });
});
