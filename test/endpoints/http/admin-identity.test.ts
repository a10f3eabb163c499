import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { compose } from '../../../functions/admin/compose.ts';
import { settingNames } from '../../../functions/admin/declaration.ts';
import { routes } from '../../../functions/admin/routes.ts';
import type { Table } from '../../../shared/db/table.ts';
import { createTestTable } from '../../support/engines/test-table.ts';
import { type Issuer, startIssuer } from '../../support/engines/token-issuer.ts';
import { createCaller } from '../../support/http/http-event.ts';
import { sampleSettings } from '../../support/samples/sample-settings.ts';
import { createTestQueue, silentLogger } from '../../support/scenes/projection-harness.ts';

/** Entries with odd spaces and letter case, and some that are empty. */
const allowlist = ' Root.Admin@Example.com ,, sub:user|42 ,kim@example.com,';

describe('an admin', () => {
  let table: Table;
  let issuer: Issuer;
  beforeAll(async () => {
    ({ table } = await createTestTable());
    issuer = await startIssuer();
    await issuer.addKey('key-1');
  });
  afterAll(() => issuer.stop());

  const statusFor = async (headers: Record<string, string>, changes: Parameters<typeof sampleSettings>[1] = {}) => {
    const settings = sampleSettings(settingNames, { ADMIN_ALLOWLIST: allowlist, ...changes });
    const handler = compose({ settings, logger: silentLogger, table, store: undefined, sender: createTestQueue() });
    const { status, json } = await createCaller(handler, routes)('GET', '/v1/admin/sellers', { headers });
    if (status === 403) expect(json.code).toBe('forbidden');
    return status;
  };
  const local = (user: string, email?: string) => statusFor({ 'X-User-ID': user, ...(email !== undefined && { 'X-User-Email': email }) });
  const bearer = async (claims: Record<string, unknown>) =>
    statusFor(
      { Authorization: `Bearer ${await issuer.sign('key-1', claims)}` },
      { AUTH_MODE: 'oidc', OIDC_ISSUER: issuer.url, OIDC_AUDIENCE: 'our-client' },
    );

  test.each([
    ['anyone', 'root.admin@example.com'],
    ['anyone', 'ROOT.ADMIN@EXAMPLE.COM'],
    ['user|42', undefined],
    ['user|42', 'someone@example.com'],
  ])('is who is on the list, by address or by user id: %s, %s', async (user, email) => {
    expect(await local(user, email)).toBe(200);
  });

  test.each([
    ['anyone', 'admin@example.com'],
    ['anyone', 'xroot.admin@example.com'],
    ['anyone', 'root.admin@example.com.evil.example'],
    ['anyone', 'root.admin@example.co'],
    ['anyone', '\u212aim@example.com'],
    ['anyone', 'root.admin'],
    ['anyone', '@example.com'],
    ['anyone', 'rootxadmin@example.com'],
    ['anyone', ' '],
    ['anyone', 'sub:user|42'],
    ['anyone', 'user|42'],
    ['anyone', allowlist.trim()],
    ['root.admin@example.com', undefined],
    ['user|421', undefined],
    ['user|4', undefined],
    ['user', undefined],
    ['xuser|42', undefined],
    ['USER|42', undefined],
    ['sub:user|42', undefined],
    ['sub:', undefined],
  ])('is not who only resembles an entry: %s, %s', async (user, email) => {
    expect(await local(user, email)).toBe(403);
  });

  test.each([
    ['local', { 'X-User-Email': 'root.admin@example.com' }],
    ['local', {}],
    ['local', { 'X-User-ID': '', 'X-User-Email': 'root.admin@example.com' }],
  ])('is not who has no identity: %s %j', async (_, headers) => {
    expect(await statusFor(headers as Record<string, string>)).toBe(403);
  });

  test('is nobody where the list is empty', async () => {
    for (const list of ['', ',', ' , ']) {
      for (const email of ['root.admin@example.com', '', ' ', 'undefined']) {
        expect(await statusFor({ 'X-User-ID': 'anyone', 'X-User-Email': email }, { ADMIN_ALLOWLIST: list })).toBe(403);
      }
    }
  });

  test.each([
    [200, { sub: 'anyone', email: 'root.admin@example.com', email_verified: true }],
    [200, { sub: 'anyone', email: 'Root.Admin@example.com', email_verified: 'true' }],
    [200, { sub: 'user|42' }],
    [403, { sub: 'anyone', email: 'root.admin@example.com' }],
    [403, { sub: 'anyone', email: 'root.admin@example.com', email_verified: false }],
    [403, { sub: 'anyone', email: 'root.admin@example.com', email_verified: 'false' }],
    [403, { sub: 'anyone', email_verified: true }],
    [403, { sub: 'anyone', username: 'user|42', 'cognito:username': 'user|42' }],
    [403, { sub: 'user|42', aud: 'another-client' }],
  ])('by a token counts an address only when the issuer vouches for it: %d %j', async (status, claims) => {
    expect(await bearer(claims)).toBe(status);
  });
});
