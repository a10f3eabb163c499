import { beforeAll, describe, expect, test } from '@jest/globals';
import { compose } from '../../../functions/sellers/compose.ts';
import { settingNames } from '../../../functions/sellers/declaration.ts';
import { routes } from '../../../functions/sellers/routes.ts';
import { createLogger } from '../../../shared/logging/logger.ts';
import { createStripeClient } from '../../../shared/payments/provider/stripe-client.ts';
import { reviewStatuses, type SellerRecord } from '../../../shared/sellers/seller.ts';
import { addSeller } from '../../../shared/sellers/seller-repository.ts';
import { createTestTable, type TestTable } from '../../support/engines/test-table.ts';
import { startIssuer } from '../../support/engines/token-issuer.ts';
import { createCaller } from '../../support/http/http-event.ts';
import { sampleSeller } from '../../support/samples/sample-seller.ts';
import { sampleSettings } from '../../support/samples/sample-settings.ts';

let store: TestTable;
let seller: SellerRecord;
beforeAll(async () => {
  store = await createTestTable();
  seller = sampleSeller({ ownerUserId: 'alice' });
  await store.table.transact(addSeller(seller));
});

const callWith = (changes: Record<string, string> = {}) => {
  const settings = sampleSettings(settingNames, { ADMIN_ALLOWLIST: 'root@example.com, sub:alice-and-admin', ...changes });
  const provider = createStripeClient({ secretKey: 'sk_test_none', apiBase: 'http://127.0.0.1:9' });
  return createCaller(compose({ settings, table: store.table, logger: createLogger({}, () => undefined), provider }), routes);
};
const me = (headers: Record<string, string>) => callWith()('GET', '/v1/me', { headers });

describe('me', () => {
  test('is a seller, with the id of the seller', async () => {
    const reply = await me({ 'X-User-ID': 'alice', 'X-User-Email': 'alice@example.com' });
    expect(reply.json).toEqual({ user_id: 'alice', email: 'alice@example.com', roles: ['seller'], seller_id: seller.id });
    expect(reply.headers['cache-control']).toBe('no-store');
  });

  test('is nobody in particular, without an address where none is known', async () => {
    expect((await me({ 'X-User-ID': 'bob' })).json).toEqual({ user_id: 'bob', roles: [] });
  });

  test.each([
    [
      { 'X-User-ID': 'root', 'X-User-Email': 'Root@Example.com' },
      { user_id: 'root', email: 'Root@Example.com', roles: ['admin'] },
    ],
    [{ 'X-User-ID': 'alice-and-admin' }, { user_id: 'alice-and-admin', roles: ['admin'] }],
    [{ 'X-User-ID': 'alice', 'X-User-Email': 'root@example.com' }, { roles: ['seller', 'admin'] }],
  ] as const)('is an admin by address or by id: %j', async (headers, expected) => {
    expect((await me(headers)).json).toMatchObject(expected);
  });

  test.each(reviewStatuses)('is a seller whose review is %s', async (internalReviewStatus) => {
    const one = sampleSeller({ internalReviewStatus });
    await store.table.transact(addSeller(one));
    expect((await me({ 'X-User-ID': one.ownerUserId })).json).toEqual({
      user_id: one.ownerUserId,
      roles: ['seller'],
      seller_id: one.id,
    });
  });

  test('needs a credential', async () => {
    const without: Record<string, string>[] = [
      { 'X-User-Email': 'root@example.com' },
      ...['', ' ', 'ü', 'x'.repeat(129), 'two words'].map((user) => ({ 'X-User-ID': user })),
    ];
    for (const headers of without) {
      expect(await me(headers)).toMatchObject({ status: 401, json: { code: 'unauthenticated' } });
    }
  });

  test('has an address, and a role by it, only if the identity provider vouches for it', async () => {
    const issuer = await startIssuer();
    await issuer.addKey('key-1');
    const call = callWith({ AUTH_MODE: 'oidc', OIDC_ISSUER: issuer.url, OIDC_AUDIENCE: 'our-client' });
    const as = async (email_verified: boolean) => {
      const token = await issuer.sign('key-1', { sub: 'someone', aud: 'our-client', email: 'root@example.com', email_verified });
      return (await call('GET', '/v1/me', { headers: { Authorization: `Bearer ${token}` } })).json;
    };
    expect(await as(true)).toEqual({ user_id: 'someone', email: 'root@example.com', roles: ['admin'] });
    expect(await as(false)).toEqual({ user_id: 'someone', roles: [] });
    expect((await call('GET', '/v1/me', { headers: { 'X-User-ID': 'alice' } })).status).toBe(401);
    await issuer.stop();
  });
});
