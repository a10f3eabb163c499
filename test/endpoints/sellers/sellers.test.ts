import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Engine } from '../../../infra/local/engines/engine.ts';
import { startPaymentProvider } from '../../../infra/local/payment-provider/payment-provider.ts';
import { settingNames } from '../../../shared/config.ts';
import type { Needs } from '../../../shared/context.ts';
import type { SellerId } from '../../../shared/ids.ts';
import { createLogger } from '../../../shared/logging/logger.ts';
import { openAccount } from '../../../shared/payments/onboarding/connected-accounts.ts';
import { createStripeClient, ProviderRefusedError, type StripeClient } from '../../../shared/payments/provider/stripe-client.ts';
import { type InternalReviewStatus, type ReviewDecision, reviewStatuses } from '../../../shared/sellers/seller.ts';
import { createAccountLink, refreshByEvent, refreshConnectedAccount, refreshOwnSeller } from '../../../shared/sellers/seller-onboarding.ts';
import { addSeller, leaseOnboardingLink } from '../../../shared/sellers/seller-repository.ts';
import { createTestTable } from '../../support/engines/test-table.ts';
import { type Call, createService } from '../../support/http/service.ts';
import { sampleSeller } from '../../support/samples/sample-seller.ts';
import { sampleSettings } from '../../support/samples/sample-settings.ts';
import { createTestQueue } from '../../support/scenes/projection-harness.ts';

const application = {
  display_name: '例 Shop',
  contact_email: 'owner@example.com',
  support_email: 'help@example.com',
  site_url: 'https://shop.example.com/',
};
const secretKey = 'sk_test_kept51secret';

let provider: Engine;
/** What the functions and the worker of provider events work with. */
let c: Needs<'table' | 'now' | 'provider' | 'CONSOLE_CLIENT_ID' | 'PAYMENT_ACCOUNT_COUNTRY' | 'PUBLIC_BASE_URL' | 'STAGE'>;
let clock = new Date('2026-02-01T10:00:00.000Z');
let log: string[];
let call: Call;
/** The user of this test. */
let user: string;
let users = 0;

beforeAll(async () => {
  const nowhere = { url: 'http://127.0.0.1:9', secret: 'whsec_x' };
  provider = await startPaymentProvider({ platformWebhook: nowhere, connectWebhook: nowhere });
  const { table } = await createTestTable();
  const client = createStripeClient({ secretKey, apiBase: provider.endpoint });
  const logger = createLogger({}, (line) => void log.push(line));
  const clients = { table, logger, now: () => clock, provider: client, settings: sampleSettings(settingNames), sender: createTestQueue() };
  c = clients;
  call = createService(clients);
});
afterAll(() => provider.stop());
beforeEach(() => {
  users += 1;
  user = `u${users}`;
  log = [];
});
afterEach(() => turn('/test/api'));

const as = (id: string, body?: unknown) => ({ headers: { 'X-User-ID': id, 'X-User-Email': `${id}@example.com` }, body });
const apply = (changes = {}, id = user) => call('POST', '/v1/sellers', as(id, { ...application, ...changes }));
const me = async () => (await call('GET', '/v1/sellers/me', as(user))).json;
const link = () => call('POST', '/v1/sellers/payment/account-link', as(user));
const refresh = async () => (await call('POST', '/v1/sellers/payment/refresh', as(user))).json;
const attention = async () => (await call('GET', '/v1/overview', as(user))).json.attention;
const review = (id: string, body: object) => call('PATCH', `/v1/admin/sellers/${id}/review`, as('admin', body));
const auditOf = async (id: string) => (await call('GET', `/v1/admin/audit?target_id=${id}`, as('admin'))).json.items;
const outcomeOf = ({ status, json }: { status: number; json: any }) => [status, json.code];
const passHour = () => {
  clock = new Date(clock.getTime() + 3600_000);
};

