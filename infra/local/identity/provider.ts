import type { IdentityState } from './identity-state.ts';
import type { People } from './people.ts';
import type { BrowserSession } from './session-cookie.ts';

/** Signs tokens, as functions verify them by the published key. */
export interface Signer {
  kid: string;
  publicKey: object;
  sign(claims: object, typ: string): Promise<string>;
}

/** What the endpoints of the identity provider work with. */
export interface Provider {
  issuer: string;
  /** Without a slash at its end. */
  publicBaseUrl: string;
  clientId: string;
  redirectUris: readonly string[];
  /** How long bearer tokens live. */
  tokenSeconds: number;
  people: People;
  state: IdentityState;
  cookie: BrowserSession;
  /** Made when it is first needed: a stack whose callers name themselves by header has none. */
  signer: () => Promise<Signer>;
  now: () => Date;
}
