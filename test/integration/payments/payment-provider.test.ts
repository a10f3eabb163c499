import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import Stripe from 'stripe';
import { newFolder } from '../../support/new-folder.ts';
import { sampleAccount, sampleCheckout } from '../../support/samples/sample-account.ts';
import { type ProviderScene, startProviderScene, webhookSecrets } from '../../support/scenes/provider-scene.ts';
import { eventually } from '../../support/scenes/stack-harness.ts';

type CheckoutChanges = Parameters<typeof sampleCheckout>[1];
const buyer = { email: 'buyer@example.com' };

const folder = newFolder();
let scene: ProviderScene;
let stripe: Stripe;
let platform: ProviderScene['platform'];
let connect: ProviderScene['connect'];
let destination: string;
beforeAll(async () => {
  scene = await startProviderScene({ stateFile: join(folder, 'state') });
  ({ stripe, platform, connect } = scene);
  destination = await scene.account('enabled');
});
afterAll(() => scene.stop());

const openSession = (changes: CheckoutChanges = {}, options: Stripe.RequestOptions = {}) =>
  stripe.checkout.sessions.create(sampleCheckout(destination, changes), options);
const pay = (id: string) => scene.control(`/test/checkout/${id}/pay`, buyer);
/** Of a session that is paid; `intent` is its payment. */
async function paidSession(changes: CheckoutChanges = {}) {
  const { id } = await openSession(changes);
  await pay(id);
  const session = await stripe.checkout.sessions.retrieve(id);
  return { session, intent: String(session.payment_intent) };
}

describe('accounts of the fake payment provider', () => {
  test('are restricted at first, with something past due; what is not included is null', async () => {
    const created = await stripe.v2.core.accounts.create(sampleAccount);
    expect(created).toMatchObject({ id: expect.stringMatching(/^acct_[A-Za-z0-9]+$/), metadata: { seller_id: 'sel_1' } });
    expect(created.configuration?.recipient?.capabilities?.stripe_balance?.stripe_transfers).toEqual({
      status: 'restricted',
      status_details: [{ code: 'requirements_past_due', resolution: 'provide_info' }],
    });
    expect(created.requirements?.entries).toHaveLength(1);
    const bare = await stripe.v2.core.accounts.retrieve(created.id);
    expect(bare).toMatchObject({ configuration: null, defaults: null, identity: null, requirements: null });
    const recipient = await stripe.v2.core.accounts.retrieve(created.id, { include: ['configuration.recipient'] });
    expect(recipient.configuration).toMatchObject({ customer: null, merchant: null, recipient: { applied: true } });
  });

  test.each([
    ['complete', 'active', 0],
    ['jcb_rejected', 'active', 0],
    ['needs_information', 'restricted', 1],
    ['pending', 'pending', 1],
    ['reject', 'rejected', 0],
    ['leave', 'restricted', 1],
  ])('are, with the outcome %s of onboarding, %s for transfers', async (outcome, status, due) => {
    const id = await scene.account();
    await scene.control(`/test/accounts/${id}/onboarding`, { outcome });
    const account = await stripe.v2.core.accounts.retrieve(id, { include: ['configuration.recipient', 'requirements'] });
    expect(account.configuration?.recipient?.capabilities?.stripe_balance?.stripe_transfers?.status).toBe(status);
    expect(account.requirements?.entries).toHaveLength(due);
  });

  test.each([
    ['jcb_rejected', 'rejected', { status: 'active', status_details: [] }],
    ['payouts_not_requested', 'active', null],
  ])('are, in the state %s, open to charges, with JCB cards %s', async (state, jcb, payouts) => {
    const id = await scene.account(state);
    const include = ['configuration.recipient', 'configuration.merchant'] as const;
    const { configuration } = await stripe.v2.core.accounts.retrieve(id, { include: [...include] });
    expect(configuration?.recipient?.capabilities?.stripe_balance).toMatchObject({ payouts, stripe_transfers: { status: 'active' } });
    expect(configuration?.merchant?.capabilities).toMatchObject({ card_payments: { status: 'active' }, jcb_payments: { status: jcb } });
  });

  test('lead through onboarding once a link, and tell of the return, in the context of the account too', async () => {
    const id = await scene.account();
    const return_url = 'http://127.0.0.1:1/onboarding/return';
    const account_onboarding = { refresh_url: `${return_url}?again`, return_url };
    const { url } = await stripe.v2.core.accountLinks.create({ account: id, use_case: { type: 'account_onboarding', account_onboarding } });
    expect(await (await fetch(url)).text()).toContain('TEST');
    const finished = await scene.submit(url, { outcome: 'complete' });
    expect([finished.status, finished.headers.get('location')]).toEqual([303, return_url]);
    expect((await fetch(url, { redirect: 'manual' })).headers.get('location')).toBe(`${return_url}?again`);

    const type = 'v2.core.account_link.returned';
    const retrieve = (eventId: string, context: string | null) =>
      stripe.v2.core.events.retrieve(eventId, {}, context === null ? {} : { stripeContext: context });
    for (const [receiver, context] of [
      [platform, null],
      [connect, id],
    ] as const) {
      const event = await eventually('the return is told', 10, async () => {
        const returns = receiver.received.filter((webhook) => webhook.event.type === type && webhook.event.context === context);
        for (const webhook of returns) {
          const told = await retrieve(webhook.event.id, context);
          if ('data' in told && 'account_id' in told.data && told.data.account_id === id) return webhook.event;
        }
        return undefined;
      });
      expect(event).not.toHaveProperty('related_object');
      await expect(retrieve(event.id, context === null ? id : null)).rejects.toMatchObject({ statusCode: 404 });
    }
  });

  test('have events that are thin, signed for each endpoint, and distinct by their ids', async () => {
    const id = await scene.account('enabled');
    const type = 'v2.core.account[configuration.recipient].capability_status_updated';
    const [[onPlatform], [onConnect]] = await Promise.all([platform.until(type, 1, id), connect.until(type, 1, id)]);
    expect(onPlatform!.event.id).not.toBe(onConnect!.event.id);
    expect(onPlatform!.event).not.toHaveProperty('data');
    const parse = ({ body, signature }: NonNullable<typeof onPlatform>, secret: string) =>
      stripe.parseEventNotification(body, signature, secret);
    const related_object = { id, type: 'v2.core.account' };
    expect(parse(onPlatform!, webhookSecrets.platform)).toMatchObject({ type, related_object });
    expect(parse(onConnect!, webhookSecrets.connect)).toMatchObject({ type, related_object });
    expect(() => parse(onConnect!, webhookSecrets.platform)).toThrow();
  });
});

