import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import Stripe from 'stripe';
import type { Engine } from '../../../infra/local/engines/engine.ts';
import { startPaymentProvider } from '../../../infra/local/payment-provider/payment-provider.ts';
import { sampleAccount, sampleCheckout } from '../../support/samples/sample-account.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/scenes/webhook-receiver.ts';

const platformSecret = 'whsec_local_platform';
const connectSecret = 'whsec_local_connect';

describe('fake payment provider, seen through the real stripe package', () => {
  let platform: WebhookReceiver;
  let connect: WebhookReceiver;
  let provider: Engine;
  let stripe: Stripe;
  let folder: string;

  beforeEach(async () => {
    [platform, connect] = await Promise.all([startWebhookReceiver(), startWebhookReceiver()]);
    folder = await mkdtemp(join(tmpdir(), 'provider-'));
    await start();
  });

  afterEach(async () => {
    await Promise.all([provider.stop(), platform.stop(), connect.stop()]);
    await rm(folder, { recursive: true });
  });

  async function start(): Promise<void> {
    provider = await startPaymentProvider({
      stateFile: join(folder, 'state'),
      platformWebhook: { url: platform.url, secret: platformSecret },
      connectWebhook: { url: connect.url, secret: connectSecret },
    });
    stripe = clientOf(provider);
  }

  const clientOf = ({ endpoint }: Engine) =>
    new Stripe('sk_test_local', {
      host: '127.0.0.1',
      port: new URL(endpoint).port,
      protocol: 'http',
      telemetry: false,
      maxNetworkRetries: 0,
    });

  async function control(path: string, body: object = {}): Promise<Record<string, unknown>> {
    const reply = await fetch(`${provider.endpoint}${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    const json = (await reply.json()) as Record<string, unknown>;
    return reply.ok ? json : { status: reply.status, ...json };
  }

  async function submit(url: string, fields: Record<string, string>): Promise<Response> {
    return fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual', headers: { Accept: 'text/html' } });
  }

  async function enabledAccount(): Promise<string> {
    const { id } = await stripe.v2.core.accounts.create(sampleAccount);
    await control(`/test/accounts/${id}/state`, { state: 'enabled' });
    return id;
  }

  async function paidSession(changes: Parameters<typeof sampleCheckout>[1] = {}) {
    const session = await stripe.checkout.sessions.create(sampleCheckout(await enabledAccount(), changes));
    await control(`/test/checkout/${session.id}/pay`, { email: 'buyer@example.com' });
    return stripe.checkout.sessions.retrieve(session.id);
  }

  describe('accounts', () => {
    test('a fresh account is restricted, with something past due; what is not included is null', async () => {
      const created = await stripe.v2.core.accounts.create(sampleAccount);
      expect(created.id).toMatch(/^acct_[A-Za-z0-9]+$/);
      expect(created.metadata).toEqual({ seller_id: 'sel_1' });
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
      ['jcb_rejected', 'rejected', { status: 'active', status_details: [] }],
      ['payouts_not_requested', 'active', null],
    ])('in the state %s charges arrive, JCB cards are %s', async (state, jcb, payouts) => {
      const { id } = await stripe.v2.core.accounts.create(sampleAccount);
      await control(`/test/accounts/${id}/state`, { state });
      const include = ['configuration.recipient', 'configuration.merchant'] as const;
      const { configuration } = await stripe.v2.core.accounts.retrieve(id, { include: [...include] });
      expect(configuration?.recipient?.capabilities?.stripe_balance).toMatchObject({ payouts, stripe_transfers: { status: 'active' } });
      expect(configuration?.merchant?.capabilities).toMatchObject({ card_payments: { status: 'active' }, jcb_payments: { status: jcb } });
      expect((await stripe.checkout.sessions.create(sampleCheckout(id))).status).toBe('open');
    });

    test.each([
      ['complete', 'active', 0],
      ['jcb_rejected', 'active', 0],
      ['needs_information', 'restricted', 1],
      ['pending', 'pending', 1],
      ['reject', 'rejected', 0],
      ['leave', 'restricted', 1],
    ])('onboarding with the outcome %s leaves transfers %s', async (outcome, status, due) => {
      const { id } = await stripe.v2.core.accounts.create(sampleAccount);
      const { url } = await stripe.v2.core.accountLinks.create({
        account: id,
        use_case: {
          type: 'account_onboarding',
          account_onboarding: {
            collection_options: { fields: 'eventually_due' },
            refresh_url: 'http://127.0.0.1:1/onboarding/return?again',
            return_url: 'http://127.0.0.1:1/onboarding/return',
          },
        },
      });
      expect(await (await fetch(url)).text()).toContain('TEST');
      const finished = await submit(url, { outcome });
      expect([finished.status, finished.headers.get('location')]).toEqual([303, 'http://127.0.0.1:1/onboarding/return']);
      const again = await fetch(url, { redirect: 'manual' });
      expect(again.headers.get('location')).toBe('http://127.0.0.1:1/onboarding/return?again');

      const account = await stripe.v2.core.accounts.retrieve(id, { include: ['configuration.recipient', 'requirements'] });
      expect(account.configuration?.recipient?.capabilities?.stripe_balance?.stripe_transfers?.status).toBe(status);
      expect(account.requirements?.entries).toHaveLength(due);

      for (const [receiver, context] of [
        [platform, null],
        [connect, id],
      ] as const) {
        const [returned] = await receiver.until('v2.core.account_link.returned');
        expect(returned?.event).not.toHaveProperty('related_object');
        expect(returned?.event).toMatchObject({ context });
        const retrieve = (stripeContext?: string) =>
          stripe.v2.core.events.retrieve(returned!.event.id, {}, stripeContext === undefined ? {} : { stripeContext });
        expect(await retrieve(context ?? undefined)).toMatchObject({ type: 'v2.core.account_link.returned', data: { account_id: id } });
        await expect(retrieve(context === null ? id : undefined)).rejects.toMatchObject({ statusCode: 404 });
      }
    });

    test('account events are thin, signed for each endpoint, and distinct by their ids', async () => {
      const id = await enabledAccount();
      const type = 'v2.core.account[configuration.recipient].capability_status_updated';
      const [[onPlatform], [onConnect]] = await Promise.all([platform.until(type, 2), connect.until(type, 2)]);
      expect(onPlatform!.event.id).not.toBe(onConnect!.event.id);
      expect(stripe.parseEventNotification(onPlatform!.body, onPlatform!.signature, platformSecret)).toMatchObject({
        type,
        related_object: { id, type: 'v2.core.account' },
      });
      expect(stripe.parseEventNotification(onConnect!.body, onConnect!.signature, connectSecret)).toMatchObject({ type });
      expect(() => stripe.parseEventNotification(onConnect!.body, onConnect!.signature, platformSecret)).toThrow();
      expect(onPlatform!.event).not.toHaveProperty('data');
    });
  });

  describe('checkout', () => {
    test('a session shows what it was made with', async () => {
      const destination = await enabledAccount();
      const session = await stripe.checkout.sessions.create(sampleCheckout(destination));
      expect(session).toMatchObject({
        object: 'checkout.session',
        status: 'open',
        payment_status: 'unpaid',
        amount_total: 1200,
        currency: 'jpy',
        client_reference_id: 'ord_1',
        livemode: false,
        payment_intent: null,
        metadata: { order_id: 'ord_1' },
      });
      expect(session.lastResponse.requestId).toMatch(/^req_/);
      expect(session.url).toMatch(new RegExp(`^${provider.endpoint}/c/pay/cs_test_`));
    });

    test('paying on the page redirects with the fragment kept, and sends an event to the platform endpoint', async () => {
      const session = await stripe.checkout.sessions.create(sampleCheckout(await enabledAccount()));
      expect(await (await fetch(session.url!)).text()).toMatch(/TEST[\s\S]*type="email"[\s\S]*¥1,200/);
      const paid = await submit(session.url!, { outcome: 'pay', email: 'buyer@example.com' });
      expect(paid.status).toBe(303);
      expect(paid.headers.get('location')).toBe(`http://127.0.0.1:1/complete?session=${session.id}#token=abc.def`);

      const [webhook] = await platform.until('checkout.session.completed');
      const event = stripe.webhooks.constructEvent(webhook!.body, webhook!.signature, platformSecret);
      expect(event).toMatchObject({
        object: 'event',
        api_version: Stripe.API_VERSION,
        livemode: false,
        data: { object: { id: session.id, status: 'complete', payment_status: 'paid', customer_details: { email: 'buyer@example.com' } } },
      });
      expect(connect.received.filter(({ event: { object } }) => object === 'event')).toEqual([]);

      const again = await submit(session.url!, { outcome: 'pay', email: 'other@example.com' });
      expect(again.headers.get('location')).toBe(paid.headers.get('location'));
      expect(await platform.until('checkout.session.completed')).toHaveLength(1);
    });

    test('the payment and its charge can be retrieved, with what is expanded', async () => {
      const session = await paidSession();
      const intent = await stripe.paymentIntents.retrieve(String(session.payment_intent), { expand: ['latest_charge'] });
      expect(intent).toMatchObject({ status: 'succeeded', amount_received: 1200, metadata: { order_id: 'ord_1' } });
      expect(intent.latest_charge).toMatchObject({ object: 'charge', paid: true, application_fee_amount: 120 });
      const expanded = await stripe.checkout.sessions.retrieve(session.id, { expand: ['payment_intent.latest_charge'] });
      expect(expanded.payment_intent).toMatchObject({ id: intent.id, latest_charge: { object: 'charge' } });
      const found = await stripe.checkout.sessions.list({ payment_intent: intent.id });
      expect(found.data.map(({ id }) => id)).toEqual([session.id]);
      const charges = await stripe.charges.list({ payment_intent: intent.id });
      expect(charges.data).toHaveLength(1);
    });

    test('a declined card can be tried again', async () => {
      const session = await stripe.checkout.sessions.create(
        sampleCheckout(await enabledAccount(), { customer_email: 'known@example.com' }),
      );
      const page = await (await fetch(session.url!)).text();
      expect(page).not.toContain('type="email"');
      const declined = await submit(session.url!, { outcome: 'decline' });
      expect([declined.status, await declined.text()]).toEqual([402, expect.stringContaining('declined')]);
      const [failed] = await platform.until('payment_intent.payment_failed');
      expect(failed!.event.data?.object).toMatchObject({
        status: 'requires_payment_method',
        last_payment_error: { code: 'card_declined' },
      });

      expect((await submit(session.url!, { outcome: 'pay' })).status).toBe(303);
      const [completed] = await platform.until('checkout.session.completed');
      expect(completed!.event.data?.object['payment_intent']).toBe(failed!.event.data?.object['id']);
    });

    test.each([
      ['succeeded', 'checkout.session.async_payment_succeeded', 'paid'],
      ['failed', 'checkout.session.async_payment_failed', 'unpaid'],
    ])('money that is paid later has %s', async (outcome, type, status) => {
      const session = await stripe.checkout.sessions.create(sampleCheckout(await enabledAccount()));
      expect((await submit(session.url!, { outcome: 'pay_later', email: 'buyer@example.com' })).status).toBe(303);
      const [completed] = await platform.until('checkout.session.completed');
      expect(completed!.event.data?.object).toMatchObject({ status: 'complete', payment_status: 'unpaid' });
      await control(`/test/checkout/${session.id}/settle`, { outcome });
      await platform.until(type);
      expect((await stripe.checkout.sessions.retrieve(session.id)).payment_status).toBe(status);
      expect(await control(`/test/checkout/${session.id}/settle`, { outcome })).toMatchObject({ status: 400 });
    });

    test('a free order needs no payment', async () => {
      const session = await paidSession({ amount: 0 });
      expect(session).toMatchObject({ payment_status: 'no_payment_required', payment_intent: null, status: 'complete' });
      expect(session.customer).toMatch(/^cus_/);
      expect((await paidSession()).customer).toBeNull();
    });

    test('cancelling goes back and leaves the session open; an expired one cannot be paid', async () => {
      const session = await stripe.checkout.sessions.create(sampleCheckout(await enabledAccount()));
      const cancelled = await submit(session.url!, { outcome: 'cancel' });
      expect(cancelled.headers.get('location')).toBe('http://127.0.0.1:1/p/product');
      expect(await stripe.checkout.sessions.expire(session.id)).toMatchObject({ status: 'expired', url: null });
      await platform.until('checkout.session.expired');
      expect((await submit(session.url!, { outcome: 'pay', email: 'a@example.com' })).status).toBe(410);
      expect(await control(`/test/checkout/${session.id}/pay`, { email: 'a@example.com' })).toMatchObject({ status: 400 });
    });
  });

  describe('refunds and disputes', () => {
    test('refunds add up to the whole, and no further', async () => {
      const session = await paidSession();
      await control(`/test/payments/${session.payment_intent}/refund`, { amount: 500 });
      const refund = await stripe.refunds.create({ payment_intent: String(session.payment_intent) });
      expect(refund).toMatchObject({ amount: 700, status: 'succeeded' });
      const events = await platform.until('charge.refunded', 2);
      const amounts = events.map(({ event }) => event.data?.object['amount_refunded']);
      expect(amounts.sort()).toEqual([1200, 500]);
      await expect(stripe.refunds.create({ payment_intent: String(session.payment_intent) })).rejects.toMatchObject({
        code: 'charge_already_refunded',
      });

      await control(`/test/refunds/${refund.id}/fail`);
      await platform.until('refund.failed');
      const [updated] = await platform.until('refund.updated');
      expect(updated!.event.data?.object).toMatchObject({ id: refund.id, status: 'failed' });
      expect(await stripe.charges.retrieve(String(refund.charge))).toMatchObject({ amount_refunded: 500, refunded: false });
    });

    test.each([
      ['pending', 'settle', 'succeeded', 1200],
      ['pending', 'fail', 'failed', 0],
      ['requires_action', 'cancel', 'canceled', 0],
    ])('a refund that is %s at first: %s makes it %s', async (first, turn, last, refunded) => {
      const session = await paidSession();
      const refund = await control(`/test/payments/${session.payment_intent}/refund`, { status: first });
      expect(refund).toMatchObject({ status: first });
      await control(`/test/refunds/${refund['id']}/${turn}`);
      const [updated] = await platform.until('refund.updated');
      expect(updated!.event.data?.object).toMatchObject({ id: refund['id'], status: last });
      expect(await stripe.charges.retrieve(String(refund['charge']))).toMatchObject({ amount_refunded: refunded });
    });

    test('money from a convenience store is a py_ charge; the buyer is asked where its refund goes', async () => {
      const session = await stripe.checkout.sessions.create(
        sampleCheckout(await enabledAccount(), { allowed_payment_method_types: ['card', 'konbini'] }),
      );
      await control(`/test/checkout/${session.id}/pay_later`, { email: 'buyer@example.com' });
      await control(`/test/checkout/${session.id}/settle`);
      const refund = await control(`/test/payments/${session.id}/refund`);
      expect(refund).toMatchObject({ status: 'requires_action', instructions_email: 'buyer@example.com' });
      expect(refund['charge']).toMatch(/^py_/);
      expect(refund['id']).toMatch(/^pyr_/);
      expect(await stripe.refunds.cancel(String(refund['id']))).toMatchObject({ status: 'canceled' });
      expect(await stripe.charges.retrieve(String(refund['charge']))).toMatchObject({ amount_refunded: 0, refunded: false });
    });

    test.each([
      ['needs_response', 'won'],
      ['needs_response', 'lost'],
      ['warning_needs_response', 'warning_closed'],
    ])('a dispute opened as %s closes as %s', async (opened, closed) => {
      const session = await paidSession();
      const dispute = await control(`/test/payments/${session.payment_intent}/dispute`, { status: opened });
      await control(`/test/disputes/${dispute['id']}/update`, { status: 'under_review' });
      await control(`/test/disputes/${dispute['id']}/close`, { status: closed });
      for (const type of ['created', 'updated', 'closed']) await platform.until(`charge.dispute.${type}`);
      expect(await stripe.disputes.retrieve(String(dispute['id']))).toMatchObject({
        status: closed,
        payment_intent: session.payment_intent,
      });
    });
  });

  describe('webhooks', () => {
    test('a delivery is repeated until its endpoint takes it, with the same bytes', async () => {
      const destination = await enabledAccount();
      await platform.until('v2.core.account.updated');
      platform.answerWith(500, 503);
      const session = await stripe.checkout.sessions.create(sampleCheckout(destination));
      await control(`/test/checkout/${session.id}/pay`, { email: 'buyer@example.com' });
      const attempts = await platform.until('checkout.session.completed', 3);
      expect(new Set(attempts.map(({ body }) => body)).size).toBe(1);
    });

    test('events can be doubled, held back and let go in reverse', async () => {
      const destination = await enabledAccount();
      await platform.until('v2.core.account.updated');
      await control('/test/deliveries', { copies: 2, hold: true });
      const session = await stripe.checkout.sessions.create(sampleCheckout(destination));
      const paid = await control(`/test/checkout/${session.id}/pay`, { email: 'buyer@example.com' });
      await control(`/test/payments/${paid['payment_intent']}/refund`, { amount: 100 });
      expect(platform.received.filter(({ event }) => event.object === 'event')).toEqual([]);
      expect(await control('/test/deliveries/release', { order: 'reverse' })).toEqual({ released: 4 });
      await platform.until('checkout.session.completed', 2);
      expect(platform.received.filter(({ event }) => event.object === 'event').map(({ event }) => event.type)).toEqual([
        'charge.refunded',
        'charge.refunded',
        'checkout.session.completed',
        'checkout.session.completed',
      ]);
    });

    test('a webhook can be slower than the redirect, and an event can be sent again', async () => {
      const destination = await enabledAccount();
      await control('/test/deliveries', { delay_ms: 400 });
      const session = await stripe.checkout.sessions.create(sampleCheckout(destination));
      await submit(session.url!, { outcome: 'pay', email: 'buyer@example.com' });
      expect(platform.received.some(({ event }) => event.type === 'checkout.session.completed')).toBe(false);
      const [webhook] = await platform.until('checkout.session.completed');
      await control(`/test/events/${webhook!.event.id}/resend`);
      await platform.until('checkout.session.completed', 2);
    });
  });

  describe('over a restart', () => {
    test('what was acknowledged is there, on the same port, and undelivered webhooks arrive', async () => {
      const destination = await enabledAccount();
      const session = await stripe.checkout.sessions.create(sampleCheckout(destination), { idempotencyKey: 'order-1' });
      await control('/test/deliveries', { delay_ms: 60_000 });
      await control(`/test/checkout/${session.id}/pay`, { email: 'buyer@example.com' });
      const { endpoint } = provider;
      await provider.stop();
      await start();
      expect(provider.endpoint).toBe(endpoint);
      await platform.until('checkout.session.completed');
      expect(await stripe.checkout.sessions.retrieve(session.id)).toMatchObject({ payment_status: 'paid' });
      const replayed = await stripe.checkout.sessions.create(sampleCheckout(destination, { expires_at: session.expires_at }), {
        idempotencyKey: 'order-1',
      });
      expect(replayed.id).toBe(session.id);
    });

    test('the state file shows no address and no link', async () => {
      await paidSession();
      const text = await readFile(join(folder, 'state'), 'utf8');
      expect(text).not.toMatch(/buyer|example\.com|cs_test|token/);
    });

    test('a killed process loses nothing it acknowledged', async () => {
      const script = `
        const { startPaymentProvider } = await import('./infra/local/payment-provider/payment-provider.ts');
        const none = { url: 'http://127.0.0.1:1/', secret: 'whsec_x' };
        const { endpoint } = await startPaymentProvider({ stateFile: process.argv[1], platformWebhook: none, connectWebhook: none });
        console.log(endpoint);`;
      const file = join(folder, 'killed');
      const child = spawn('node', ['--input-type=module', '-e', script, file], { stdio: ['ignore', 'pipe', 'inherit'] });
      const endpoint = await new Promise<string>((resolve) => child.stdout.once('data', (data) => resolve(String(data).trim())));
      const ids: string[] = [];
      const ended = new Promise((resolve) => child.once('exit', resolve));
      const client = clientOf({ endpoint, stop: async () => {} });
      try {
        for (;;) {
          ids.push((await client.v2.core.accounts.create(sampleAccount)).id);
          // The fault hits one of the next calls.
          if (ids.length === 8) setTimeout(() => child.kill('SIGKILL'), 20);
        }
      } catch {
        await ended;
      }
      expect(ids.length).toBeGreaterThan(5);

      const revived = await startPaymentProvider({
        stateFile: file,
        platformWebhook: { url: platform.url, secret: platformSecret },
        connectWebhook: { url: connect.url, secret: connectSecret },
      });
      try {
        const client = clientOf(revived);
        for (const id of ids) expect((await client.v2.core.accounts.retrieve(id)).id).toBe(id);
        await platform.until('v2.core.account.created', ids.length);
      } finally {
        await revived.stop();
      }
    });
  });

  test('the overview lists sessions, payments and every test control, escaped', async () => {
    await paidSession({ client_reference_id: '<script>alert(1)</script>' });
    const page = await (await fetch(provider.endpoint)).text();
    expect(page).toContain('/test/payments/{id}/refund');
    expect(page).toContain('¥1,200');
    expect(page).not.toContain('<script>');
    const form = await fetch(`${provider.endpoint}/test/deliveries`, {
      method: 'POST',
      body: new URLSearchParams({ copies: '3' }),
      redirect: 'manual',
    });
    expect([form.status, form.headers.get('location')]).toEqual([303, '/']);
    const settings = await (await fetch(`${provider.endpoint}/test/deliveries`)).json();
    expect(settings).toMatchObject({ settings: { copies: 3, hold: false } });
  });
});
