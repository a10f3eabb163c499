import * as oauth from 'oauth4webapi';
import type { ConsoleConfig } from '../../console-config.ts';
import type { Tab } from './tab.ts';
import type { SignInTrip } from './tab-memory.ts';

/** What the session needs of `/console/config.json`. */
export type IssuerConfig = Omit<ConsoleConfig, 'currencies' | 'limits'>;

export interface IssuedTokens {
  /** Undefined when the issuer did not give the token that the API takes anew. */
  bearer: string | undefined;
  /** By this machine's clock, in milliseconds, no later than it ends. */
  endsAt: number;
  refreshToken: string | undefined;
  userId: string | undefined;
}

/** `detail` is the protocol's word for why. */
export type IssuerAnswer = { name: 'given'; tokens: IssuedTokens } | { name: 'refused'; detail?: string } | { name: 'unreachable' };

/** A machine whose clock is wrong by less than this can sign in: tokens come straight from the issuer, and what they live is counted from then on. */
const clockToleranceSeconds = 86_400;

/** What a token lives of which nobody says so. */
const defaultLifetimeSeconds = 300;

export type Issuer = ReturnType<typeof createIssuer>;

/** The issuer, asked as a public client with PKCE. */
export function createIssuer(config: IssuerConfig, tab: Pick<Tab, 'fetch' | 'now'>) {
  const server = serverOf(config);
  const client: oauth.Client = { client_id: config.client_id, [oauth.clockTolerance]: clockToleranceSeconds };
  const options = requestOptions(config, tab);
  return {
    authorizationUrl: (asked: AuthorizationRequest): string => authorizationUrl(config, asked),

    /** Tokens for what the issuer sent back. A code is never sent twice: the second time would end what the first gave. */
    exchange: (
      params: URLSearchParams,
      { state, nonce, verifier, redirectUri }: Omit<SignInTrip, 'locale' | 'returnTo'> & { redirectUri: string },
    ): Promise<IssuerAnswer> =>
      ask(config, tab, {
        send: async () => {
          const valid = oauth.validateAuthResponse(server, client, params, state);
          return oauth.authorizationCodeGrantRequest(server, client, oauth.None(), valid, redirectUri, verifier, options);
        },
        read: (reply) => oauth.processAuthorizationCodeResponse(server, client, reply, { expectedNonce: nonce, requireIdToken: true }),
      }),

    refresh: (refreshToken: string): Promise<IssuerAnswer> =>
      ask(config, tab, {
        send: () => oauth.refreshTokenGrantRequest(server, client, oauth.None(), refreshToken, options),
        read: (reply) => oauth.processRefreshTokenResponse(server, client, reply),
      }),

    /** Tries once; what comes of it is nobody's concern any more. */
    async revoke(token: string): Promise<void> {
      if (config.revocation_endpoint === undefined) return;
      await oauth.revocationRequest(server, client, oauth.None(), token, options).catch(() => undefined);
    },

    /** Where the issuer's own session is ended; undefined when it has no such page. No token goes into an address, so there is no `id_token_hint`. */
    logoutUrl(back: string): string | undefined {
      if (config.end_session_endpoint === undefined) return undefined;
      const url = new URL(config.end_session_endpoint);
      url.searchParams.set('client_id', config.client_id);
      url.searchParams.set(isCognito(config) ? 'logout_uri' : 'post_logout_redirect_uri', back);
      return url.href;
    },
  };
}

const serverOf = (config: IssuerConfig): oauth.AuthorizationServer => ({
  issuer: config.issuer,
  authorization_endpoint: config.authorization_endpoint,
  token_endpoint: config.token_endpoint,
  ...(config.revocation_endpoint !== undefined && { revocation_endpoint: config.revocation_endpoint }),
  // Whoever verifies the signatures knows them; here it is only that there is one.
  id_token_signing_alg_values_supported: algorithms,
});

const isCognito = ({ issuer }: IssuerConfig) => /^https:\/\/cognito-idp[\w-]*\.[\w-]+\.amazonaws\.com(\.cn)?\//.test(issuer);

const requestOptions = (config: IssuerConfig, tab: Pick<Tab, 'fetch'>) => ({
  [oauth.allowInsecureRequests]: isLoopback(config.token_endpoint),
  /** Reads the whole reply, so that one that breaks off is none: a status of 599. */
  async [oauth.customFetch](url: string, { method, headers, body }: oauth.CustomFetchOptions<'POST', URLSearchParams>) {
    try {
      const reply = await tab.fetch(url, { method, headers, body });
      return new Response(await reply.text(), { status: reply.status, headers: reply.headers });
    } catch {
      return new Response('', { status: 599 });
    }
  },
});

async function ask(
  config: IssuerConfig,
  tab: Pick<Tab, 'now'>,
  { send, read }: { send: () => Promise<Response>; read: (reply: Response) => Promise<oauth.TokenEndpointResponse> },
): Promise<IssuerAnswer> {
  const askedAt = tab.now();
  try {
    const reply = await send();
    if (reply.status >= 500 || reply.status === 429 || reply.status === 408) return { name: 'unreachable' };
    return { name: 'given', tokens: tokensIn(await read(reply), config.token, askedAt) };
  } catch (cause) {
    return refusalIn(cause);
  }
}

function tokensIn(reply: oauth.TokenEndpointResponse, token: IssuerConfig['token'], askedAt: number): IssuedTokens {
  const claims = oauth.getValidatedIdTokenClaims(reply);
  const ofIdToken = claims && claims.exp - claims.iat;
  const seconds = token === 'id' ? ofIdToken : (reply.expires_in ?? ofIdToken);
  return {
    bearer: token === 'id' ? reply.id_token : reply.access_token,
    endsAt: askedAt + 1000 * (seconds === undefined || seconds <= 0 ? defaultLifetimeSeconds : seconds),
    refreshToken: reply.refresh_token,
    userId: claims?.sub,
  };
}

interface AuthorizationRequest extends Pick<SignInTrip, 'state' | 'nonce' | 'locale'> {
  redirectUri: string;
  challenge: string;
  loginHint: string | undefined;
}

function authorizationUrl(config: IssuerConfig, { redirectUri, state, nonce, challenge, locale, loginHint }: AuthorizationRequest): string {
  const url = new URL(config.authorization_endpoint);
  const params = {
    response_type: 'code',
    client_id: config.client_id,
    redirect_uri: redirectUri,
    scope: config.scope,
    state,
    nonce,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ui_locales: locale,
    ...(isCognito(config) && { lang: locale }),
    ...(loginHint !== undefined && { login_hint: loginHint }),
  };
  for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value);
  return url.href;
}

const algorithms = ['RS', 'PS', 'ES'].flatMap((kind) => [256, 384, 512].map((bits) => `${kind}${bits}`)).concat('EdDSA', 'Ed25519');

const isLoopback = (url: string) => /^http:\/\/(127\.0\.0\.1|localhost|\[::1\])(:\d+)?\//.test(url);

function refusalIn(cause: unknown): IssuerAnswer {
  const isNamed = cause instanceof oauth.AuthorizationResponseError || cause instanceof oauth.ResponseBodyError;
  if (!isNamed || !/^\w{1,60}$/.test(cause.error)) return { name: 'refused' };
  if (cause.error === 'temporarily_unavailable' || cause.error === 'server_error') return { name: 'unreachable' };
  return { name: 'refused', detail: cause.error };
}
