import { beforeAll, expect, test } from '@jest/globals';
import { startIssuer } from '../../support/engines/token-issuer.ts';
import { type CatalogHarness, createCatalogHarness, type Owner } from '../../support/scenes/catalog-harness.ts';

let catalog: CatalogHarness;
let alice: Owner;
beforeAll(async () => {
  catalog = await createCatalogHarness({ ADMIN_ALLOWLIST: 'root@example.com, sub:alice-and-admin' });
  alice = await catalog.newSeller({ ownerUserId: 'alice', internalReviewStatus: 'suspended' });
});
const me = (headers: Record<string, string>) => catalog.publicCall('GET', '/v1/me', { headers });

test('a seller is told so, with the id of the seller, whatever the review says, and with an address where one is known', async () => {
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
