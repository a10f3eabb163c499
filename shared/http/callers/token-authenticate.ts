import { JwtVerifier } from 'aws-jwt-verify';
import { JwksValidationError, JwkValidationError } from 'aws-jwt-verify/error';
import { SimpleJwksCache } from 'aws-jwt-verify/jwk';
import * as z from 'zod/mini';
import { AppError } from '../../errors.ts';
import type { Authenticate } from './authenticate.ts';

/** By how much the clock of the issuer may differ from the function's. */
const graceSeconds = 30;
const fetchTimeoutMs = 3000;

const maxHeaderLength = 8 * 1024;

/** What a token that is a credential may call itself; none need say. */
const tokenTypes: readonly string[] = ['jwt', 'at+jwt'];

/** The claims that are used of a token whose signature, issuer and times are verified. */
const Claims = z.object({
  sub: z.string().check(z.regex(/^[\x21-\x7e]{1,255}$/)),
  exp: z.number(),
  aud: z.optional(z.union([z.string(), z.array(z.string())])),
  client_id: z.optional(z.string()),
  token_use: z.optional(z.string()),
  email: z.optional(z.string()),
  email_verified: z.optional(z.unknown()),
});
type Claims = z.infer<typeof Claims>;

/** The issuer does not reply with keys, so the token can be neither accepted nor refused. */
class IssuerUnavailableError extends Error {}
const issuerFailures = [IssuerUnavailableError, JwksValidationError, JwkValidationError];

/**
 * Bearer tokens of an OpenID Connect issuer, Cognito's identity and access tokens among them.
 *
 * Verified: signature by one of the issuer's keys (asymmetric algorithms only), its type,
 * `iss`, times, and that the token is meant for one of `audiences`. Keys are kept for
 * `keysSeconds`; an unknown `kid` fetches them again, after a miss at most every ten seconds.
 * See "Identity" in shared/http/callers.md.
 *
 * @throws AppError dependency_unavailable when the issuer's keys cannot be fetched
 */
export function createTokenAuthenticate({
  issuer,
  audiences,
  keysSeconds,
}: {
  issuer: string;
  audiences: readonly string[];
  keysSeconds: number;
}): Authenticate {
  const isCognito = /^https:\/\/cognito-idp\.[a-z0-9-]+\.amazonaws\.com(\.cn)?\//.test(issuer);
  let known: { verifier: Promise<ReturnType<typeof createVerifier>>; until: number } | undefined;
  const getVerifier = () => {
    if (known && Date.now() < known.until) return known.verifier;
    const verifier = findKeysUri(issuer).then((keysUri) => createVerifier(issuer, keysUri));
    const made = { verifier, until: Date.now() + keysSeconds * 1000 };
    known = made;
    verifier.catch(() => {
      if (known === made) known = undefined;
    });
    return verifier;
  };

  return async (headers) => {
    const token = bearerOf(headers['authorization'] ?? '');
    if (token === undefined) return undefined;
    try {
      const claims = Claims.safeParse(await (await getVerifier()).verify(token));
      return claims.success && isMeantForUs(claims.data, audiences, isCognito) ? identityOf(claims.data) : undefined;
    } catch (error) {
      if (issuerFailures.some((failure) => error instanceof failure)) {
        throw new AppError('dependency_unavailable', undefined, { cause: error });
      }
      // A token that cannot be verified for any other reason is not a valid credential.
      return undefined;
    }
  };
}

/** The token of the header; undefined when there is none, or one that is too long to be looked at. */
const bearerOf = (header: string) => (header.length > maxHeaderLength ? undefined : /^Bearer +([\w.=-]+)$/i.exec(header)?.[1]);

function createVerifier(issuer: string, jwksUri: string) {
  const jwksCache = new SimpleJwksCache({ fetcher: { fetch: fetchKeys } });
  // Who the token is meant for is in `aud` or in `client_id`: checked on the claims.
  return JwtVerifier.create({ issuer, jwksUri, audience: null, graceSeconds, customJwtCheck: checkHeader }, { jwksCache });
}

/** Refuses tokens of another purpose, and those with critical headers that are not supported. */
function checkHeader({ header }: { header: object }): void {
  const isCredential = !('typ' in header) || (typeof header.typ === 'string' && tokenTypes.includes(header.typ.toLowerCase()));
  if (!isCredential || 'crit' in header) throw new Error('The token is not a credential.');
}

/** The address of the keys in the issuer's configuration; for an issuer without one, where Cognito has them. */
async function findKeysUri(issuer: string): Promise<string> {
  const base = issuer.replace(/\/$/, '');
  const { status, bytes } = await get(`${base}/.well-known/openid-configuration`);
  if (status === 404) return `${base}/.well-known/jwks.json`;
  const uri = status === 200 ? jwksUriIn(bytes) : null;
  // Keys that came over plain http could be anyone's; the issuer itself is http on loopback only.
  const trusted = uri?.protocol === 'https:' || (uri !== null && uri.origin === new URL(issuer).origin);
  if (!uri || !trusted) throw new IssuerUnavailableError('The issuer does not say where its keys are.');
  return uri.href;
}

function jwksUriIn(configuration: ArrayBuffer): URL | null {
  try {
    return URL.parse(z.parse(z.object({ jwks_uri: z.string() }), JSON.parse(new TextDecoder().decode(configuration))).jwks_uri);
  } catch {
    return null;
  }
}

async function fetchKeys(uri: string): Promise<ArrayBuffer> {
  const { status, bytes } = await get(uri);
  if (status !== 200) throw new IssuerUnavailableError(`The issuer's keys: status ${status}.`);
  return bytes;
}

async function get(uri: string): Promise<{ status: number; bytes: ArrayBuffer }> {
  try {
    const reply = await fetch(uri, { redirect: 'error', signal: AbortSignal.timeout(fetchTimeoutMs) });
    return { status: reply.status, bytes: await reply.arrayBuffer() };
  } catch (error) {
    throw new IssuerUnavailableError('The issuer does not answer.', { cause: error });
  }
}

/**
 * Cognito's identity tokens name the app client in `aud`, its access tokens in `client_id`.
 * A client says nothing about whom a token is for that names its audience.
 */
function isMeantForUs(claims: Claims, audiences: readonly string[], isCognito: boolean): boolean {
  const { aud, client_id: client, token_use: use } = claims;
  const byAudience = [aud ?? []].flat().some((audience) => audiences.includes(audience));
  const byClient = client !== undefined && audiences.includes(client);
  if (use === 'id') return byAudience;
  if (use === 'access') return byClient && (aud === undefined || byAudience);
  return use === undefined && !isCognito && (aud === undefined ? byClient : byAudience);
}

/** Some issuers, Cognito for its federated users among them, write the boolean as a text. */
function identityOf({ sub, email, email_verified: verified }: Claims) {
  return { userId: sub, email: verified === true || verified === 'true' ? email : undefined };
}
