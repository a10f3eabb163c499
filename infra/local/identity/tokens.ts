import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import * as z from 'zod/mini';
import type { Grant, IdentityState } from './identity-state.ts';
import type { Provider, Signer } from './provider.ts';

// Codes and tokens of the local identity provider. Functions verify them by its published key; what ended before its
// time is known here alone.

const algorithm = 'RS256';

/** What a token says that is looked at before its signature is. */
const Claims = z.object({ iss: z.string(), sid: z.string(), exp: z.number() });

/** Of the key that is kept, which is made where there is none. */
export async function makeSigner(state: IdentityState): Promise<Signer> {
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

export const publishedKeys = async ({ signer }: Provider) => ({ keys: [(await signer()).publicKey] });

export const codeOf = ({ state }: Provider, grantId: string): string => sealed(state, `code.${grantId}`);

/** The grant that the code was made for. */
export const readCode = ({ state }: Provider, code: string): string | undefined => /^code\.([^.]+)$/.exec(unsealed(state, code) ?? '')?.[1];

export function readRefreshToken({ state }: Provider, token: string): { grantId: string; number: number } | undefined {
  const [, grantId, number] = /^refresh\.([^.]+)\.(\d+)$/.exec(unsealed(state, token) ?? '') ?? [];
  return grantId === undefined ? undefined : { grantId, number: Number(number) };
}

/** What the token endpoint gives for a grant, as it is by now. With the code goes the nonce. */
export async function makeTokens({ issuer, clientId, tokenSeconds, state, signer, now }: Provider, grantId: string, grant: Grant) {
  const { sign } = await signer();
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
    refresh_token: sealed(state, `refresh.${grantId}.${given}`),
    id_token: await sign({ ...common, ...(given === 1 && nonce !== undefined && { nonce }) }, 'JWT'),
    scope,
  };
}

/** The grant of a token of ours, whose signature is good, be it over or not. */
export async function grantOf({ issuer, signer }: Provider, token: string): Promise<string | undefined> {
  if (token === '') return undefined;
  const { createLocalJWKSet, jwtVerify } = await import('jose');
  const keys = createLocalJWKSet({ keys: [z.parse(z.looseObject({ kty: z.string() }), (await signer()).publicKey)] });
  try {
    const { payload } = await jwtVerify(token, keys, { issuer, currentDate: new Date(0) });
    return z.parse(Claims, payload).sid;
  } catch {
    return undefined;
  }
}

/** Whether the header holds a token that says it is ours and is over, by its time or with what it was given for. */
export function isOver({ issuer, state, now }: Provider, authorization: string): boolean {
  const claims = z.safeParse(Claims, claimsIn(authorization));
  if (!claims.success || claims.data.iss !== issuer) return false;
  const { sid, exp } = claims.data;
  return exp * 1000 <= now().getTime() || state.findGrant(sid) === undefined;
}

/** A text that nobody else can make. */
const sealed = ({ seal }: IdentityState, what: string) => `${what}.${createHmac('sha256', seal).update(what).digest('base64url')}`;

function unsealed(state: IdentityState, text: string): string | undefined {
  const what = text.slice(0, text.lastIndexOf('.'));
  const [given, made] = [Buffer.from(text), Buffer.from(sealed(state, what))];
  return given.length === made.length && timingSafeEqual(given, made) ? what : undefined;
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
