import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { compose as composeAdmin } from '../../../functions/admin/compose.ts';
import { settingNames as adminSettings } from '../../../functions/admin/declaration.ts';
import { routes as adminRoutes } from '../../../functions/admin/routes.ts';
import { compose } from '../../../functions/sellers/compose.ts';
import { settingNames } from '../../../functions/sellers/declaration.ts';
import { routes } from '../../../functions/sellers/routes.ts';
import type { Engine } from '../../../infra/local/engines/engine.ts';
import { startPaymentProvider } from '../../../infra/local/payment-provider/payment-provider.ts';
import type { Needs } from '../../../shared/context.ts';
import type { SellerId } from '../../../shared/ids.ts';
import { createLogger } from '../../../shared/logging/logger.ts';
import { openAccount } from '../../../shared/payments/onboarding/connected-accounts.ts';
import { createStripeClient, ProviderRefusedError, type StripeClient } from '../../../shared/payments/provider/stripe-client.ts';
import {
  type InternalReviewStatus,
  type ReviewDecision,
  reapplicableStatuses,
  reviewDecisions,
  reviewStatuses,
  statusAfterReview,
} from '../../../shared/sellers/seller.ts';
import { createAccountLink, refreshByEvent, refreshConnectedAccount, refreshOwnSeller } from '../../../shared/sellers/seller-onboarding.ts';
import { addSeller, leaseOnboardingLink } from '../../../shared/sellers/seller-repository.ts';
import { createTestTable } from '../../support/engines/test-table.ts';
import { createCaller, type TestReply } from '../../support/http/http-event.ts';
import { sampleSeller } from '../../support/samples/sample-seller.ts';
import { sampleSettings } from '../../support/samples/sample-settings.ts';
import { createTestQueue } from '../../support/scenes/projection-harness.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/scenes/webhook-receiver.ts';

const application = {
  display_name: '例 Shop',
  contact_email: 'owner@example.com',
  support_email: 'help@example.com',
  site_url: 'https://shop.example.com/',
};
const secretKey = 'sk_test_kept51secret';

