import { preferredLocale } from '../../../shared/locale.ts';
import type { LocalRequest } from '../gateway/api-gateway.ts';
import { type HttpReply, jsonReply, pageReply, redirectTo } from '../http-reply.ts';
import { identityPath } from '../local-settings.ts';
import { authorize, scopes } from './authorization.ts';
import { refusalPage, signedOutPage } from './identity-pages.ts';
import { openIdentityState } from './identity-state.ts';
import type { People } from './people.ts';
import { type Provider, type Signer, sessionCookie } from './provider.ts';
import { exchange, revoke } from './token-endpoint.ts';
import { grantOf, isOver, makeSigner, publishedKeys } from './tokens.ts';

export type IdentityProvider = ReturnType<typeof createIdentityProvider>;

/**
 * An OpenID Connect provider for the console on this machine: anybody may sign in as anybody, by a click or a hint.
 * See "The identity provider" in README.md.
 */
export function createIdentityProvider({
  publicBaseUrl,
  clientId,
  tokenSeconds,
  people,
  file,
  now = () => new Date(),
}: {
  /** Without a slash at its end. */
  publicBaseUrl: string;
  clientId: string;
  /** How long bearer tokens live. */
  tokenSeconds: number;
  people: People;
  /** Where it is kept who is signed in; undefined keeps nothing. */
  file: string | undefined;
  now?: () => Date;
}) {
  const issuer = `${publicBaseUrl}${identityPath}`;
  const state = openIdentityState(file, now);
  let signer: Promise<Signer> | undefined;
  const provider: Provider = {
    ...{ issuer, publicBaseUrl, clientId, tokenSeconds, people, state, now },
    cookie: sessionCookie(issuer),
    redirectUris: clientId === '' ? [] : ['/console/callback', '/console/admin/callback'].map((path) => publicBaseUrl + path),
    signer() {
      signer ??= makeSigner(state);
      return signer;
    },
  };
  return {
    answer: (request: LocalRequest) => answer(provider, request),
    /** Whether a header holds a bearer token of this provider that is over, though its signature may be good. */
    isOver: (authorization: string) => isOver(provider, authorization),
  };
}

/** Ends what was given in this browser or together with the token that is named. Leads back to pages of the console alone. */
async function signOut(provider: Provider, request: LocalRequest, params: URLSearchParams): Promise<HttpReply> {
  const { clientId, publicBaseUrl, state, cookie } = provider;
  const locale = preferredLocale(request.headers['accept-language']);
  const back = params.get('post_logout_redirect_uri');
  const isOurs = (params.get('client_id') ?? clientId) === clientId && (back === null || isInConsole(back, publicBaseUrl));
  if (!isOurs) return pageReply(refusalPage('invalid_request: post_logout_redirect_uri is not one of the client.', locale), 400);
  const grant = state.findGrant((await grantOf(provider, params.get('id_token_hint') ?? '')) ?? '');
  for (const sessionId of [cookie.read(request.headers), grant?.sessionId]) if (sessionId !== undefined) state.endSession(sessionId);
  const reply = back === null ? pageReply(signedOutPage(locale)) : redirectTo(withState(back, params.get('state')));
  return { ...reply, headers: { ...reply.headers, ...cookie.clear() } };
}

async function answer(provider: Provider, request: LocalRequest): Promise<HttpReply | undefined> {
  const { method, path, query, headers, body } = request;
  const route = path.startsWith(`${identityPath}/`) ? path.slice(identityPath.length) : '';
  const form = /^application\/x-www-form-urlencoded\b/i.test(headers['content-type'] ?? '') ? body.toString() : '';
  const sent = method === 'POST' ? new URLSearchParams(form) : query;
  switch (`${method === 'HEAD' ? 'GET' : method} ${route}`) {
    case 'GET /.well-known/openid-configuration':
      return jsonReply(configurationOf(provider.issuer));
    case 'GET /jwks':
      return jsonReply(await publishedKeys(provider));
    case 'GET /authorize':
    case 'POST /authorize':
      return authorize(provider, request, sent);
    case 'POST /token':
      return exchange(provider, sent);
    case 'POST /revoke':
      return revoke(provider, sent);
    case 'GET /logout':
    case 'POST /logout':
      return signOut(provider, request, sent);
    case 'POST /end-sessions':
      provider.state.endEverything();
      return jsonReply({});
    default:
      return undefined;
  }
}

const configurationOf = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/jwks`,
  revocation_endpoint: `${issuer}/revoke`,
  end_session_endpoint: `${issuer}/logout`,
  scopes_supported: scopes,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['RS256'],
  token_endpoint_auth_methods_supported: ['none'],
  revocation_endpoint_auth_methods_supported: ['none'],
  code_challenge_methods_supported: ['S256'],
  prompt_values_supported: ['none', 'login', 'select_account', 'consent'],
  claims_supported: ['sub', 'email', 'email_verified', 'auth_time'],
  ui_locales_supported: ['en', 'ja'],
  authorization_response_iss_parameter_supported: true,
});

function isInConsole(uri: string, publicBaseUrl: string): boolean {
  const url = URL.parse(uri);
  const home = new URL(`${publicBaseUrl}/console`);
  return url !== null && url.origin === home.origin && (url.pathname === home.pathname || url.pathname.startsWith(`${home.pathname}/`));
}

function withState(uri: string, state: string | null): string {
  const url = new URL(uri);
  if (state !== null) url.searchParams.set('state', state);
  return url.href;
}
