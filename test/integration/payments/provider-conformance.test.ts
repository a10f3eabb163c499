import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import Stripe from 'stripe';
import { apiRoutes } from '../../../infra/local/payment-provider/api/provider-api.ts';
import { onboardingOutcomes } from '../../../infra/local/payment-provider/objects/accounts.ts';
import { accountStateNames } from '../../../infra/local/payment-provider/store/account-states.ts';
import { testControls } from '../../../infra/local/payment-provider/test-controls/test-controls.ts';
import { type RecordedExchange, startRecordingProxy } from '../../support/http/recording-proxy.ts';
import { faultsOfEvent, faultsOfExchange, namesOf, routeOf } from '../../support/provider-schemas/provider-schemas.ts';
import { sampleAccount, sampleCheckout } from '../../support/samples/sample-account.ts';
import { type ProviderScene, startProviderScene, stripeAt } from '../../support/scenes/provider-scene.ts';
import { eventually } from '../../support/scenes/stack-harness.ts';

const include = [
  'configuration.recipient',
  'configuration.merchant',
  'defaults',
  'future_requirements',
  'identity',
  'requirements',
] as const;
const onboarding = {
  type: 'account_onboarding',
  account_onboarding: { refresh_url: 'http://127.0.0.1:1/again', return_url: 'http://127.0.0.1:1/back' },
} as const;

let scene: ProviderScene;
let proxy: Awaited<ReturnType<typeof startRecordingProxy>>;
let stripe: Stripe;
let destination: string;
let paid: Stripe.Checkout.Session;
const usedControls = new Set<string>();

beforeAll(async () => {
  namesOf('requests');
  scene = await startProviderScene();
  proxy = await startRecordingProxy(scene.endpoint);
  stripe = stripeAt(proxy.endpoint);
  const account = await accountsOf();
  paid = await checkoutsOf(account);
  await refundsAndDisputesOf(account, paid);
  await deliveriesOf(account);
  destination = await scene.account('enabled');
}, 120_000);
afterAll(() => Promise.all([proxy.stop(), scene.stop()]));

async function control(path: string, id = '', body: object = {}): Promise<any> {
  usedControls.add(`POST ${path}`);
  const answer = await scene.control(path.replace('{id}', id), body);
  if (answer.error) throw new Error(`${path}: ${answer.error.message}`);
  return answer;
}

async function accountsOf(): Promise<string> {
  const { id } = await stripe.v2.core.accounts.create(sampleAccount, { idempotencyKey: 'account-1' });
  await stripe.v2.core.accounts.create(sampleAccount, { idempotencyKey: 'account-1' });
  await stripe.v2.core.accounts.create({ ...sampleAccount, identity: { country: 'US' }, include: [...include] });
  for (const state of [...accountStateNames, 'enabled']) {
    await control('/test/accounts/{id}/state', id, { state });
    await stripe.v2.core.accounts.retrieve(id, { include: [...include] });
  }
  await stripe.v2.core.accounts.retrieve(id);
  for (const one of include) await stripe.v2.core.accounts.retrieve(id, { include: [one] }, { stripeContext: id });
  const other = await stripe.v2.core.accounts.create(sampleAccount);
  await stripe.v2.core.accountLinks.create({ account: other.id, use_case: onboarding });
  for (const outcome of onboardingOutcomes) await control('/test/accounts/{id}/onboarding', other.id, { outcome });
  await control('/test/accounts/{id}/state', other.id, { state: 'closed' });
  await stripe.v2.core.accounts.retrieve(other.id, { include: [...include] });
  return id;
}

async function checkoutsOf(destination: string): Promise<Stripe.Checkout.Session> {
  const open = (changes: Parameters<typeof sampleCheckout>[1] = {}) =>
    stripe.checkout.sessions.create(sampleCheckout(destination, changes));
  const buyer = { email: 'buyer@example.com' };
  const free = await open({ amount: 0, customer_email: 'known@example.com', locale: 'ja', customer_creation: 'always' });
  await control('/test/checkout/{id}/pay', free.id);
  for (const outcome of ['succeeded', 'failed']) {
    const late = await open({ allowed_payment_method_types: ['card', 'konbini'] });
    await control('/test/checkout/{id}/pay_later', late.id, buyer);
    await stripe.checkout.sessions.retrieve(late.id, { expand: ['payment_intent'] });
    await control('/test/checkout/{id}/settle', late.id, { outcome });
    if (outcome === 'succeeded') await control('/test/payments/{id}/refund', late.id);
  }
  await control('/test/checkout/{id}/expire', (await open()).id);
  await stripe.checkout.sessions.expire((await open()).id);

  const session = await open({ currency: 'usd', amount: 1900 });
  await control('/test/checkout/{id}/decline', session.id, buyer);
  await stripe.checkout.sessions.retrieve(session.id, { expand: ['payment_intent.latest_charge'] });
  await control('/test/checkout/{id}/pay', session.id, buyer);
  return stripe.checkout.sessions.retrieve(session.id);
}