describe('sellers', () => {
  let provider: Engine;
  let webhooks: WebhookReceiver;
  /** What the function and the worker of provider events work with. */
  let c: Needs<'table' | 'now' | 'provider' | 'CONSOLE_CLIENT_ID' | 'PAYMENT_ACCOUNT_COUNTRY' | 'PUBLIC_BASE_URL' | 'STAGE'>;
  let clock: Date;
  let log: string[];
  let call: ReturnType<typeof createCaller>;
  let callAdmin: ReturnType<typeof createCaller>;

  beforeAll(async () => {
    webhooks = await startWebhookReceiver();
    const endpoint = { url: webhooks.url, secret: 'whsec_x' };
    provider = await startPaymentProvider({ platformWebhook: endpoint, connectWebhook: endpoint });
  });
  afterAll(() => Promise.all([provider.stop(), webhooks.stop()]));
  afterEach(() => turn('/test/api'));

  beforeEach(async () => {
    const { table } = await createTestTable();
    clock = new Date('2026-02-01T10:00:00.000Z');
    log = [];
    const now = () => clock;
    const common = { table, logger: createLogger({}, (line) => void log.push(line)), now };
    const started = {
      settings: sampleSettings(settingNames),
      provider: createStripeClient({ secretKey, apiBase: provider.endpoint }),
      ...common,
    };
    c = started;
    call = createCaller(compose(started), routes);
    const admin = { settings: sampleSettings(adminSettings), ...common, store: undefined, sender: createTestQueue() };
    callAdmin = createCaller(composeAdmin(admin), adminRoutes);
  });

  const as = (user: string, body?: unknown) => ({ headers: { 'X-User-ID': user, 'X-User-Email': `${user}@example.com` }, body });
  const apply = (user = 'u1', changes = {}) => call('POST', '/v1/sellers', as(user, { ...application, ...changes }));
  const me = (user = 'u1') => call('GET', '/v1/sellers/me', as(user));
  const link = (user = 'u1') => call('POST', '/v1/sellers/payment/account-link', as(user));
  const attention = async (user = 'u1') => (await call('GET', '/v1/overview', as(user))).json.attention;
  const refresh = (user = 'u1') => call('POST', '/v1/sellers/payment/refresh', as(user));
  const review = (id: string, body: object, admin = 'admin') => callAdmin('PATCH', `/v1/admin/sellers/${id}/review`, as(admin, body));
  const auditOf = async (id: string) => (await callAdmin('GET', `/v1/admin/audit?target_id=${id}`, as('admin'))).json.items;

  async function turn(path: string, body: object = {}): Promise<any> {
    const headers = { 'Content-Type': 'application/json' };
    return (await fetch(`${provider.endpoint}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).json();
  }
  const accountsOf = async (sellerId: string): Promise<{ id: string; metadata: object }[]> => {
    const { items } = (await (await fetch(`${provider.endpoint}/test/accounts`)).json()) as any;
    return items.filter((account: any) => account.metadata.seller_id === sellerId);
  };
  const expectError = (reply: TestReply, status: number, code: string) => {
    expect([reply.status, reply.json?.code]).toEqual([status, code]);
    expect(Object.keys(reply.json).sort()).toEqual(['code', 'message', 'request_id']);
  };

  async function sellerIn(status: InternalReviewStatus, ownerUserId = `user-${status}`): Promise<SellerId> {
    const seller = sampleSeller({ internalReviewStatus: status, ownerUserId });
    await c.table.transact(addSeller(seller));
    return seller.id;
  }

  describe('application', () => {
    test('a first one makes a seller under review', async () => {
      const { status, json } = await apply();
      expect(status).toBe(201);
      expect(json).toEqual({
        ...application,
        next_steps: ['payments', 'product'],
        id: expect.stringMatching(/^sel_/),
        owner_user_id: 'u1',
        internal_review_status: 'pending_review',
        payment_onboarding_status: 'not_started',
        revision: 1,
        created_at: '2026-02-01T10:00:00.000Z',
        applied_at: '2026-02-01T10:00:00.000Z',
        review_due_at: '2026-02-04T10:00:00.000Z',
      });
      expect((await me()).json).toEqual(json);
    });

    test.each(['draft', 'suspended'] as const)('again while %s', async (status) => {
      const id = await sellerIn(status, 'u1');
      const reply = await apply('u1', { display_name: 'Renamed' });
      if (!reapplicableStatuses.includes(status)) {
        expectError(reply, 403, 'seller_application_closed');
        expect((await me()).json).toMatchObject({ display_name: 'Example Shop', internal_review_status: status });
        return;
      }
      expect(reply.status).toBe(201);
      expect(reply.json).toMatchObject({ id, display_name: 'Renamed', internal_review_status: 'pending_review', revision: 2 });
    });

    test.each([
      ['display_name', ''],
      ['contact_email', 'nobody'],
      ['site_url', 'javascript:alert(1)'],
      ['site_url', undefined],
    ])('%s of %j is refused and nothing is written', async (field, value) => {
      const reply = await apply('u1', { [field]: value });
      expectError(reply, 400, 'invalid_request');
      expect(reply.json.message).toContain(field);
      expectError(await me(), 404, 'seller_not_found');
    });
  });

  describe('review', () => {
    const cases: [InternalReviewStatus, ReviewDecision, 'yes' | 'same' | 'no'][] = [
      ...reviewDecisions.map((decision): [InternalReviewStatus, ReviewDecision, 'yes'] => ['pending_review', decision, 'yes']),
      ['approved', 'approve', 'same'],
      ['suspended', 'needs_more_info', 'no'],
    ];

    test.each(cases)('of a seller in state %s with the decision %s: %s', async (status, decision, verdict) => {
      const id = await sellerIn(status);
      const reply = await review(id, { decision, note: 'Because.' });
      if (verdict === 'no') {
        expectError(reply, 400, 'invalid_state_transition');
        expect(await auditOf(id)).toEqual([]);
        return;
      }
      expect(reply.status).toBe(200);
      const notes = decision === 'needs_more_info' || decision === 'reject' ? { review_note: 'Because.' } : {};
      expect(reply.json).toMatchObject({
        internal_review_status: statusAfterReview[decision],
        revision: verdict === 'same' ? 1 : 2,
        ...notes,
      });
      expect('review_note' in reply.json).toBe('review_note' in notes);
      expect(await auditOf(id)).toMatchObject([
        {
          actor: 'admin',
          action: `seller.${decision}`,
          target_id: id,
          before: { internal_review_status: status },
          after: { internal_review_status: statusAfterReview[decision] },
          note: 'Because.',
        },
      ]);
    });

    test('the note shows until the next application', async () => {
      const { id } = (await apply()).json;
      await review(id, { decision: 'needs_more_info' });
      expect(await attention()).toEqual([]);
      clock = new Date(clock.getTime() + 3600_000);
      await review(id, { decision: 'needs_more_info', note: 'Which products?' });
      const returned = { kind: 'application_returned', target_id: id, since: clock.toISOString() };
      clock = new Date(clock.getTime() + 3600_000);
      await review(id, { decision: 'needs_more_info', note: 'Which products?' });
      expect(await attention()).toEqual([returned]);
      await review(id, { decision: 'reject' });
      expect(await attention()).toEqual([{ ...returned, since: clock.toISOString() }]);
      expect((await me()).json.review_note).toBe('Which products?');
      const [listed] = (await callAdmin('GET', '/v1/admin/sellers', as('admin'))).json.items;
      expect(listed).toMatchObject({ review_note: 'Which products?' });
      expect(listed).not.toHaveProperty('next_steps');
      await review(id, { decision: 'reject', note: 'No answer.' });
      expect((await me()).json.review_note).toBe('No answer.');
      expect((await apply()).json).not.toHaveProperty('review_note');
      expect(await attention()).toEqual([]);
    });

    test('a review of an older revision is refused', async () => {
      const { id, revision } = (await apply()).json;
      await apply('u1', { display_name: 'Something else' });
      expectError(await review(id, { decision: 'approve', expected_revision: revision }), 400, 'stale_review');
      const reply = await review(id, { decision: 'approve', expected_revision: revision + 1 });
      expect(reply.json).toMatchObject({ internal_review_status: 'approved', revision: 3 });
    });

    test('of reviews of one revision at the same moment one counts', async () => {
      const { id, revision } = (await apply()).json;
      const decisions = ['approve', 'approve_limited', 'reject', 'suspend'] as const;
      const replies = await Promise.all(decisions.map((decision) => review(id, { decision, expected_revision: revision })));
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
      expect((await auditOf(id)).filter(({ action }: any) => action !== 'seller.apply')).toHaveLength(1);
    });

    test('malformed reviews are refused', async () => {
      const id = await sellerIn('pending_review');
      const malformed = [{}, { decision: 'publish' }, { decision: 'approve', note: 1 }, { decision: 'approve', expected_revision: '1' }];
      for (const body of malformed) expectError(await review(id, body), 400, 'invalid_request');
    });

    test('the list pages through sellers and filters by status', async () => {
      for (const status of reviewStatuses) await sellerIn(status);
      const list = async (query: string) => (await callAdmin('GET', `/v1/admin/sellers?${query}`, as('admin'))).json;
      const first = await list('limit=4');
      const rest = await list(`limit=4&cursor=${first.next_cursor}`);
      expect([first.items.length, rest.items.length, rest.next_cursor]).toEqual([4, 2, undefined]);
      expect(new Set([...first.items, ...rest.items].map(({ id }) => id)).size).toBe(6);
      const suspended = await list('internal_review_status=suspended');
      expect(suspended.items).toMatchObject([{ internal_review_status: 'suspended' }]);
      for (const query of ['internal_review_status=gone', 'cursor=zzz', 'limit=0', 'internal_review_status=']) {
        expectError(await callAdmin('GET', `/v1/admin/sellers?${query}`, as('admin')), 400, 'invalid_request');
      }
      expectError(await callAdmin('GET', '/v1/admin/sellers', as('u1')), 403, 'forbidden');
    });
  });

  describe('payment onboarding', () => {
    test('leads from the first link to payouts', async () => {
      const { id } = (await apply()).json;
      expectError(await refresh(), 400, 'payment_account_missing');

      const first = await link();
      expect([first.status, Object.keys(first.json)]).toEqual([200, ['url']]);
      expect(first.headers['cache-control']).toBe('no-store');
      expect((await me()).json).toMatchObject({
        payment_onboarding_status: 'onboarding_started',
        payment_connected_account_id: expect.stringMatching(/^acct_/),
        payment_charges_enabled: false,
        payment_payouts_enabled: false,
        payment_requirements_due: ['identity.business_details.registered_name'],
        payment_disabled_reason: 'requirements_past_due',
        // The account, and the link.
        revision: 3,
      });
      expect((await refresh()).json.revision).toBe(3);
      const [account] = await accountsOf(id);
      expect(account?.metadata).toEqual({ seller_id: id, stage: 'local' });
      const due = { kind: 'payment_due', target_id: id, since: clock.toISOString() };
      expect(await attention()).toEqual([due]);
      clock = new Date(clock.getTime() + 3600_000);

      const visit = (url: string, outcome: string) =>
        fetch(url, { method: 'POST', body: new URLSearchParams({ outcome }), redirect: 'manual' });
      const back = await visit(first.json.url, 'needs_information');
      expect(back.headers.get('location')).toBe('http://127.0.0.1:3000/onboarding/return');
      await refreshConnectedAccount(c, account!.id, { returned: true });
      expect((await me()).json).toMatchObject({ payment_onboarding_status: 'requirements_due', revision: 5 });
      expect(await attention()).toEqual([due]);

      const second = await link();
      expect(second.json.url).not.toBe(first.json.url);
      await visit(second.json.url, 'complete');
      expect((await refresh()).json).toMatchObject({
        payment_onboarding_status: 'payouts_enabled',
        payment_charges_enabled: true,
        payment_payouts_enabled: true,
        payment_requirements_due: [],
        revision: 6,
      });
      expect((await me()).json).not.toHaveProperty('payment_disabled_reason');
      expect(await attention()).toEqual([]);
      expect(await accountsOf(id)).toHaveLength(1);
      expect((await auditOf(id)).map(({ after }: any) => after.payment_onboarding_status).reverse()).toEqual([
        undefined,
        'account_created',
        'onboarding_started',
        'requirements_due',
        'payouts_enabled',
      ]);
    });

    test.each([
      ['new', 'onboarding_started'],
      ['needs_information', 'onboarding_started'],
      ['pending', 'onboarding_started'],
      ['transfers_only', 'charges_enabled'],
      ['enabled', 'payouts_enabled'],
      ['enabled_but_due', 'payouts_enabled'],
      ['restricted', 'restricted'],
      ['unsupported', 'restricted'],
      ['rejected', 'rejected'],
      ['closed', 'rejected'],
    ])('refresh of an account that is %s shows %s', async (state, status) => {
      const { id } = (await apply()).json;
      await link();
      const [account] = await accountsOf(id);
      await turn(`/test/accounts/${account!.id}/state`, { state });
      expect((await refresh()).json.payment_onboarding_status).toBe(status);
    });

    test('an account that was enabled once and is stopped shows restricted', async () => {
      const { id } = (await apply()).json;
      await link();
      const [account] = await accountsOf(id);
      await turn(`/test/accounts/${account!.id}/state`, { state: 'enabled' });
      await refresh();
      await turn(`/test/accounts/${account!.id}/state`, { state: 'needs_information' });
      expect((await refresh()).json).toMatchObject({ payment_onboarding_status: 'restricted', payment_charges_enabled: false });
    });

    test('ten links at once open one account; those in between get a conflict', async () => {
      const { id } = (await apply()).json;
      const replies = await Promise.all(Array.from({ length: 10 }, () => link()));
      const statuses = new Set(replies.map(({ status }) => status));
      expect(statuses).toContain(200);
      expect([...statuses].every((status) => status === 200 || status === 409)).toBe(true);
      for (const reply of replies.filter(({ status }) => status === 409)) expectError(reply, 409, 'onboarding_link_conflict');
      expect(await accountsOf(id)).toHaveLength(1);
      expect((await link()).status).toBe(200);
    });

    test('a crash between the account and our record of it leads back to the same account', async () => {
      const { id } = (await apply()).json;
      const request = { displayName: '例 Shop', contactEmail: 'owner@example.com', country: 'JP' };
      await c.table.write(leaseOnboardingLink(c, id, clock.toISOString(), request));
      const opened = await openAccount(c, { sellerId: id, ...request });
      await apply('u1', { display_name: 'Renamed', contact_email: 'new@example.com' });
      expect((await link()).status).toBe(200);
      expect((await me()).json.payment_connected_account_id).toBe(opened.id);
    });

    test.each(['rejected', 'suspended'] as const)('a %s seller gets no link', async (status) => {
      const id = await sellerIn(status, 'u1');
      expectError(await link(), 409, 'onboarding_link_conflict');
      expect(await accountsOf(id)).toEqual([]);
    });

    test('a contact address or a country that the provider never takes is named, and the address can be mended', async () => {
      await apply('u1', { contact_email: 'owner@shop.invalid' });
      const refused = await link();
      expectError(refused, 400, 'invalid_request');
      expect(refused.json.message).toBe('contact_email is not taken by the payment provider');
      await apply('u1', { contact_email: 'owner@shop.example' });
      expect((await link()).status).toBe(200);

      await apply('u2');
      const elsewhere = { ...c, settings: { ...c.settings, PAYMENT_ACCOUNT_COUNTRY: 'KP' } };
      await expect(createAccountLink(elsewhere, 'u2')).rejects.toMatchObject({
        code: 'invalid_request',
        message: 'country is not taken by the payment provider',
      });

      const terse: StripeClient = { call: () => Promise.reject(new ProviderRefusedError({ code: 'email_invalid', status: 400 })) };
      await apply('u3');
      await expect(createAccountLink({ ...c, provider: terse }, 'u3')).rejects.toMatchObject({
        code: 'invalid_request',
        message: expect.stringMatching(/^contact_email/),
      });
    });

    test('an account that the provider rejected gets no link, whether we know it or not', async () => {
      const { id } = (await apply()).json;
      await link();
      const [account] = await accountsOf(id);
      await turn(`/test/accounts/${account!.id}/state`, { state: 'rejected' });
      expectError(await link(), 409, 'onboarding_link_conflict');
      expect((await me()).json.payment_onboarding_status).toBe('rejected');
      expectError(await link(), 409, 'onboarding_link_conflict');
    });

    test('a retrieval that began earlier never replaces one that began later', async () => {
      const { id } = (await apply()).json;
      await link();
      const [account] = await accountsOf(id);
      // The slow one sends its request first, while the account is new, and gets the reply after the fast one is done.
      const slow: StripeClient = {
        async call(request) {
          const old = await c.provider.call(request);
          await turn(`/test/accounts/${account!.id}/state`, { state: 'enabled' });
          expect((await refresh()).json.payment_onboarding_status).toBe('payouts_enabled');
          return old;
        },
      };
      expect(await refreshOwnSeller({ ...c, provider: slow }, 'u1')).toMatchObject({ paymentOnboardingStatus: 'payouts_enabled' });
      expect((await me()).json.payment_onboarding_status).toBe('payouts_enabled');
    });

    test('an event leads to its account, named or not, one of an unknown account to nothing, and one that the provider does not show is refused', async () => {
      const { id } = (await apply()).json;
      await link();
      const [account] = await accountsOf(id);
      const type = 'v2.core.account_link.returned';
      const before = webhooks.received.filter(({ event }) => event.type === type).length;
      await turn(`/test/accounts/${account!.id}/onboarding`, { outcome: 'needs_information' });
      const returned = (await webhooks.until(type, before + 2)).slice(before).find(({ event }) => event.context === null);
      await refreshByEvent(c, { id: returned!.event.id, payload: { returned: true } });
      expect((await me()).json.payment_onboarding_status).toBe('requirements_due');

      const unknown = refreshByEvent(c, { id: 'evt_test_unknown', payload: { returned: true } });
      await expect(unknown).rejects.toMatchObject({ name: 'ProviderRefusal', status: 404 });
      await refreshByEvent(c, { id: '../../v1/charges', payload: { returned: true } });
      expect(await refreshConnectedAccount(c, 'acct_somebodyElse')).toBeUndefined();
    });

    test('while the provider is unavailable nothing changes, and it can be tried again', async () => {
      await apply();
      await turn('/test/api', { status: 500 });
      const reply = await link();
      expectError(reply, 503, 'dependency_unavailable');
      expect(reply.headers['retry-after']).toBeDefined();
      await turn('/test/api');
      expect((await link()).status).toBe(200);
      for (const status of [429, 401, 404]) {
        await turn('/test/api', { status });
        expectError(await refresh(), 503, 'dependency_unavailable');
      }
    });

    test('no reply and no log line shows a secret or the provider’s own message', async () => {
      await apply();
      await turn('/test/api', { status: 403 });
      const reply = await link();
      expectError(reply, 503, 'dependency_unavailable');
      await turn('/test/api');
      const replies = [reply, await link(), await refresh(), await me()];
      const text = replies.map((one) => one.text).join() + log.join();
      expect(text).not.toContain(secretKey);
      expect(text).not.toMatch(/made to fail|v2\.core\.account|configuration|status_details/);
      expect(log).toHaveLength(1);
      expect(log[0]).not.toMatch(/@|acctlink/);
    });
  });
});