describe('checkouts of the fake payment provider', () => {
  test('are paid on a page that redirects with the fragment kept, and told of at the platform endpoint, once', async () => {
    const session = await openSession();
    expect(session).toMatchObject({ status: 'open', payment_status: 'unpaid', payment_intent: null, livemode: false });
    expect(session.lastResponse.requestId).toMatch(/^req_/);
    expect(await (await fetch(session.url!)).text()).toMatch(/TEST[\s\S]*type="email"[\s\S]*¥1,200/);
    const paid = await scene.submit(session.url!, { outcome: 'pay', ...buyer });
    const location = `http://127.0.0.1:1/complete?session=${session.id}#token=abc.def`;
    expect([paid.status, paid.headers.get('location')]).toEqual([303, location]);
    const type = 'checkout.session.completed';
    const [webhook] = await platform.until(type, 1, session.id);
    expect(stripe.webhooks.constructEvent(webhook!.body, webhook!.signature, webhookSecrets.platform)).toMatchObject({
      ...{ object: 'event', type, api_version: Stripe.API_VERSION, livemode: false },
      data: { object: { id: session.id, status: 'complete', payment_status: 'paid', customer_details: buyer } },
    });
    const again = await scene.submit(session.url!, { outcome: 'pay', email: 'other@example.com' });
    expect(again.headers.get('location')).toBe(location);
    expect(await platform.until(type, 1, session.id)).toHaveLength(1);
    expect(connect.received.filter(({ event: { object } }) => object === 'event')).toEqual([]);
  });

  test('can be paid after a card was declined, by the same payment', async () => {
    const { url, id } = await openSession({ customer_email: 'known@example.com' });
    expect(await (await fetch(url!)).text()).not.toContain('type="email"');
    const declined = await scene.submit(url!, { outcome: 'decline' });
    expect([declined.status, await declined.text()]).toEqual([402, expect.stringContaining('declined')]);
    const [failed] = await platform.until('payment_intent.payment_failed');
    expect(failed!.event.data?.object).toMatchObject({
      status: 'requires_payment_method',
      last_payment_error: { code: 'card_declined' },
    });
    expect((await scene.submit(url!, { outcome: 'pay' })).status).toBe(303);
    expect((await stripe.checkout.sessions.retrieve(id)).payment_intent).toBe(failed!.event.data?.object['id']);
  });

  test.each([
    ['succeeded', 'checkout.session.async_payment_succeeded', 'paid'],
    ['failed', 'checkout.session.async_payment_failed', 'unpaid'],
  ])('that are paid later have %s', async (outcome, type, status) => {
    const { id, url } = await openSession();
    expect((await scene.submit(url!, { outcome: 'pay_later', ...buyer })).status).toBe(303);
    const [completed] = await platform.until('checkout.session.completed', 1, id);
    expect(completed!.event.data?.object).toMatchObject({ status: 'complete', payment_status: 'unpaid' });
    await scene.control(`/test/checkout/${id}/settle`, { outcome });
    await platform.until(type, 1, id);
    expect((await stripe.checkout.sessions.retrieve(id)).payment_status).toBe(status);
    expect(await scene.control(`/test/checkout/${id}/settle`, { outcome })).toMatchObject({ status: 400 });
  });

  test('of free orders need no payment', async () => {
    const { session } = await paidSession({ amount: 0 });
    expect(session).toMatchObject({ payment_status: 'no_payment_required', payment_intent: null, status: 'complete' });
    expect(session.customer).toMatch(/^cus_/);
    expect((await paidSession()).session.customer).toBeNull();
  });

  test('stay open when they are cancelled, and cannot be paid once they have expired', async () => {
    const { id, url } = await openSession();
    expect((await scene.submit(url!, { outcome: 'cancel' })).headers.get('location')).toBe('http://127.0.0.1:1/p/product');
    expect(await stripe.checkout.sessions.expire(id)).toMatchObject({ status: 'expired', url: null });
    await platform.until('checkout.session.expired', 1, id);
    expect((await scene.submit(url!, { outcome: 'pay', ...buyer })).status).toBe(410);
    expect(await pay(id)).toMatchObject({ status: 400 });
  });

  test.each([
    ['cancel', `http://127.0.0.1:1/p/写真-é?x=ü`, `http://127.0.0.1:1/p/${encodeURIComponent('写真-é')}?x=%C3%BC`],
    ['cancel', 'http://写真.example/', `http://${new URL('http://写真.example/').host}/`],
    ['cancel', `http://127.0.0.1:1/${'x'.repeat(4900)}`, `http://127.0.0.1:1/${'x'.repeat(4900)}`],
    ['pay', 'https://例え.jp/完了?x=ü#token=é', 'https://xn--r8jz45g.jp/%E5%AE%8C%E4%BA%86?x=%C3%BC#token=%C3%A9'],
  ])('lead back, having ended with %s, to an address of any script: %s', async (outcome, address, location) => {
    const { url } = await openSession({ [outcome === 'pay' ? 'success_url' : 'cancel_url']: address });
    const reply = await scene.submit(url!, { outcome, ...buyer });
    expect([reply.status, reply.headers.get('location')]).toEqual([303, location]);
  });

  test('show the longest names of any script', async () => {
    const name = '\u{1f4f7}写'.repeat(40_000);
    const { url } = await openSession({
      line_items: [{ quantity: 1, price_data: { currency: 'jpy', unit_amount: 1200, product_data: { name } } }],
    });
    expect(await (await fetch(url!)).text()).toContain(name);
  });
});