async function refundsAndDisputesOf(destination: string, session: Stripe.Checkout.Session): Promise<void> {
  const intent = String(session.payment_intent);
  const { latest_charge } = await stripe.paymentIntents.retrieve(intent);
  await stripe.paymentIntents.retrieve(intent, { expand: ['latest_charge'] });
  const charge = String(latest_charge);
  await stripe.refunds.create({ payment_intent: intent, amount: 100, reverse_transfer: true, refund_application_fee: true });
  for (const turn of ['fail', 'cancel', 'settle']) {
    const refund = await control('/test/payments/{id}/refund', intent, { amount: 100, status: 'pending' });
    await control(`/test/refunds/{id}/${turn}`, refund.id);
    await stripe.refunds.retrieve(refund.id);
  }
  const waiting = await control('/test/payments/{id}/refund', intent, { amount: 100, status: 'requires_action' });
  await stripe.refunds.cancel(waiting.id);
  const dispute = await control('/test/payments/{id}/dispute', intent, { status: 'warning_needs_response' });
  await stripe.charges.retrieve(charge, { expand: ['payment_intent'] });
  await control('/test/disputes/{id}/update', dispute.id, { status: 'needs_response' });
  await stripe.disputes.retrieve(dispute.id, { expand: ['charge'] });
  await control('/test/disputes/{id}/close', dispute.id, { status: 'won' });
  await stripe.disputes.close((await control('/test/payments/{id}/dispute', intent)).id);

  await stripe.checkout.sessions.list({ payment_intent: intent });
  await stripe.charges.list({ payment_intent: intent, limit: 1 });
  await stripe.refunds.list({ charge });
  await stripe.disputes.list({ charge, expand: ['data.charge'] });
  await control('/test/accounts/{id}/state', destination, { state: 'needs_information' });
}

/** Waits for every webhook, and retrieves each event. */
async function deliveriesOf(destination: string): Promise<void> {
  await control('/test/deliveries', '', { hold: true });
  await control('/test/accounts/{id}/state', destination, { state: 'jcb_rejected' });
  await control('/test/deliveries/release');
  await control('/test/deliveries');
  await control('/test/events/{id}/resend', scene.platform.received.at(-1)?.event.id);
  for (const path of ['/test/deliveries', '/test/sessions', '/test/payments', '/test/accounts']) {
    usedControls.add(`GET ${path}`);
    expect((await fetch(`${scene.endpoint}${path}`)).status).toBe(200);
  }
  await eventually('nothing is under way', 60, async () => {
    const { under_way } = (await (await fetch(`${scene.endpoint}/test/deliveries`)).json()) as { under_way: unknown[] };
    return under_way.length === 0 || undefined;
  });
  const listed = await stripe.events.list({ created: { gte: 1 }, types: ['charge.refunded'], limit: 1 });
  expect([listed.data.map(({ type }) => type), listed.has_more]).toEqual([['charge.refunded'], true]);
  // A page may be shorter than was asked for.
  expect(await stripe.events.list({ limit: 100 })).toMatchObject({ has_more: true });
  for (const { event } of webhooks()) {
    const { id, object, context } = event;
    if (object === 'event') await stripe.events.retrieve(id);
    else await stripe.v2.core.events.retrieve(id, {}, context ? { stripeContext: context } : {});
  }
}

