import * as z from 'zod/mini';
import { AppError } from '../../shared/errors.ts';
import type { ConsoleConfigReply } from './console-config.ts';

/** The issuer's endpoints, from its discovery document. */
export type IssuerAddresses = Pick<
  z.infer<typeof ConsoleConfigReply>,
  'issuer' | 'authorizationEndpoint' | 'tokenEndpoint' | 'revocationEndpoint' | 'endSessionEndpoint'
>;

/** The scopes the console requests: identity, and the email address by which admins are recognized. */
export const scope = 'openid email';

/** The timeout of one request to the issuer; a page load may wait as long. */
const fetchTimeoutMs = 3000;
const maxDocumentBytes = 256 * 1024;

/** What must be there must be an address that the issuer may name; an optional one that is none is left out. */
const Discovery = z.object({
  issuer: z.string(),
  authorization_endpoint: z.string(),
  token_endpoint: z.string(),
  revocation_endpoint: z.catch(z.optional(z.string()), undefined),
  end_session_endpoint: z.catch(z.optional(z.string()), undefined),
});

/** @throws AppError dependency_unavailable while the issuer does not say where one signs in */
export type FindIssuerAddresses = () => Promise<IssuerAddresses>;

/**
 * Where one signs in at this issuer, by its discovery document, which is kept for `keysSeconds`. One that names another
 * issuer, or addresses that anyone on the way could answer, counts as none.
 */
export function createFindSignIn({ issuer, keysSeconds }: { issuer: string | undefined; keysSeconds: number }): FindIssuerAddresses {
  let cached: { found: Promise<IssuerAddresses>; until: number } | undefined;
  return () => {
    if (cached && Date.now() < cached.until) return cached.found;
    const found = readSignIn(issuer);
    const fetched = { found, until: Date.now() + keysSeconds * 1000 };
    cached = fetched;
    found.catch(() => {
      if (cached === fetched) cached = undefined;
    });
    return found;
  };
}

async function readSignIn(issuer: string | undefined): Promise<IssuerAddresses> {
  try {
    if (issuer === undefined) throw new Error('There is no issuer.');
    return signInOf(issuer, JSON.parse(await read(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`)));
  } catch (cause) {
    throw new AppError('dependency_unavailable', undefined, { cause });
  }
}

async function read(uri: string): Promise<string> {
  const reply = await fetch(uri, { redirect: 'error', signal: AbortSignal.timeout(fetchTimeoutMs) });
  if (reply.status !== 200) throw new Error(`The issuer's configuration: status ${reply.status}.`);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of reply.body ?? []) {
    size += chunk.length;
    if (size > maxDocumentBytes) throw new Error("The issuer's configuration is too long.");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function signInOf(issuer: string, document: unknown): IssuerAddresses {
  const configuration = z.parse(Discovery, document);
  if (configuration.issuer !== issuer) throw new Error('The configuration is that of another issuer.');
  const { origin } = new URL(issuer);
  const trusted = (address: string | undefined) => {
    const url = URL.parse(address ?? '');
    return url !== null && (url.protocol === 'https:' || url.origin === origin) ? url.href : undefined;
  };
  const authorizationEndpoint = trusted(configuration.authorization_endpoint);
  const tokenEndpoint = trusted(configuration.token_endpoint);
  if (authorizationEndpoint === undefined || tokenEndpoint === undefined) throw new Error('The issuer does not say where one signs in.');
  return {
    issuer,
    authorizationEndpoint,
    tokenEndpoint,
    revocationEndpoint: trusted(configuration.revocation_endpoint),
    endSessionEndpoint: trusted(configuration.end_session_endpoint),
  };
}
