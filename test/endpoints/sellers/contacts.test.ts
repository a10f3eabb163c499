import { beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '../../../shared/ids.ts';
import type { SellerRecord } from '../../../shared/sellers/seller.ts';
import { addSeller } from '../../../shared/sellers/seller-repository.ts';
import { startIssuer } from '../../support/engines/token-issuer.ts';
import { sampleSeller } from '../../support/samples/sample-seller.ts';
import { type CatalogHarness, createCatalogHarness } from '../../support/scenes/catalog-harness.ts';

const application = {
  display_name: '例 Shop',
  contact_email: 'owner@example.com',
  support_email: 'help@example.com',
  site_url: 'https://shop.example.com/',
};
const outcomeOf = ({ status, json }: { status: number; json: any }) => [status, json.code];

let catalog: CatalogHarness;
beforeAll(async () => {
  catalog = await createCatalogHarness({ ADMIN_ALLOWLIST: 'root@example.com, sub:alice-and-admin, admin@example.com' });
});

/** A user, who is a seller already where it is said which, and what they do. */
async function user(seller?: Partial<SellerRecord>) {
  const record = sampleSeller(seller);
  const { id, ownerUserId } = record;
  if (seller) await catalog.table.transact(addSeller(record));
  const call = catalog.asUser(ownerUserId);
  return {
    id,
    ownerUserId,
    apply: (changes = {}) => call('POST', '/v1/sellers', { body: { ...application, ...changes } }),
    me: async () => (await call('GET', '/v1/sellers/me')).json,
    change: (body: object) => call('PATCH', '/v1/sellers/me', { body }),
  };
}
const auditOf = async (id: string) => (await catalog.adminCall('GET', `/v1/admin/audit?target_id=${id}`)).json.items;
const hoursAhead = (hours: number) => new Date(catalog.now().getTime() + hours * 3_600_000).toISOString();

describe('an application', () => {
  test('keeps its place while it waits, however often it is handed in, and gets a new one from another state', async () => {
    const { apply } = await user();
    const { id, applied_at, review_due_at } = (await apply()).json;
    catalog.pass(24 * 3600);
    expect((await apply()).json).toMatchObject({ applied_at, review_due_at, revision: 1 });
    expect((await apply({ display_name: 'Renamed' })).json).toMatchObject({ applied_at, review_due_at, revision: 2 });
    const returned = await catalog.adminCall('PATCH', `/v1/admin/sellers/${id}/review`, { body: { decision: 'needs_more_info' } });
    expect(returned.json).toMatchObject({ applied_at, revision: 3 });
    expect(returned.json).not.toHaveProperty('review_due_at');
    const { next_steps: _, ...again } = (await apply()).json;
    expect(again).toMatchObject({ applied_at: hoursAhead(0), review_due_at: hoursAhead(72) });
    expect((await catalog.adminCall('GET', '/v1/admin/sellers')).json.items).toContainEqual(again);
  });

  test('an older one waits since its last move, and keeps that place too', async () => {
    const since = hoursAhead(-24);
    const { me, change, apply } = await user({ internalReviewStatus: 'pending_review', updatedAt: since });
    const place = { applied_at: since, review_due_at: hoursAhead(48) };
    expect(await me()).toMatchObject(place);
    expect((await change({ support_email: 'desk@example.com' })).json).toMatchObject(place);
    expect((await apply()).json).toMatchObject(place);
  });
});

describe('contacts', () => {
  test.each(['draft', 'approved'] as const)('are changed of one that is %s, and nothing else is', async (internalReviewStatus) => {
    const { id, ownerUserId, me, change } = await user({ internalReviewStatus });
    const before = await me();
    const contacts = { contact_email: 'new@example.com', support_email: 'desk@example.com' };
    const both = await change({ ...contacts, display_name: 'Other' });
    expect([both.status, both.headers['x-ignored-fields']]).toEqual([200, 'display_name']);
    expect(both.json).toEqual({ ...before, ...contacts, revision: 2 });
    const one = await change({ ...contacts, contact_email: 'newer@example.com' });
    expect(one.json).toEqual({ ...both.json, contact_email: 'newer@example.com', revision: 3 });
    for (const nothing of [{}, { contact_email: 'newer@example.com' }]) expect((await change(nothing)).json).toEqual(one.json);
    expect(await me()).toEqual(one.json);
    expect((await auditOf(id)).map(({ actor, action, before, after }: any) => [actor, action, before, after])).toEqual([
      [ownerUserId, 'seller.update', { revision: 2 }, { revision: 3, changed: 'contact_email' }],
      [ownerUserId, 'seller.update', { revision: 1 }, { revision: 2, changed: 'contact_email support_email' }],
    ]);
  });

  test('are refused where they are none, and of one that may change nothing', async () => {
    const { me, change } = await user({ internalReviewStatus: 'approved' });
    const before = await me();
    for (const bad of ['', 'nobody', null, 1]) {
      const { status, json } = await change({ contact_email: bad, support_email: bad });
      expect([status, json.message]).toEqual([400, expect.stringMatching(/^contact_email .*; support_email /)]);
    }
    expect(await me()).toEqual(before);
    for (const internalReviewStatus of ['rejected', 'suspended'] as const) {
      const stopped = await user({ internalReviewStatus });
      for (const body of [{ contact_email: 'new@example.com' }, {}])
        expect(outcomeOf(await stopped.change(body))).toEqual([403, 'seller_not_eligible']);
    }
  });

  test('and the number of invoices, which stays when it is left out, goes when it is empty, and is never shown empty', async () => {
    const { apply, change, me } = await user();
    const numbered = (number: string, revision: number) => ({ invoice_registration_number: number, revision });
    const first = await apply({ invoice_registration_number: 'T1234567890123' });
    expect(first.json).toMatchObject(numbered('T1234567890123', 1));
    expect((await apply({ display_name: 'Renamed' })).json).toMatchObject(numbered('T1234567890123', 2));
    expect((await apply({ display_name: 'Renamed', invoice_registration_number: '' })).json).not.toHaveProperty(
      'invoice_registration_number',
    );
    const again = await apply({ display_name: 'Renamed', invoice_registration_number: 'T0000000000001' });
    expect(again.json).toMatchObject(numbered('T0000000000001', 4));
    expect((await change({ support_email: 'desk@example.com' })).json).toMatchObject(numbered('T0000000000001', 5));
    const gone = await change({ invoice_registration_number: '' });
    expect(gone.json).not.toHaveProperty('invoice_registration_number');
    expect((await change({ invoice_registration_number: '' })).json).toEqual(gone.json);
    expect((await change({ invoice_registration_number: 'T9876543210987' })).json).toMatchObject(numbered('T9876543210987', 7));
    const audited = JSON.stringify(await auditOf(first.json.id));
    expect(audited).toContain('"changed":"invoice_registration_number"');
    expect(audited).not.toContain('T98765');
    const other = await user();
    await other.apply({ invoice_registration_number: '' });
    await change({ invoice_registration_number: '' });
    for (const shown of [await me(), await other.me()]) expect(shown).not.toHaveProperty('invoice_registration_number');
  });

  test.each([
    ['Ｔ１２３４－５６７８－９０１２３', 'T1234567890123'],
    ['t 1234 5678 90123\n', 'T1234567890123'],
    ['T12345ー67890−123', 'T1234567890123'],
    ['T12345\u2010678\u201490123', 'T1234567890123'],
    ['\u3000', undefined],
  ])('read the number %j as %s', async (typed, number) => {
    const { change, apply } = await user({ internalReviewStatus: 'draft' });
    expect((await apply({ invoice_registration_number: typed })).json.invoice_registration_number).toBe(number);
    await change({ invoice_registration_number: '' });
    expect((await change({ invoice_registration_number: typed })).json.invoice_registration_number).toBe(number);
  });

  test.each(['T123456789012', 'T12345678901234', 'x1234567890123', '1234567890123', 'T1234567890123 a', null])(
    'take no number such as %j',
    async (invoice_registration_number) => {
      const { change, apply } = await user({ internalReviewStatus: 'draft' });
      for (const { status, json } of [await change({ invoice_registration_number }), await apply({ invoice_registration_number })]) {
        expect([status, json.message]).toEqual([400, expect.stringMatching(/^invoice_registration_number /)]);
        expect(json.message).not.toContain('123456');
      }
    },
  );

  test('that many change at once are all changed, each counted once', async () => {
    const { id, me, change } = await user({ internalReviewStatus: 'approved' });
    const replies = await Promise.all(Array.from({ length: 20 }, () => change({ contact_email: `${newId('mail')}@example.com` })));
    const done = replies.filter(({ status }) => status === 200).length;
    expect(replies.every(({ status }) => status === 200 || status === 503)).toBe(true);
    expect([(await me()).revision, (await auditOf(id)).length]).toEqual([1 + done, done]);
  });
});

const me = (headers: Record<string, string>) => catalog.publicCall('GET', '/v1/me', { headers });

test('a seller is told so, with the id of the seller, whatever the review says, and with an address where one is known', async () => {
  const alice = await catalog.newSeller({ ownerUserId: 'alice', internalReviewStatus: 'suspended' });
  const shown = { user_id: 'alice', roles: ['seller'], seller_id: alice.seller.id };
  expect((await me({ 'X-User-ID': 'alice', 'X-User-Email': 'alice@example.com' })).json).toEqual({ ...shown, email: 'alice@example.com' });
  expect((await me({ 'X-User-ID': 'alice' })).json).toEqual(shown);
  expect((await me({ 'X-User-ID': 'bob' })).json).toEqual({ user_id: 'bob', roles: [] });
});

test.each([
  ['root', 'Root@Example.com', ['admin']],
  ['alice-and-admin', '', ['admin']],
  ['alice', 'root@example.com', ['seller', 'admin']],
])('an admin is one by address or by id: %s %s', async (user_id, email, roles) => {
  expect((await me({ 'X-User-ID': user_id, 'X-User-Email': email })).json).toMatchObject({ user_id, roles });
});

test.each(['', ' ', 'ü', 'x'.repeat(129), 'two words'])('%j is no credential', async (user) => {
  expect(await me({ 'X-User-ID': user, 'X-User-Email': 'root@example.com' })).toMatchObject({
    status: 401,
    json: { code: 'unauthenticated' },
  });
});

test('a user has an address, and a role by it, only if the identity provider vouches for it', async () => {
  const issuer = await startIssuer();
  await issuer.addKey('key-1');
  const call = catalog.open({ AUTH_MODE: 'oidc', OIDC_ISSUER: issuer.url, OIDC_AUDIENCE: 'our-client' });
  const as = async (email_verified: boolean) => {
    const token = await issuer.sign('key-1', { sub: 'someone', aud: 'our-client', email: 'root@example.com', email_verified });
    return (await call('GET', '/v1/me', { headers: { Authorization: `Bearer ${token}` } })).json;
  };
  expect(await as(true)).toEqual({ user_id: 'someone', email: 'root@example.com', roles: ['admin'] });
  expect(await as(false)).toEqual({ user_id: 'someone', roles: [] });
  expect((await call('GET', '/v1/me', { headers: { 'X-User-ID': 'alice' } })).status).toBe(401);
  await issuer.stop();
});
