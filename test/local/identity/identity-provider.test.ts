import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import * as oauth from 'oauth4webapi';
import { type Engine, freePort } from '../../../infra/local/engines/engine.ts';
import { startApiGateway } from '../../../infra/local/gateway/api-gateway.ts';
import { createIdentityProvider, type IdentityProvider } from '../../../infra/local/identity/identity-provider.ts';
import { createPeople } from '../../../infra/local/identity/people.ts';
import type { Table } from '../../../shared/db/table.ts';
import { createAuthenticate } from '../../../shared/http/callers/create-authenticate.ts';
import { createHandler } from '../../../shared/http/create-handler.ts';
import { createLogger } from '../../../shared/logging/logger.ts';
import { addSeller } from '../../../shared/sellers/seller-repository.ts';
import { createTestTable } from '../../support/engines/test-table.ts';
import { whoAmI } from '../../support/http/who-am-i.ts';
import { newFolder } from '../../support/new-folder.ts';
import { sampleSeller } from '../../support/samples/sample-seller.ts';

const tokenSeconds = 240;
const allowlist = 'Root@Example.com, sub:machine';
const unsafe = { [oauth.allowInsecureRequests]: true };
const client: oauth.Client = { client_id: 'our-console' };

const folder = newFolder();
let table: Table;
let gateway: Engine;
let base: string;
let issuer: string;
let server: oauth.AuthorizationServer;
let provider: IdentityProvider;
let clock = 0;

/** As after a restart of the stack. */
const openProvider = () =>
  createIdentityProvider({
    publicBaseUrl: base,
    clientId: client.client_id,
    tokenSeconds,
    people: createPeople({ table, allowlist }),
    file: join(folder, 'identity.json'),
    now: () => new Date(Date.now() + clock),
  });

beforeAll(async () => {
  ({ table } = await createTestTable());
  const add = (changes: Parameters<typeof sampleSeller>[0]) => table.transact(addSeller(sampleSeller(changes)));
  await add({
    ownerUserId: 'owner-1',
    displayName: '<i>Aoi</i>',
    ownerEmails: new Set(['first@example.com']),
    contactEmail: 'desk@example.com',
  });
  await add({ ownerUserId: 'owner-2', displayName: 'Second', contactEmail: 'second@example.com' });
  const port = await freePort();
  base = `http://127.0.0.1:${port}`;
  issuer = `${base}/__local/identity`;
  const authenticate = createAuthenticate({
    ...{ STAGE: 'local', AUTH_MODE: 'local', OIDC_ISSUER: issuer, OIDC_AUDIENCE: [client.client_id], OIDC_KEYS_SECONDS: 600 },
  });
  const routes = [whoAmI('seller'), whoAmI('admin')];
  const handler = createHandler({
    routes,
    services: {},
    logger: createLogger({}, () => undefined),
    authenticate,
    adminAllowlist: ['root@example.com', 'sub:machine'],
  });
  const invoke = (event: unknown) => handler(event as Parameters<typeof handler>[0], {} as Parameters<typeof handler>[1]);
  provider = openProvider();
  gateway = await startApiGateway({
    port,
    routes: new Map(['$default', ...routes.map(({ method, path }) => `${method} ${path}`)].map((route) => [route, invoke])),
    localPage: (request) => provider.answer(request),
    isExpiredCredential: (authorization) => provider.isOver(authorization),
  });
  server = await oauth.processDiscoveryResponse(new URL(issuer), await oauth.discoveryRequest(new URL(issuer), unsafe));
});
afterAll(() => gateway.stop());
beforeEach(() => {
  clock = 0;
});
afterEach(() => fetch(`${issuer}/end-sessions`, { method: 'POST' }));

const redirectUri = () => `${base}/console/callback`;

