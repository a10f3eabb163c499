import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import * as z from 'zod/mini';
import type { Grant, IdentityState } from './identity-state.ts';

const algorithm = 'RS256';

/** What a token says that is looked at before its signature is. */
const Claims = z.object({ iss: z.string(), sid: z.string(), exp: z.number() });

export type Tokens = ReturnType<typeof createTokens>;

/** Codes and tokens of the local identity provider. Functions verify them by its published key; what ended before its time is known here alone. */
export function createTokens({
  issuer,
  clientId,
  tokenSeconds,
  state,
  now,
}: {
  issuer: string;
  clientId: string;
  tokenSeconds: number;
  state: IdentityState;
  now: () => Date;
}) {
  let signer: Promise<{ kid: string; publicKey: object; sign(claims: object, typ: string): Promise<string> }> | undefined;

  /** Made when it is first needed: a stack whose callers name themselves by header has none. */
  async function makeSigner() {
    const { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, SignJWT } = await import('jose');
    let jwk = state.key();
    if (jwk === undefined) {
      const pair = await generateKeyPair(algorithm, { extractable: true });
      jwk = z.parse(z.record(z.string(), z.string()), await exportJWK(pair.privateKey));
      state.keepKey(jwk);
    }
    const { kty = '', n = '', e = '' } = jwk;
    const key = await importJWK({ ...jwk, kty }, algorithm);
    const kid = await calculateJwkThumbprint({ kty, n, e });
    return {
      kid,
      publicKey: { kty, n, e, kid, use: 'sig', alg: algorithm },
      sign: (claims: object, typ: string) => new SignJWT({ ...claims }).setProtectedHeader({ alg: algorithm, kid, typ }).sign(key),
    };
  }

  function getSigner() {
    signer ??= makeSigner();
    return signer;
  }

  /** A text that nobody else can make. */
  const sealed = (what: string) => `${what}.${createHmac('sha256', state.seal).update(what).digest('base64url')}`;

  function unsealed(text: string): string | undefined {
    const what = text.slice(0, text.lastIndexOf('.'));
    const [given, made] = [Buffer.from(text), Buffer.from(sealed(what))];
    return given.length === made.length && timingSafeEqual(given, made) ? what : undefined;
  }

  return {
    publishedKeys: async () => ({ keys: [(await getSigner()).publicKey] }),

    codeOf: (grantId: string): string => sealed(`code.${grantId}`),
    /** The grant that the code was made for. */
    readCode: (code: string): string | undefined => /^code\.([^.]+)$/.exec(unsealed(code) ?? '')?.[1],

    readRefreshToken(token: string): { grantId: string; number: number } | undefined {
      const [, grantId, number] = /^refresh\.([^.]+)\.(\d+)$/.exec(unsealed(token) ?? '') ?? [];
      return grantId === undefined ? undefined : { grantId, number: Number(number) };
    },

    /** What the token endpoint gives for a grant, as it is by now. With the code goes the nonce. */
    async give(grantId: string, grant: Grant) {
      const { sign } = await getSigner();
      const { person, signedInAt, scope, nonce, given } = grant;
      const at = Math.floor(now().getTime() / 1000);
      const { userId: sub, email } = person;
      const common = {
        ...{ iss: issuer, aud: clientId, sub, iat: at, exp: at + tokenSeconds, sid: grantId, auth_time: signedInAt },
        ...(email !== undefined && { email, email_verified: true }),
      };
      return {
        access_token: await sign({ ...common, client_id: clientId, scope, jti: randomUUID() }, 'at+jwt'),
        token_type: 'Bearer',
        expires_in: tokenSeconds,
        refresh_token: sealed(`refresh.${grantId}.${given}`),
        id_token: await sign({ ...common, ...(given === 1 && nonce !== undefined && { nonce }) }, 'JWT'),
        scope,
      };
    },

    /** The grant of a token of ours, whose signature is good, be it over or not. */
    async grantOf(token: string): Promise<string | undefined> {
      if (token === '') return undefined;
      const { createLocalJWKSet, jwtVerify } = await import('jose');
      const keys = createLocalJWKSet({ keys: [z.parse(z.looseObject({ kty: z.string() }), (await getSigner()).publicKey)] });
      try {
        const { payload } = await jwtVerify(token, keys, { issuer, currentDate: new Date(0) });
        return z.parse(Claims, payload).sid;
      } catch {
        return undefined;
      }
    },

    /** Whether the header holds a token that says it is ours and is over, by its time or with what it was given for. */
    isOver(authorization: string): boolean {
      const claims = z.safeParse(Claims, claimsIn(authorization));
      if (!claims.success || claims.data.iss !== issuer) return false;
      const { sid, exp } = claims.data;
      return exp * 1000 <= now().getTime() || state.findGrant(sid) === undefined;
    },
  };
}

/** What a bearer token says of itself. */
function claimsIn(authorization: string): unknown {
  // Nothing that a function takes for a token may look like none here.
  const [, claims = ''] = /^Bearer\s+[^.]*\.([^.]*)\./i.exec(authorization) ?? [];
  try {
    return JSON.parse(Buffer.from(claims, 'base64url').toString());
  } catch {
    return undefined;
  }
}