describe('refunds of the fake payment provider', () => {
  const refundedOf = async (charge: unknown) => (await stripe.charges.retrieve(String(charge))).amount_refunded;

  test('add up to the whole, and no further', async () => {
    const { intent } = await paidSession();
    await scene.control(`/test/payments/${intent}/refund`, { amount: 500 });
    const refund = await stripe.refunds.create({ payment_intent: intent });
    expect(refund).toMatchObject({ amount: 700, status: 'succeeded' });
    const events = await platform.until('charge.refunded', 2, intent);
    expect(events.map(({ event }) => event.data?.object['amount_refunded']).sort()).toEqual([1200, 500]);
    await expect(stripe.refunds.create({ payment_intent: intent })).rejects.toMatchObject({ code: 'charge_already_refunded' });

    await scene.control(`/test/refunds/${refund.id}/fail`);
    await platform.until('refund.failed', 1, refund.id);
    const [updated] = await platform.until('refund.updated', 1, refund.id);
    expect(updated!.event.data?.object).toMatchObject({ status: 'failed' });
    expect(await stripe.charges.retrieve(String(refund.charge))).toMatchObject({ amount_refunded: 500, refunded: false });
  });

  test.each([
    ['pending', 'settle', 'succeeded', 1200],
    ['pending', 'fail', 'failed', 0],
    ['requires_action', 'cancel', 'canceled', 0],
  ])('that are %s at first: %s makes a refund %s', async (first, turn, last, refunded) => {
    const { intent } = await paidSession();
    const { id, charge, status } = await scene.control(`/test/payments/${intent}/refund`, { status: first });
    expect(status).toBe(first);
    await scene.control(`/test/refunds/${id}/${turn}`);
    const [updated] = await platform.until('refund.updated', 1, id);
    expect(updated!.event.data?.object).toMatchObject({ id, status: last });
    expect(await refundedOf(charge)).toBe(refunded);
  });

  test.each([
    ['needs_response', 'won'],
    ['needs_response', 'lost'],
    ['warning_needs_response', 'warning_closed'],
  ])('that are disputed as %s may end as %s', async (opened, closed) => {
    const { intent } = await paidSession();
    const { id } = await scene.control(`/test/payments/${intent}/dispute`, { status: opened });
    await scene.control(`/test/disputes/${id}/update`, { status: 'under_review' });
    await scene.control(`/test/disputes/${id}/close`, { status: closed });
    for (const type of ['created', 'updated', 'closed']) await platform.until(`charge.dispute.${type}`, 1, id);
    expect(await stripe.disputes.retrieve(id)).toMatchObject({ status: closed, payment_intent: intent });
  });

  test('of money from a convenience store are of py_ charges; the buyer is asked where the money goes', async () => {
    const { id } = await openSession({ allowed_payment_method_types: ['card', 'konbini'] });
    await scene.control(`/test/checkout/${id}/pay_later`, buyer);
    await scene.control(`/test/checkout/${id}/settle`);
    const refund = await scene.control(`/test/payments/${id}/refund`);
    expect(refund).toMatchObject({
      ...{ id: expect.stringMatching(/^pyr_/), charge: expect.stringMatching(/^py_/) },
      ...{ status: 'requires_action', instructions_email: buyer.email },
    });
    expect(await stripe.refunds.cancel(refund.id)).toMatchObject({ status: 'canceled' });
    expect(await refundedOf(refund.charge)).toBe(0);
  });
});