const webhooks = () => [...scene.platform.received, ...scene.connect.received];
const granted = () => proxy.exchanges.filter(({ status }) => status < 400);

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
    const statusOf = async (path: string) => (await fetch(`${proxy.endpoint}${path}`, { headers })).status;
    expect(await Promise.all(['/v1/charges/ch_none', '/v2/core/accounts/acct_none'].map(statusOf))).toEqual([v1, v2]);
  });

  const suffixed = (statement_descriptor_suffix: string) => ({ payment_intent_data: { statement_descriptor_suffix } });
  const inJapan = (suffix: object) => ({
    payment_method_options: {
      card: Object.fromEntries(Object.entries(suffix).map(([script, text]) => [`statement_descriptor_suffix_${script}`, text])),
    },
  });
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
    ...[{ kana: '港' }, { kana: 'ミ'.repeat(23) }, { kanji: '港'.repeat(18) }, { kanji: '<港>' }].map((suffix): [undefined, object] => [
      undefined,
      inJapan(suffix),
    ]),
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

  test('what is not there, is over, or is more than there is, is refused', async () => {
    const refused: (() => Promise<unknown>)[] = [
      () => openSession({ mode: 'setup' }),
      () => openSession({ client_reference_id: '' }),
      () => stripe.checkout.sessions.expire(paid.id),
      () => stripe.charges.retrieve('ch_none'),
      () => stripe.refunds.create({ charge: 'ch_none' }),
      () => stripe.refunds.create({ payment_intent: String(paid.payment_intent), amount: 1_000_000 }),
      () => stripe.v2.core.accounts.retrieve('acct_none'),
      () => stripe.v2.core.accounts.create({ ...sampleAccount, contact_email: 'nobody' }),
      () => stripe.v2.core.accountLinks.create({ account: 'acct_none', use_case: onboarding }),
      () => stripe.customers.list(),
    ];
    for (const call of refused) await expect(call()).rejects.toMatchObject({ statusCode: expect.any(Number) });
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
    await control('/test/api', '', { status: 503 });
    await expect(openSession({}, options)).rejects.toMatchObject({ statusCode: 503 });
    await control('/test/api');
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

/** The fake provider did all it can, and all that went over the wire is compared with the SDK's types. */
describe('what the fake payment provider says', () => {
  test('every request that it grants, and every answer, is of the form that the SDK has', () => {
    expect(granted().flatMap(faultsOfExchange)).toEqual([]);
  });

  test('every refusal is of the form that the SDK has, with a code that it lists', () => {
    const refusals = proxy.exchanges.filter(({ status }) => status >= 400);
    expect(new Set(refusals.map(({ status }) => status))).toEqual(new Set([400, 401, 403, 404, 503]));
    expect(refusals.flatMap(faultsOfExchange)).toEqual([]);
  });

  test('every webhook is of the form that the SDK has', () => {
    expect(webhooks().flatMap(({ body }) => faultsOfEvent(body))).toEqual([]);
  });

  test('nothing that it can do was left out', () => {
    expect(new Set(granted().map(routeOf))).toEqual(new Set(apiRoutes));
    expect([...usedControls].sort()).toEqual(testControls.map(({ method, path }) => `${method} ${path}`).sort());
    const types = [...new Set(webhooks().map(({ event }) => event.type))].sort();
    const ofV1 = (names: readonly string[]) => names.filter((type) => !type.startsWith('v2.'));
    expect(ofV1(types)).toEqual(ofV1(namesOf('webhooks')).sort());
    expect(types.filter((type) => type.startsWith('v2.'))).toEqual([
      'v2.core.account.closed',
      'v2.core.account.created',
      'v2.core.account.updated',
      'v2.core.account[configuration.merchant].capability_status_updated',
      'v2.core.account[configuration.recipient].capability_status_updated',
      'v2.core.account[requirements].updated',
      'v2.core.account_link.returned',
    ]);
  });

  describe('a fault is found:', () => {
    const answerTo = (name: string): RecordedExchange => {
      const found = granted().find((exchange) => routeOf(exchange) === name);
      if (!found) throw new Error(`There was no ${name}.`);
      return found;
    };
    const changed = ({ body, ...exchange }: RecordedExchange, change: (answer: any) => void) => {
      const answer = JSON.parse(body);
      change(answer);
      return faultsOfExchange({ ...exchange, body: JSON.stringify(answer) });
    };
    const inAnswer = (name: string, change: (answer: any) => void) => () => changed(answerTo(name), change);
    const inSession = (change: (session: any) => void) => inAnswer('POST /v1/checkout/sessions', change);
    const inParams = (change: (body: string) => string) => () => {
      const { requestBody, ...rest } = answerTo('POST /v1/checkout/sessions');
      return faultsOfExchange({ ...rest, requestBody: change(requestBody) });
    };
    const inEvent = (change: object) => () => faultsOfEvent(JSON.stringify({ ...JSON.parse(scene.connect.received[0]!.body), ...change }));

    test.each<[string, () => string[]]>([
      ['an unknown field of a session', inSession((session) => Object.assign(session, { surprise: null }))],
      ['a session without its url', inSession((session) => Reflect.deleteProperty(session, 'url'))],
      ['an unknown status', inSession((session) => Object.assign(session, { payment_status: 'perhaps' }))],
      ['an unknown field in a list', inAnswer('GET /v1/charges', ({ data }) => Object.assign(data[0], { surprise: 1 }))],
      ['an unknown field of what is expanded', inAnswer('GET /v1/disputes', ({ data }) => Object.assign(data[0].charge, { surprise: 1 }))],
      [
        'an unknown reason',
        inAnswer('POST /v2/core/accounts', ({ requirements }) => Object.assign(requirements.entries[0], { awaiting_action_from: 'us' })),
      ],
      [
        'null where the v1 interface has none',
        inAnswer('GET /v1/refunds/:id', (refund) => Object.assign(refund, { failure_reason: null })),
      ],
      ['an unknown parameter', inParams((body) => `${body}&payment_method_types[0]=card`)],
      ['a parameter of another type', inParams((body) => body.replace(/expires_at=\d+/, 'expires_at=soon'))],
      [
        'an error code that the SDK does not list',
        () => changed(proxy.exchanges.find(({ status }) => status === 400)!, ({ error }) => Object.assign(error, { code: 'surprise' })),
      ],
      ['an unknown field of an event', inEvent({ surprise: 1 })],
      ['an event of an unknown type', inEvent({ type: 'v2.core.account.surprised' })],
    ])('%s', (_, faults) => {
      expect(faults()).not.toEqual([]);
    });
  });
});