async function turn(path: string, body: object = {}): Promise<void> {
  const headers = { 'Content-Type': 'application/json' };
  await fetch(`${provider.endpoint}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
}
const accountsOf = async (sellerId: string): Promise<{ id: string; metadata: object }[]> => {
  const { items } = (await (await fetch(`${provider.endpoint}/test/accounts`)).json()) as any;
  return items.filter((account: any) => account.metadata.seller_id === sellerId);
};
/** A seller who has begun to connect an account. */
async function connecting() {
  const { id } = (await apply()).json;
  await link();
  const [account] = await accountsOf(id);
  return { id, account: account!, setState: (state: string) => turn(`/test/accounts/${account!.id}/state`, { state }) };
}
async function sellerIn(internalReviewStatus: InternalReviewStatus): Promise<SellerId> {
  const seller = sampleSeller({ internalReviewStatus, ownerUserId: user });
  await c.table.transact(addSeller(seller));
  return seller.id;
}

describe('an application', () => {
  test('of one that is a draft hands it in again', async () => {
    const id = await sellerIn('draft');
    const again = { id, display_name: 'Renamed', internal_review_status: 'pending_review', revision: 2 };
    expect((await apply({ display_name: 'Renamed' })).json).toMatchObject(again);
  });

  test.each(['approved', 'suspended'] as const)('of one that is %s is refused', async (status) => {
    await sellerIn(status);
    expect(outcomeOf(await apply({ display_name: 'Renamed' }))).toEqual([403, 'seller_application_closed']);
    expect(await me()).toMatchObject({ display_name: 'Example Shop', internal_review_status: status });
  });
});

describe('a review', () => {
  test.each<[InternalReviewStatus, ReviewDecision, object]>([
    ['pending_review', 'needs_more_info', { internal_review_status: 'draft', revision: 2, review_note: 'Because.' }],
    ['pending_review', 'reject', { internal_review_status: 'rejected', revision: 2, review_note: 'Because.' }],
    ['approved_limited', 'suspend', { internal_review_status: 'suspended', revision: 2, review_note: undefined }],
    ['approved', 'approve', { internal_review_status: 'approved', revision: 1, review_note: undefined }],
  ])('of a seller in state %s with the decision %s leaves %j', async (status, decision, after) => {
    const id = await sellerIn(status);
    const { json } = await review(id, { decision, note: 'Because.' });
    expect({ review_note: undefined, ...json }).toMatchObject(after);
    const states = { before: { internal_review_status: status }, after: { internal_review_status: json.internal_review_status } };
    const record = { actor: 'admin', action: `seller.${decision}`, target_id: id, ...states, note: 'Because.' };
    expect(await auditOf(id)).toMatchObject([record]);
  });

  test('that the state does not take is refused and leaves no trace', async () => {
    const id = await sellerIn('suspended');
    expect(outcomeOf(await review(id, { decision: 'needs_more_info' }))).toEqual([400, 'invalid_state_transition']);
    expect(await auditOf(id)).toEqual([]);
  });

  test('has a note that shows until the next application', async () => {
    const { id } = (await apply()).json;
    await review(id, { decision: 'needs_more_info' });
    expect(await attention()).toEqual([]);
    passHour();
    await review(id, { decision: 'needs_more_info', note: 'Which products?' });
    const returned = { kind: 'application_returned', target_id: id, since: clock.toISOString() };
    passHour();
    await review(id, { decision: 'needs_more_info', note: 'Which products?' });
    expect(await attention()).toEqual([returned]);
    await review(id, { decision: 'reject' });
    expect(await attention()).toEqual([{ ...returned, since: clock.toISOString() }]);
    expect((await me()).review_note).toBe('Which products?');
    await review(id, { decision: 'reject', note: 'No answer.' });
    expect((await me()).review_note).toBe('No answer.');
    expect((await apply()).json).not.toHaveProperty('review_note');
    expect(await attention()).toEqual([]);
  });

  test('of one revision counts once of several at the same moment, and of an older one never', async () => {
    const { id, revision } = (await apply()).json;
    const decisions = ['approve', 'approve_limited', 'reject', 'suspend'] as const;
    const replies = await Promise.all(decisions.map((decision) => review(id, { decision, expected_revision: revision })));
    expect(replies.map(({ status, json }) => json.code ?? status).sort()).toEqual([200, ...Array(3).fill('stale_review')]);
    expect((await auditOf(id)).filter(({ action }: any) => action !== 'seller.apply')).toHaveLength(1);
  });

  test('is of a list that is filtered by status', async () => {
    const list = (status: string) => call('GET', `/v1/admin/sellers?internal_review_status=${status}`, as('admin'));
    const id = await sellerIn('approved_limited');
    expect((await list('approved_limited')).json.items).toContainEqual(expect.objectContaining({ id }));
    const shown = await Promise.all(reviewStatuses.map(async (status) => (await list(status)).json.items));
    for (const [at, items] of shown.entries())
      for (const { internal_review_status } of items) expect(internal_review_status).toBe(reviewStatuses[at]);
    expect(outcomeOf(await list('gone'))).toEqual([400, 'invalid_request']);
  });
});

describe('payment onboarding', () => {
  test('leads from the first link to payouts', async () => {
    const { id } = (await apply()).json;
    expect((await refresh()).code).toBe('payment_account_missing');
    const first = await link();
    expect([first.status, Object.keys(first.json)]).toEqual([200, ['url']]);
    expect(await me()).toMatchObject({
      payment_onboarding_status: 'onboarding_started',
      payment_connected_account_id: expect.stringMatching(/^acct_/),
      payment_charges_enabled: false,
      payment_payouts_enabled: false,
      payment_requirements_due: ['identity.business_details.registered_name'],
      payment_disabled_reason: 'requirements_past_due',
      // The account, and the link.
      revision: 3,
    });
    expect((await refresh()).revision).toBe(3);
    const [account] = await accountsOf(id);
    expect(account?.metadata).toEqual({ seller_id: id, stage: 'local' });
    const due = { kind: 'payment_due', target_id: id, since: clock.toISOString() };
    expect(await attention()).toEqual([due]);
    passHour();

    const visit = (url: string, outcome: string) =>
      fetch(url, { method: 'POST', body: new URLSearchParams({ outcome }), redirect: 'manual' });
    const back = await visit(first.json.url, 'needs_information');
    expect(back.headers.get('location')).toBe('http://127.0.0.1:3000/onboarding/return');
    await refreshConnectedAccount(c, account!.id, { returned: true });
    expect(await me()).toMatchObject({ payment_onboarding_status: 'requirements_due', revision: 5 });
    expect(await attention()).toEqual([due]);

    const second = await link();
    expect(second.json.url).not.toBe(first.json.url);
    await visit(second.json.url, 'complete');
    expect(await refresh()).toMatchObject({
      payment_onboarding_status: 'payouts_enabled',
      payment_charges_enabled: true,
      payment_payouts_enabled: true,
      payment_requirements_due: [],
      revision: 6,
    });
    expect(await me()).not.toHaveProperty('payment_disabled_reason');
    expect(await attention()).toEqual([]);
    expect(await accountsOf(id)).toHaveLength(1);
    const statuses = (await auditOf(id)).map(({ after }: any) => after.payment_onboarding_status).reverse();
    expect(statuses).toEqual([undefined, 'account_created', 'onboarding_started', 'requirements_due', 'payouts_enabled']);
  });

  test('shows an account that was enabled once and is stopped as restricted', async () => {
    const { setState } = await connecting();
    await setState('enabled');
    await refresh();
    await setState('needs_information');
    expect(await refresh()).toMatchObject({ payment_onboarding_status: 'restricted', payment_charges_enabled: false });
  });

  test('opens one account for ten links at once; those in between get a conflict', async () => {
    const { id } = (await apply()).json;
    const replies = await Promise.all(Array.from({ length: 10 }, () => link()));
    const outcomes = new Set(replies.map(({ status, json }) => json.code ?? status));
    expect(outcomes).toContain(200);
    expect([...outcomes].filter((outcome) => outcome !== 200 && outcome !== 'onboarding_link_conflict')).toEqual([]);
    expect(await accountsOf(id)).toHaveLength(1);
    expect((await link()).status).toBe(200);
  });

  test('is made though the answer to the lease was lost, and the right to make another is free again', async () => {
    await apply();
    const { write } = c.table;
    let lost = 0;
    const forgetful: typeof c.table = {
      ...c.table,
      async write(request) {
        const isLease = 'update' in request && String(request.update.UpdateExpression).startsWith('SET onboardingLinkLeasedUntil');
        if (isLease) lost += Number(Boolean(await write(request)));
        return write(request);
      },
    };
    for (let times = 1; times <= 2; times += 1) {
      await createAccountLink({ ...c, table: forgetful }, user);
      expect(lost).toBe(times);
    }
  });

  test('may lead on by another request half a minute after the right to make a link was taken', async () => {
    await apply();
    const arrivals = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const released = Promise.withResolvers<void>();
    let asked = 0;
    const held: StripeClient = {
      async call() {
        arrivals[asked]?.resolve();
        asked += 1;
        await released.promise;
        throw new ProviderRefusedError({ code: 'test', status: 400 });
      },
    };
    const ask = () => createAccountLink({ ...c, provider: held }, user);
    const start = clock.getTime();
    const first = ask();
    await arrivals[0]?.promise;
    clock = new Date(start + 29_999);
    await expect(ask()).rejects.toMatchObject({ code: 'onboarding_link_conflict' });
    expect(asked).toBe(1);
    clock = new Date(start + 30_000);
    const next = ask();
    await arrivals[1]?.promise;
    released.resolve();
    for (const { status } of await Promise.allSettled([first, next])) expect(status).toBe('rejected');
  });

  test('leads back to the same account after a crash between the account and our record of it', async () => {
    const { id } = (await apply()).json;
    const request = { displayName: '例 Shop', contactEmail: 'owner@example.com', country: 'JP' };
    await c.table.write(leaseOnboardingLink(c, id, { until: clock.toISOString(), by: 'gone' }, request));
    const opened = await openAccount(c, { sellerId: id, ...request });
    await apply({ display_name: 'Renamed', contact_email: 'new@example.com' });
    expect((await link()).status).toBe(200);
    expect((await me()).payment_connected_account_id).toBe(opened.id);
  });

  test.each(['rejected', 'suspended'] as const)('gives a %s seller no link', async (status) => {
    const id = await sellerIn(status);
    expect(outcomeOf(await link())).toEqual([409, 'onboarding_link_conflict']);
    expect(await accountsOf(id)).toEqual([]);
  });

  test('gives no link to an account that the provider rejected, whether we know it or not', async () => {
    const { setState } = await connecting();
    await setState('rejected');
    expect(outcomeOf(await link())).toEqual([409, 'onboarding_link_conflict']);
    expect((await me()).payment_onboarding_status).toBe('rejected');
    expect(outcomeOf(await link())).toEqual([409, 'onboarding_link_conflict']);
  });

  test('names a contact address or a country that the provider never takes, and the address can be mended', async () => {
    await apply({ contact_email: 'owner@shop.invalid' });
    const message = 'contact_email is not taken by the payment provider';
    expect(await link()).toMatchObject({ status: 400, json: { code: 'invalid_request', message } });
    await apply({ contact_email: 'owner@shop.example' });
    expect((await link()).status).toBe(200);
    const terse: StripeClient = { call: () => Promise.reject(new ProviderRefusedError({ code: 'email_invalid', status: 400 })) };
    for (const [change, field] of [
      [{ settings: { ...c.settings, PAYMENT_ACCOUNT_COUNTRY: 'KP' } }, 'country'],
      [{ provider: terse }, 'contact_email'],
    ] as const) {
      await apply({}, `${user}-${field}`);
      const refused = createAccountLink({ ...c, ...change }, `${user}-${field}`);
      await expect(refused).rejects.toMatchObject({ code: 'invalid_request', message: expect.stringMatching(`^${field} is not taken`) });
    }
  });

  test('never replaces a retrieval that began later by one that began earlier', async () => {
    const { setState } = await connecting();
    // The slow one sends its request first, while the account is new, and gets the reply after the fast one is done.
    const slow: StripeClient = {
      async call(request) {
        const old = await c.provider.call(request);
        await setState('enabled');
        expect((await refresh()).payment_onboarding_status).toBe('payouts_enabled');
        return old;
      },
    };
    expect(await refreshOwnSeller({ ...c, provider: slow }, user)).toMatchObject({ paymentOnboardingStatus: 'payouts_enabled' });
    expect((await me()).payment_onboarding_status).toBe('payouts_enabled');
  });

  test('follows no event whose id is a path, and none of an account of nobody', async () => {
    const asked: unknown[] = [];
    const unasked: StripeClient = { call: async (request) => Promise.reject(asked.push(request)) };
    await refreshByEvent({ ...c, provider: unasked }, { id: '../../v1/charges', payload: { returned: true } });
    expect(await refreshConnectedAccount({ ...c, provider: unasked }, 'acct_somebodyElse')).toBeUndefined();
    expect(asked).toEqual([]);
  });

  test('changes nothing while the provider is unavailable, and shows no secret and nothing of what the provider said', async () => {
    await apply();
    const replies = [];
    for (const status of [500, 429, 401, 403]) {
      await turn('/test/api', { status });
      const reply = await link();
      expect([...outcomeOf(reply), reply.headers['retry-after'] !== undefined]).toEqual([503, 'dependency_unavailable', true]);
      replies.push(reply);
    }
    expect(log).toHaveLength(4);
    await turn('/test/api');
    replies.push(await link());
    expect(replies.at(-1)?.status).toBe(200);
    await turn('/test/api', { status: 404 });
    expect((await refresh()).code).toBe('dependency_unavailable');
    const text = replies.map((reply) => reply.text).join() + log.join();
    expect(text).not.toContain(secretKey);
    expect(text).not.toMatch(/made to fail|v2\.core\.account|configuration|status_details/);
    expect(log.join()).not.toMatch(/@|acctlink/);
  });
});