describe('webhooks of the fake payment provider', () => {
  test('are repeated until their endpoint takes them, with the same bytes, and can be sent again', async () => {
    const { id } = await openSession();
    platform.answerWith((body) => (body.includes(id) ? 500 : 200));
    await pay(id);
    const type = 'checkout.session.completed';
    await platform.until(type, 1, id);
    platform.answerWith(() => 200);
    const [first] = await platform.until(type, 2, id);
    await scene.control(`/test/events/${first!.event.id}/resend`);
    expect(new Set((await platform.until(type, 3, id)).map(({ body }) => body)).size).toBe(1);
  });

  test('can be doubled, held back and let go in reverse', async () => {
    const { id } = await openSession();
    await scene.control('/test/deliveries', { copies: 2, hold: true });
    const { payment_intent: intent } = await pay(id);
    await scene.control(`/test/payments/${intent}/refund`, { amount: 100 });
    const ofPayment = () => platform.received.filter(({ body }) => body.includes(intent)).map(({ event }) => event.type);
    expect(ofPayment()).toEqual([]);
    expect(await scene.control('/test/deliveries/release', { order: 'reverse' })).toEqual({ released: 4 });
    await platform.until('checkout.session.completed', 2, id);
    expect(ofPayment()).toEqual(['charge.refunded', 'charge.refunded', 'checkout.session.completed', 'checkout.session.completed']);
    await scene.control('/test/deliveries');
  });
});

test('over a restart of the fake payment provider what was acknowledged is there, unreadable in its file, and webhooks arrive', async () => {
  const options = { idempotencyKey: 'order-5' };
  const session = await openSession({}, options);
  await scene.control('/test/deliveries', { delay_ms: 60_000 });
  const { redirect_url } = await pay(session.id);
  expect(redirect_url).toContain('#token=');
  expect(platform.received.some(({ body }) => body.includes(session.id))).toBe(false);
  expect(await scene.restart()).toBe(scene.endpoint);
  await platform.until('checkout.session.completed', 1, session.id);
  expect(await stripe.checkout.sessions.retrieve(session.id)).toMatchObject({ payment_status: 'paid' });
  expect((await openSession({ expires_at: session.expires_at }, options)).id).toBe(session.id);
  expect(await readFile(join(folder, 'state'), 'utf8')).not.toMatch(/buyer@|example\.com|cs_test_|#token/);
  await scene.control('/test/deliveries');
});

test('the overview of the fake payment provider lists sessions, payments and every test control, escaped', async () => {
  await paidSession({ client_reference_id: '<script>alert(1)</script>' });
  const page = await (await fetch(scene.endpoint)).text();
  expect(page).toContain('/test/payments/{id}/refund');
  expect(page).toContain('¥1,200');
  expect(page).not.toContain('<script>');
  const form = await scene.submit(`${scene.endpoint}/test/deliveries`, { copies: '3' });
  expect([form.status, form.headers.get('location')]).toEqual([303, '/']);
  const settings = await (await fetch(`${scene.endpoint}/test/deliveries`)).json();
  expect(settings).toMatchObject({ settings: { copies: 3, hold: false } });
  await scene.control('/test/deliveries');
});
