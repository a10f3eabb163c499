import { tokenPrefix } from '../../api-tokens/api-token.ts';
import { authenticateToken } from '../../api-tokens/authenticate-token.ts';
import type { Settings } from '../../config.ts';
import type { Needs } from '../../context.ts';
import { type Authenticate, authenticateLocally } from './authenticate.ts';
import { callerOptions, callerSettings } from './caller-address.ts';
import { createTokenAuthenticate } from './token-authenticate.ts';

const identitySettings = ['STAGE', 'AUTH_MODE', 'OIDC_ISSUER', 'OIDC_AUDIENCE', 'OIDC_KEYS_SECONDS'] as const;

/** What a function with seller or admin endpoints names in its `declaration.ts` besides its own settings. */
export const userSettings = [...callerSettings, ...identitySettings, 'CONSOLE_ORIGINS'] as const;
/** The same with seller endpoints, whose writes count. */
export const sellerSettings = [...userSettings, 'RATE_LIMIT_SELLER'] as const;
export type UserSetting = (typeof userSettings)[number];

/** Where API tokens are looked up; without it none are accepted. */
type Tokens = Needs<'table' | 'now'>;

/**
 * The identity adapter for AUTH_MODE, preceded by API tokens: a bearer token with their prefix is treated as nothing
 * else. See "Identity" in shared/http/callers.md.
 */
export function createAuthenticate(settings: Pick<Settings, (typeof identitySettings)[number]>, tokens?: Tokens): Authenticate {
  const authenticateUser = createAuthenticateUser(settings);
  return async (headers) => {
    const bearer = /^Bearer[ \t]+(.*)$/i.exec(headers['authorization'] ?? '')?.[1];
    return bearer?.startsWith(tokenPrefix) ? tokens && authenticateToken(tokens, bearer) : authenticateUser(headers);
  };
}

function createAuthenticateUser(settings: Pick<Settings, (typeof identitySettings)[number]>): Authenticate {
  const { AUTH_MODE: mode, OIDC_ISSUER: issuer, OIDC_AUDIENCE: audiences } = settings;
  const isConfigured = issuer !== undefined && audiences !== undefined;
  const byToken = isConfigured && createTokenAuthenticate({ issuer, audiences, keysSeconds: settings.OIDC_KEYS_SECONDS });
  if (mode === 'local')
    return (headers) => (byToken && headers['x-user-id'] === undefined ? byToken(headers) : authenticateLocally(headers));
  if (!byToken) throw new Error('The identity provider is not configured.');
  return byToken;
}

/** The options by which `createHandler` identifies callers and authenticates users. Admins cannot use API tokens. */
export const userOptions = (settings: Pick<Settings, UserSetting>, tokens?: Tokens) => ({
  ...callerOptions(settings),
  authenticate: createAuthenticate(settings, tokens),
  consoleOrigins: settings.CONSOLE_ORIGINS,
});