/** What the console asks with; a change that is undefined leaves the parameter out. */
async function request(changes: Record<string, string | undefined> = {}) {
  const verifier = oauth.generateRandomCodeVerifier();
  const params = {
    ...{ client_id: client.client_id, redirect_uri: redirectUri(), response_type: 'code', scope: 'openid email' },
    ...{ state: 'state-1', nonce: 'nonce-1' },
    ...{ code_challenge: await oauth.calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256', ...changes },
  };
  const url = new URL(server.authorization_endpoint ?? '');
  for (const [name, value] of Object.entries(params)) if (value !== undefined) url.searchParams.set(name, value);
  return { url, verifier };
}

/** Goes to the provider as a browser, with the cookie that it was given. */
async function visit(url: URL, { cookie = '', language = 'en' } = {}) {
  const reply = await fetch(url, { redirect: 'manual', headers: { cookie, 'accept-language': language } });
  const location = URL.parse(reply.headers.get('location') ?? '');
  return { status: reply.status, location, page: await reply.text(), cookie: reply.headers.get('set-cookie')?.split(';')[0] ?? cookie };
}

async function exchange(location: URL | null, verifier: string, change: { redirect?: string; client?: oauth.Client } = {}) {
  const parameters = oauth.validateAuthResponse(server, client, location!, 'state-1');
  const asked = change.client ?? client;
  return oauth.authorizationCodeGrantRequest(server, asked, oauth.None(), parameters, change.redirect ?? redirectUri(), verifier, unsafe);
}

const tokensIn = (reply: Response) =>
  oauth.processAuthorizationCodeResponse(server, client, reply, { expectedNonce: 'nonce-1', requireIdToken: true });

async function signIn(hint: string, options: { cookie?: string } = {}) {
  const { url, verifier } = await request({ login_hint: hint });
  const { location, cookie } = await visit(url, options);
  const tokens = await tokensIn(await exchange(location, verifier));
  return { location, verifier, cookie, tokens, claims: oauth.getValidatedIdTokenClaims(tokens)! };
}

const refresh = (token = '', more: Record<string, string> = {}) =>
  oauth.refreshTokenGrantRequest(server, client, oauth.None(), token, { ...unsafe, additionalParameters: more });
const refreshed = async (token: string | undefined) => oauth.processRefreshTokenResponse(server, client, await refresh(token));
const refusalOf = async (given: Response | Promise<Response>) => {
  const reply = await given;
  expect(reply.headers.get('cache-control')).toBe('no-store');
  return [reply.status, ((await reply.json()) as { error: string }).error];
};

/** How the seller's endpoint and the admin's answer. */
async function opens(token: string | undefined, headers: Record<string, string> = {}) {
  const sent = { ...(token !== undefined && { authorization: `Bearer ${token}` }), ...headers };
  const replies = await Promise.all(['seller', 'admin'].map((audience) => fetch(`${base}/v1/${audience}`, { headers: sent })));
  return replies.map(({ status }) => status);
}
const closed = [401, 403];

describe('the identity provider of the local stack', () => {
  test.each([
    ['owner-1', 'owner-1', 'first@example.com', [200, 403]],
    ['FIRST@example.com', 'owner-1', 'first@example.com', [200, 403]],
    ['owner-2', 'owner-2', undefined, [200, 403]],
    ['second@example.com', 'owner-2', undefined, [200, 403]],
    ['root@example.com', expect.stringMatching(/^admin-[0-9a-f]{16}$/), 'Root@Example.com', [200, 200]],
    ['machine', 'machine', undefined, [200, 200]],
    ['new', expect.stringMatching(/^new-/), expect.stringMatching(/^new-\w+@example\.com$/), [200, 403]],
  ])('signs %s in without a page, with tokens that the endpoints take', async (hint, sub, email, statuses) => {
    const { tokens, claims, location } = await signIn(hint);
    expect(`${location?.origin}${location?.pathname}`).toBe(redirectUri());
    const vouched = email === undefined ? {} : { email, email_verified: true };
    expect(claims).toMatchObject({ sub, ...vouched });
    expect('email' in claims).toBe(email !== undefined);
    expect(tokens).toMatchObject({
      token_type: 'bearer',
      expires_in: tokenSeconds,
      scope: 'openid email',
      refresh_token: expect.any(String),
    });
    expect(await opens(tokens.access_token)).toEqual(statuses);
    expect(await opens(tokens.id_token)).toEqual(statuses);
    const me = (await (await fetch(`${base}/v1/seller`, { headers: { authorization: `Bearer ${tokens.access_token}` } })).json()) as object;
    expect(me).toEqual({ user_id: sub, ...(email !== undefined && { email }) });
  });

  test('knows an admin again, and nobody who is new', async () => {
    const subOf = async (hint: string) => (await signIn(hint)).claims.sub;
    expect(await subOf('root@example.com')).toBe(await subOf('ROOT@example.com'));
    const { cookie, claims } = await signIn('new');
    expect((await signIn('new', { cookie })).claims.sub).not.toBe(claims.sub);
  });

  test('leaves a header its say, and takes no other token than its own', async () => {
    const { tokens } = await signIn('root@example.com');
    const token = tokens.access_token;
    expect(await opens(token, { 'x-user-id': 'someone' })).toEqual([200, 403]);
    expect(await opens(token, { 'x-user-id': 'not visible' })).toEqual(closed);
    for (const bad of ['nonsense', 'lst_x', `${token.slice(0, -4)}AAAA`, token.replace(/^[^.]+/, 'eyJhbGciOiJub25lIn0')]) {
      expect(await opens(bad)).toEqual(closed);
    }
    expect(await opens(undefined)).toEqual(closed);
  });

  test('asks who signs in, in the reader’s language, with a form for each', async () => {
    const { url } = await request({ state: '"><script>' });
    const { status, page } = await visit(url);
    expect(status).toBe(200);
    const forms = [...page.matchAll(/<form action="authorize">([\s\S]*?)<\/form>/g)].map(([, form]) => form!);
    const hints = forms.map((form) => /name="login_hint" value="([^"]*)"/.exec(form)?.[1]);
    expect(hints).toEqual(['Root@Example.com', 'machine', 'owner-1', 'owner-2', 'new']);
    expect(page).toContain('<bdi>&lt;i&gt;Aoi&lt;/i&gt;</bdi>');
    expect(forms[2]).toContain('name="state" value="&quot;&gt;&lt;script&gt;"');
    expect(page).toContain('<html lang="en">');
    expect((await visit(url, { language: 'ja' })).page).toMatch(/<html lang="ja">[\s\S]*新しい人/);
  });

  test('asks once a browser: then it passes unasked, until another is named or the question is wished for', async () => {
    const { cookie, claims } = await signIn('owner-1');
    const ask = async (changes: Record<string, string>, given = cookie) => visit((await request(changes)).url, { cookie: given });
    const admin = `${base}/console/admin/callback`;
    const again = await ask({ redirect_uri: admin });
    expect([again.status, again.location?.href.startsWith(`${admin}?code=`), again.cookie]).toEqual([303, true, cookie]);
    expect((await ask({ prompt: 'none' })).location?.searchParams.has('code')).toBe(true);
    expect((await ask({ login_hint: 'owner-1' })).cookie).toBe(cookie);
    for (const changes of [{ prompt: 'login' }, { prompt: 'select_account' }, { login_hint: 'nobody' }]) {
      expect((await ask(changes)).page).toContain('name="login_hint" value="new"');
    }
    const other = await signIn('owner-2', { cookie });
    expect([claims.sub, other.claims.sub]).toEqual(['owner-1', 'owner-2']);
    expect(other.cookie).not.toBe(cookie);
    clock = 61_000;
    expect((await ask({ max_age: '60' })).page).toContain('name="login_hint"');
    expect((await ask({ max_age: '600' })).status).toBe(303);
    const { location } = await ask({ prompt: 'none' }, '');
    expect(location?.searchParams.get('error')).toBe('login_required');
    expect(location?.searchParams.get('state')).toBe('state-1');
  });

  test.each([
    ['redirect_uri', undefined],
    ['redirect_uri', 'https://evil.example/console/callback'],
    ['redirect_uri', '/console/callback/'],
    ['redirect_uri', '/console/callback?x=1'],
    ['redirect_uri', '/console'],
    ['redirect_uri', '/console/admin/../callback'],
    ['client_id', undefined],
    ['client_id', 'another'],
  ])('sends nobody back for %s %s', async (name, value) => {
    const { url } = await request({ login_hint: 'owner-1', [name]: value?.startsWith('/') ? base + value : value });
    const { status, location, page, cookie } = await visit(url);
    expect([status, location, cookie]).toEqual([400, null, '']);
    expect(page).toContain(name);
  });

  test.each([
    [{ response_type: 'token' }, 'unsupported_response_type'],
    [{ response_mode: 'fragment' }, 'invalid_request'],
    [{ scope: 'email' }, 'invalid_scope'],
    [{ code_challenge_method: 'plain' }, 'invalid_request'],
    [{ code_challenge_method: undefined }, 'invalid_request'],
    [{ code_challenge: undefined }, 'invalid_request'],
    [{ code_challenge: 'short' }, 'invalid_request'],
    [{ prompt: 'none login' }, 'invalid_request'],
    [{ max_age: 'x' }, 'invalid_request'],
    [{ request: 'x' }, 'request_not_supported'],
  ])('refuses %j with %s, to where it came from', async (changes, error) => {
    const { location } = await visit((await request({ login_hint: 'owner-1', ...changes })).url);
    expect(Object.fromEntries(location!.searchParams)).toMatchObject({ error, state: 'state-1', iss: issuer });
    expect(location!.searchParams.has('code')).toBe(false);
  });

  test('gives for a code once, within a minute, and to who asked for it', async () => {
    const { url, verifier } = await request({ login_hint: 'owner-1' });
    const { location } = await visit(url);
    const invalid = [400, 'invalid_grant'];
    expect(await refusalOf(exchange(location, oauth.generateRandomCodeVerifier()))).toEqual(invalid);
    expect(await refusalOf(exchange(location, verifier, { redirect: `${base}/console/admin/callback` }))).toEqual(invalid);
    expect(await refusalOf(exchange(location, verifier, { client: { client_id: 'another' } }))).toEqual([401, 'invalid_client']);
    const forged = new URL(location!);
    forged.searchParams.set('code', `${location!.searchParams.get('code')}x`);
    expect(await refusalOf(exchange(forged, verifier))).toEqual(invalid);
    const tokens = await tokensIn(await exchange(location, verifier));

    expect(await opens(tokens.access_token)).toEqual([200, 403]);
    expect(await refusalOf(exchange(location, verifier))).toEqual(invalid);
    // The second is the same token to a function.
    for (const token of [tokens.access_token, `${tokens.access_token}=`]) expect(await opens(token)).toEqual(closed);
    expect(await refusalOf(refresh(tokens.refresh_token))).toEqual(invalid);

    const late = await visit(url);
    clock = 60_000;
    expect(await refusalOf(exchange(late.location, verifier))).toEqual(invalid);
    const many = await visit(url);
    const replies = await Promise.all(Array.from({ length: 20 }, () => exchange(many.location, verifier)));
    expect(replies.filter(({ ok }) => ok)).toHaveLength(1);
  });

  test('turns refresh tokens over, ends all of a family when an old one comes back, and gives another bearer token after the first has ended', async () => {
    const { tokens } = await signIn('owner-1');
    const second = await refreshed(tokens.refresh_token);
    expect(oauth.getValidatedIdTokenClaims(second)).toMatchObject({ sub: 'owner-1', email: 'first@example.com' });
    expect(oauth.getValidatedIdTokenClaims(second)).not.toHaveProperty('nonce');
    expect(await refusalOf(refresh(second.refresh_token, { scope: 'openid offline_access' }))).toEqual([400, 'invalid_scope']);
    const third = await refreshed(second.refresh_token);
    const other = await signIn('owner-1');
    expect(await opens(tokens.access_token)).toEqual([200, 403]);
    expect(await refusalOf(refresh(second.refresh_token))).toEqual([400, 'invalid_grant']);
    for (const { access_token } of [tokens, second, third]) expect(await opens(access_token)).toEqual(closed);
    expect(await refusalOf(refresh(third.refresh_token))).toEqual([400, 'invalid_grant']);
    expect(await opens(other.tokens.access_token)).toEqual([200, 403]);
    for (const token of ['x', other.tokens.access_token]) expect(await refusalOf(refresh(token))).toEqual([400, 'invalid_grant']);
    clock = tokenSeconds * 1000;
    expect(await opens(other.tokens.access_token)).toEqual(closed);
    expect(await opens((await refreshed(other.tokens.refresh_token)).access_token)).toEqual([200, 403]);
  });

  test('revokes all that was given with a token, whichever is named', async () => {
    for (const name of ['refresh_token', 'access_token'] as const) {
      const { tokens } = await signIn('owner-1');
      const revoke = (token: string) => oauth.revocationRequest(server, client, oauth.None(), token, unsafe);
      await oauth.processRevocationResponse(await revoke('nonsense'));
      expect(await opens(tokens.access_token)).toEqual([200, 403]);
      await oauth.processRevocationResponse(await revoke(tokens[name]!));
      expect(await opens(tokens.access_token)).toEqual(closed);
      expect(await refusalOf(refresh(tokens.refresh_token))).toEqual([400, 'invalid_grant']);
    }
  });

  test('signs out: the browser is asked again, and what it was given is over', async () => {
    const leave = (params: Record<string, string>, cookie = '') =>
      visit(new URL(`?${new URLSearchParams(params)}`, server.end_session_endpoint), { cookie });
    const { tokens, cookie } = await signIn('owner-1');
    for (const uri of ['https://evil.example/console', `${base}/consoles`, `${base}/console/../p/x`, 'nonsense']) {
      expect(await leave({ post_logout_redirect_uri: uri }, cookie)).toMatchObject({ status: 400, location: null });
    }
    expect(await opens(tokens.access_token)).toEqual([200, 403]);
    const left = await leave({ post_logout_redirect_uri: `${base}/console/admin`, client_id: client.client_id, state: 'bye' }, cookie);
    expect([left.status, left.location?.href]).toEqual([303, `${base}/console/admin?state=bye`]);
    expect(await opens(tokens.access_token)).toEqual(closed);
    expect((await visit((await request()).url, { cookie })).page).toContain('name="login_hint"');
    const hinted = await signIn('owner-1');
    expect((await leave({ id_token_hint: hinted.tokens.id_token! })).page).toContain('Signed out');
    expect(await refusalOf(refresh(hinted.tokens.refresh_token))).toEqual([400, 'invalid_grant']);
  });

  test('ends all sessions when it is told to, though by no page of another site', async () => {
    const { tokens, cookie } = await signIn('owner-1');
    const end = (headers: Record<string, string>) => fetch(`${issuer}/end-sessions`, { method: 'POST', headers });
    expect((await end({ 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await end({ origin: 'https://elsewhere.example' })).status).toBe(403);
    expect(await opens(tokens.access_token)).toEqual([200, 403]);
    expect((await end({ 'sec-fetch-site': 'same-origin' })).status).toBe(200);
    expect(await opens(tokens.access_token)).toEqual(closed);
    expect(await refusalOf(refresh(tokens.refresh_token))).toEqual([400, 'invalid_grant']);
    expect((await visit((await request()).url, { cookie })).page).toContain('name="login_hint"');
    expect(await opens((await signIn('owner-1')).tokens.access_token)).toEqual([200, 403]);
  });

  test('knows after a restart who is signed in, and keeps it to itself', async () => {
    const { tokens, cookie } = await signIn('owner-1');
    const file = join(folder, 'identity.json');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const kept = await readFile(file, 'utf8');
    for (const token of [tokens.access_token, tokens.refresh_token!, tokens.id_token!]) expect(kept).not.toContain(token);
    provider = openProvider();
    expect(await opens(tokens.access_token)).toEqual([200, 403]);
    expect((await visit((await request({ prompt: 'none' })).url, { cookie })).location?.searchParams.has('code')).toBe(true);
    expect(await opens((await refreshed(tokens.refresh_token)).access_token)).toEqual([200, 403]);
  });
});
