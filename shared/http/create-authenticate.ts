import type { Settings } from '../config.ts';
import { type Authenticate, authenticateByHeaders } from './authenticate.ts';
import { createTokenAuthenticate } from './token-authenticate.ts';

/** What a function with seller or admin endpoints names in its `declaration.ts` besides its own settings. */
export const identitySettings = ['STAGE', 'AUTH_MODE', 'OIDC_ISSUER', 'OIDC_AUDIENCE', 'OIDC_KEYS_SECONDS'] as const;

/** The identity adapter that AUTH_MODE chooses. See "Identity" in README.md. */
export function createAuthenticate(settings: Pick<Settings, (typeof identitySettings)[number]>): Authenticate {
  const { AUTH_MODE: mode, OIDC_ISSUER: issuer, OIDC_AUDIENCE: audiences } = settings;
  if (mode === 'local') return authenticateByHeaders;
  if (issuer === undefined || audiences === undefined) throw new Error('The identity provider is not configured.');
  return createTokenAuthenticate({ issuer, audiences, keysSeconds: settings.OIDC_KEYS_SECONDS });
}
