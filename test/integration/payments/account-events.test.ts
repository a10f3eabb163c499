import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import type { Engine } from '../../../infra/local/engines/engine.ts';
import { startPaymentProvider } from '../../../infra/local/payment-provider/payment-provider.ts';
import { createStripeClient } from '../../../shared/payments/provider/stripe-client.ts';
import { createAccountLink } from '../../../shared/sellers/seller-onboarding.ts';
import { addSeller, findSellerOfUser } from '../../../shared/sellers/seller-repository.ts';
import { createTestTable } from '../../support/engines/test-table.ts';
import { sampleSeller } from '../../support/samples/sample-seller.ts';
import { createProjectionHarness, type ProjectionHarness } from '../../support/scenes/projection-harness.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/scenes/webhook-receiver.ts';

/** Account events from the fake provider, through signed webhook, queue and projector, to the retrieval. */
describe('account events', () => {
  let platform: WebhookReceiver;
  let connect: WebhookReceiver;
  let engine: Engine;
  let harness: ProjectionHarness;
  let accountId: string;

  beforeAll(async () => {
    [platform, connect] = await Promise.all([startWebhookReceiver(), startWebhookReceiver()]);
    engine = await startPaymentProvider({
      platformWebhook: { url: platform.url, secret: 'whsec_p' },
      connectWebhook: { url: connect.url, secret: 'whsec_c' },
    });
  });
  afterAll(() => Promise.all([engine.stop(), platform.stop(), connect.stop()]));

  beforeEach(async () => {
    const { table } = await createTestTable();
    const provider = createStripeClient({ secretKey: 'sk_test_x', apiBase: engine.endpoint });
    harness = await createProjectionHarness({ table, provider });
    await table.transact(addSeller(sampleSeller({ ownerUserId: 'u1' })));
    await createAccountLink({ ...harness, provider }, 'u1');
    accountId = (await me()).paymentConnectedAccountId ?? '';
  });

  const me = async () => (await findSellerOfUser(harness.table, 'u1'))!;

  /** The events of the account that this outcome leads to, once all have been delivered. */
  async function eventsOf(outcome: string) {
    const seen = [platform.received.length, connect.received.length] as const;
    await fetch(`${engine.endpoint}/test/accounts/${accountId}/onboarding`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ outcome }),
    });
    for (;;) {
      const open = (await (await fetch(`${engine.endpoint}/test/deliveries`)).json()) as { under_way: unknown[] };
      if (open.under_way.length === 0) break;
      await sleep(20);
    }
    return [
      ...platform.received.slice(seen[0]).map(({ event }) => ({ event, endpoint: 'platform' as const })),
      ...connect.received.slice(seen[1]).map(({ event }) => ({ event, endpoint: 'connect' as const })),
    ];
  }

  test.each([
    ['complete', 'payouts_enabled'],
    ['needs_information', 'requirements_due'],
    ['reject', 'rejected'],
  ])('after onboarding with the outcome %s they lead to %s, in any order and twice', async (outcome, status) => {
    const events = await eventsOf(outcome);
    const twice = [...events, ...events];
    const [shuffled = []] = fc.sample(fc.shuffledSubarray(twice, { minLength: twice.length }), { seed: jest.getSeed(), numRuns: 1 });
    for (const { event, endpoint } of shuffled) await harness.deliver(event, endpoint);
    expect((await me()).paymentOnboardingStatus).toBe(status);
  });

  test('each of them alone is enough on either endpoint', async () => {
    const events = (await eventsOf('complete')).filter(({ event }) => event.related_object !== undefined);
    expect(new Set(events.map(({ endpoint }) => endpoint))).toEqual(new Set(['platform', 'connect']));
    await harness.deliver(events.at(-1)!.event, events.at(-1)!.endpoint);
    expect((await me()).paymentOnboardingStatus).toBe('payouts_enabled');
  });

  test('the account is retrieved, whatever the event holds', async () => {
    const [{ event, endpoint }] = (await eventsOf('leave')) as [Awaited<ReturnType<typeof eventsOf>>[number]];
    const claim = { ...event, id: 'evt_test_claim', related_object: { id: accountId }, data: { object: { payments: 'enabled' } } };
    await harness.deliver(claim, endpoint);
    expect(await me()).toMatchObject({ paymentChargesEnabled: false });
  });
});
