import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { SignJWT } from 'jose';
import type { Authenticate } from '../../shared/http/callers/authenticate.ts';
import { createAuthenticate } from '../../shared/http/callers/create-authenticate.ts';
import { createTokenAuthenticate } from '../../shared/http/callers/token-authenticate.ts';
import { type Issuer, startIssuer } from '../support/engines/token-issuer.ts';

const behindIssuer = (OIDC_ISSUER: string) => ({
  STAGE: 'local' as const,
  AUTH_MODE: 'oidc' as const,
  OIDC_ISSUER,
  OIDC_AUDIENCE: ['our-client'],
});
const seconds = (offset: number) => Math.floor(Date.now() / 1000) + offset;

describe('bearer tokens of an issuer', () => {
  let issuer: Issuer;
  let authenticate: Authenticate;
  const identify = (token: string) => authenticate({ authorization: `Bearer ${token}` });
  const identifyClaims = async (claims: Record<string, unknown>) => identify(await issuer.sign('first', claims));

  beforeAll(async () => {
    issuer = await startIssuer();
    await issuer.addKey('first');
  });
  afterAll(() => issuer.stop());
  beforeEach(() => {
    authenticate = createTokenAuthenticate({ issuer: issuer.url, audiences: ['our-client', 'our-other-client'], keysSeconds: 600 });
    issuer.requests.length = 0;
  });
  afterEach(() => {
    issuer.answerWith(undefined);
    jest.restoreAllMocks();
  });

  describe('are accepted', () => {
    test.each([
      ['for one audience', {}],
      ['for one of several audiences', { aud: ['else', 'our-other-client'] }],
      ['by client id', { aud: undefined, client_id: 'our-client' }],
      ['as identity token of Cognito', { token_use: 'id' }],
      ['as access token of Cognito', { token_use: 'access', aud: undefined, client_id: 'our-client' }],
      ['as access token of Cognito for a resource of ours', { token_use: 'access', aud: 'our-other-client', client_id: 'our-client' }],
      ['when our clock is a little ahead', { exp: seconds(-10) }],
      ['when our clock is a little behind', { nbf: seconds(10), iat: seconds(10) }],
    ])('%s', async (_, claims) => {
      expect(await identifyClaims(claims)).toEqual({ userId: 'user-1', email: undefined });
    });

    test('signed with any of the algorithms, of a type of credentials, whatever the letter case of it and of the scheme', async () => {
      const known = { userId: 'user-1' };
      for (const alg of ['ES256', 'EdDSA', 'RS256'] as const) {
        await issuer.addKey(`key-${alg}`, { alg });
        expect(await identify(await issuer.sign(`key-${alg}`))).toMatchObject(known);
      }
      for (const typ of ['JWT', 'jwt', 'at+jwt', 'AT+JWT'])
        expect(await identify(await issuer.sign('first', {}, { typ }))).toMatchObject(known);
      expect(await authenticate({ authorization: `bearer  ${await issuer.sign('first')}` })).toMatchObject(known);
    });
  });

  test.each([
    [{ email: 'a@example.com', email_verified: true }, 'a@example.com'],
    [{ email: 'a@example.com', email_verified: 'true' }, 'a@example.com'],
    [{ email: 'a@example.com', email_verified: 1 }, undefined],
    [{ email: 'a@example.com', email_verified: false }, undefined],
    [{ email: 'a@example.com', email_verified: 'false' }, undefined],
    [{ email: 'a@example.com' }, undefined],
    [{ email_verified: true }, undefined],
  ])('an e-mail counts only when it is verified: %j', async (claims, email) => {
    expect(await identifyClaims(claims)).toEqual({ userId: 'user-1', email });
  });

  describe('are refused', () => {
    test.each([
      ['of another issuer', { iss: 'https://issuer.example.com' }],
      ['of an issuer whose name only starts like ours', { iss: 'http://127.0.0.1' }],
      ['without issuer', { iss: undefined }],
      ['for another audience', { aud: 'else' }],
      ['for no audience', { aud: undefined }],
      ['of another client', { aud: undefined, client_id: 'else' }],
      ['for another audience by a client of ours', { aud: 'else', client_id: 'our-client' }],
      ['for an empty list of audiences by a client of ours', { aud: [], client_id: 'our-client' }],
      ['for an empty audience by a client of ours', { aud: '', client_id: 'our-client' }],
      ['whose audience only begins like ours', { aud: 'our-client-2' }],
      ['that are access tokens of our client for another audience', { token_use: 'access', aud: 'else', client_id: 'our-client' }],
      ['that are access tokens without client', { token_use: 'access' }],
      ['that are identity tokens without audience', { token_use: 'id', aud: undefined, client_id: 'our-client' }],
      ['that are identity tokens of another client', { token_use: 'id', aud: 'else', client_id: 'our-client' }],
      ['that are access tokens of another client', { token_use: 'access', client_id: 'else' }],
      ['of another use', { token_use: 'refresh' }],
      ['that expired', { exp: seconds(-60) }],
      ['that never expire', { exp: undefined }],
      ['whose expiry is text', { exp: '9999999999' }],
      ['that are not valid yet', { nbf: seconds(120) }],
      ['without subject', { sub: undefined }],
      ['with an empty subject', { sub: '' }],
      ['with a subject that is no plain text', { sub: 'user\u0000' }],
      ['with an endless subject', { sub: 'x'.repeat(256) }],
      ['with an audience that is no text', { aud: [{}] }],
    ])('%s', async (_, claims) => {
      expect(await identifyClaims(claims as Record<string, unknown>)).toBeUndefined();
    });

    test.each(['', 'JWS', 'id+jwt', 'completion+jwt', 'license-lease+jwt', 'logout+jwt', 'jwt ', 'application/', 'xjwt', 7, null])(
      'of the type %j',
      async (typ) => {
        expect(await identify(await issuer.sign('first', {}, { typ: typ as string }))).toBeUndefined();
      },
    );

    test('whose header has critical parts', async () => {
      for (const crit of [['exp'], [], 'exp', null]) {
        expect(await identify(await issuer.signHeader('first', { crit, exp: seconds(600) }))).toBeUndefined();
      }
      expect(await identify(await issuer.signHeader('first', {}))).toMatchObject({ userId: 'user-1' });
    });

    test('signed with a secret, be it the public key itself', async () => {
      const jwk = await issuer.addKey('first');
      for (const secret of ['secret', JSON.stringify(jwk), String('n' in jwk && jwk.n)]) {
        const forged = await new SignJWT({ sub: 'user-1', aud: 'our-client', iss: issuer.url, exp: seconds(600) })
          .setProtectedHeader({ alg: 'HS256', kid: 'first' })
          .sign(new TextEncoder().encode(secret.padEnd(32, '.')));
        expect(await identify(forged)).toBeUndefined();
      }
    });

    test('signed by a key that the issuer does not have, under a kid that it has, or changed after they were signed', async () => {
      await issuer.addKey('imposter', { published: false });
      expect(await identify(await issuer.sign('imposter', {}, { kid: 'first' }))).toBeUndefined();
      const [header, , signature] = (await issuer.sign('first')).split('.');
      const payload = Buffer.from(JSON.stringify({ sub: 'admin', aud: 'our-client', iss: issuer.url, exp: seconds(600) }));
      expect(await identify(`${header}.${payload.toString('base64url')}.${signature}`)).toBeUndefined();
    });

    test('whose key is for encryption', async () => {
      await issuer.addKey('encrypts', { fields: { use: 'enc' } });
      expect(await identify(await issuer.sign('encrypts'))).toBeUndefined();
    });

    test('whose header names another algorithm than the key has, also where the key names none', async () => {
      await issuer.addKey('silent', { fields: { alg: undefined } });
      expect(await identify(await issuer.sign('silent'))).toMatchObject({ userId: 'user-1' });
      for (const kid of ['first', 'silent']) {
        for (const alg of ['ES256', 'EdDSA', 'HS256', 'none', 'RS1', '', 'toString']) {
          const [, payload, signature] = (await issuer.sign(kid)).split('.');
          const header = Buffer.from(JSON.stringify({ alg, kid })).toString('base64url');
          expect(await identify(`${header}.${payload}.${signature}`)).toBeUndefined();
        }
      }
    });

    test('when they are no tokens at all, without asking the issuer', async () => {
      const headers = ['', 'Bearer', 'Bearer ', 'Basic dXNlcjpwYXNz', 'Bearer a b', 'Bearer a,b', `Bearer ${'x'.repeat(9000)}`, 'a.b.c'];
      for (const authorization of headers) expect(await authenticate({ authorization })).toBeUndefined();
      expect(await authenticate({})).toBeUndefined();
      expect(issuer.requests).toEqual([]);
      for (const token of ['a', 'a.b', 'a.b.c', '..', 'e30.e30.e30', 'bnVsbA.bnVsbA.bnVsbA', '____.____.____']) {
        expect(await identify(token)).toBeUndefined();
      }
    });
  });

  describe('the issuer’s keys', () => {
    const configuration = '/.well-known/openid-configuration';
    const timesAsked = (path = '/keys') => issuer.requests.filter((asked) => asked === path).length;
    /** Answers requests of this path otherwise. */
    const answerAt = (path: string, answer: (response: ServerResponse) => unknown) =>
      issuer.answerWith((request, response) => {
        if (request.url === path) answer(response);
        return request.url === path;
      });
    /** Stops the clock, and lets so many milliseconds pass at each call. */
    function stopClock() {
      const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now());
      return (milliseconds: number) => void clock.mockReturnValue(Date.now() + milliseconds);
    }
    const known = { userId: 'user-1' };
    const unavailable = { code: 'dependency_unavailable' };

    test('are fetched once, also by many requests at once', async () => {
      const token = await issuer.sign('first');
      const identities = await Promise.all(Array.from({ length: 20 }, () => identify(token)));
      expect(identities.every((identity) => identity?.userId === 'user-1')).toBe(true);
      await identify(token);
      expect(issuer.requests).toEqual([configuration, '/keys']);
    });

    test('are fetched again for a kid not seen before, and after a miss not at once again', async () => {
      await identify(await issuer.sign('first'));
      await issuer.addKey('rotated');
      expect(await identify(await issuer.sign('rotated'))).toMatchObject(known);
      expect(timesAsked()).toBe(2);
      await issuer.addKey('unknown', { published: false });
      for (let attempt = 0; attempt < 10; attempt += 1) expect(await identify(await issuer.sign('unknown'))).toBeUndefined();
      expect(timesAsked()).toBe(3);
      expect(await identify(await issuer.sign('first'))).toMatchObject(known);
    });

    test('are kept for as long as they may be, so that one which was withdrawn ends then, or was replaced', async () => {
      for (const kid of ['withdrawn', 'reused']) await issuer.addKey(kid);
      const signed = (kid: string) => issuer.sign(kid, { exp: seconds(3600) });
      const [withdrawn, reused, first] = await Promise.all(['withdrawn', 'reused', 'first'].map(signed));
      authenticate = createAuthenticate({ ...behindIssuer(issuer.url), OIDC_KEYS_SECONDS: 300 });
      const pass = stopClock();
      for (const milliseconds of [0, 299_999]) {
        pass(milliseconds);
        for (const token of [withdrawn, reused]) expect(await identify(token ?? '')).toMatchObject(known);
        issuer.removeKey('withdrawn');
        await issuer.addKey('reused');
      }
      pass(1);
      for (const token of [withdrawn, reused]) expect(await identify(token ?? '')).toBeUndefined();
      for (const token of [first, await signed('reused')]) expect(await identify(token ?? '')).toMatchObject(known);
      expect(timesAsked()).toBe(2);
    });

    test('that ended are no verdict while the issuer does not answer', async () => {
      const token = await issuer.sign('first', { exp: seconds(3600) });
      const pass = stopClock();
      expect(await identify(token)).toMatchObject(known);
      for (const failing of [configuration, '/keys']) {
        pass(600_000);
        answerAt(failing, (response) => response.destroy());
        await expect(identify(token)).rejects.toMatchObject(unavailable);
        issuer.answerWith(undefined);
        expect(await identify(token)).toMatchObject(known);
      }
    });

    test('are where Cognito has them when the issuer has no configuration document', async () => {
      answerAt(configuration, (response) => response.writeHead(404).end());
      expect(await identify(await issuer.sign('first'))).toMatchObject(known);
      expect(issuer.requests).toEqual([configuration, '/.well-known/jwks.json']);
    });

    test.each<[string, (response: ServerResponse) => unknown]>([
      ['the issuer fails', (response) => response.writeHead(500).end()],
      ['it answers rubbish', (response) => response.end('<html>')],
      ['it hangs up', (response) => response.destroy()],
      ['it sends us elsewhere', (response) => response.writeHead(302, { location: `${issuer.url}/elsewhere` }).end()],
    ])('when %s there is no verdict, and none is kept', async (_, answer) => {
      for (const failing of [configuration, '/keys']) {
        answerAt(failing, answer);
        await expect(identifyClaims({})).rejects.toMatchObject(unavailable);
        issuer.answerWith(undefined);
        expect(await identifyClaims({})).toMatchObject(known);
        authenticate = createTokenAuthenticate({ issuer: issuer.url, audiences: ['our-client'], keysSeconds: 600 });
      }
      expect(issuer.requests).not.toContain('/elsewhere');
    });

    test('are not taken from plain http elsewhere', async () => {
      const elsewhere = `http://localhost:${new URL(issuer.url).port}/keys`;
      answerAt(configuration, (response) => response.end(JSON.stringify({ jwks_uri: elsewhere })));
      await expect(identifyClaims({})).rejects.toMatchObject(unavailable);
      expect(issuer.requests).toEqual([configuration]);
    });
  });

  test.each([
    'https://cognito-idp.ap-northeast-1.amazonaws.com/ap-northeast-1_Example',
    'https://cognito-idp.cn-north-1.amazonaws.com.cn/cn-north-1_Example',
  ])('a token of Cognito must name its use: %s', async (pool) => {
    const fetchAnything = globalThis.fetch;
    jest
      .spyOn(globalThis, 'fetch')
      .mockImplementation((target, options) => fetchAnything(String(target).replace(pool, issuer.url), options));
    issuer.answerWith((request, response) => {
      if (request.url !== '/.well-known/openid-configuration') return false;
      response.end(JSON.stringify({ jwks_uri: `${pool}/.well-known/jwks.json` }));
      return true;
    });
    authenticate = createTokenAuthenticate({ issuer: pool, audiences: ['our-client'], keysSeconds: 600 });
    expect(await identifyClaims({ iss: pool })).toBeUndefined();
    expect(await identifyClaims({ iss: pool, token_use: 'id' })).toMatchObject({ userId: 'user-1' });
    expect(await identifyClaims({ iss: pool, token_use: 'access', client_id: 'our-client' })).toMatchObject({ userId: 'user-1' });
  });

  test('say alone who calls: nobody believes the headers of local mode', async () => {
    authenticate = createAuthenticate({ ...behindIssuer(issuer.url), OIDC_KEYS_SECONDS: 600 });
    const local = { 'x-user-id': 'machine', 'x-user-email': 'boss@example.com' };
    expect(await authenticate(local)).toBeUndefined();
    const both = { ...local, authorization: `Bearer ${await issuer.sign('first')}` };
    expect(await authenticate(both)).toEqual({ userId: 'user-1', email: undefined });
  });
});
