import type { IdentityState } from './identity-state.ts';
import type { People } from './people.ts';

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
  cookie: ReturnType<typeof sessionCookie>;
  /** Made when it is first needed: a stack whose callers name themselves by header has none. */
  signer: () => Promise<Signer>;
  now: () => Date;
}

/** The cookie by which the issuer knows a browser again. Browsers tell no ports apart, so its name does. */
export function sessionCookie(issuer: string) {
  const { pathname, port, protocol } = new URL(issuer);
  const name = `local_identity_${port || protocol.slice(0, -1)}`;
  const attributes = `Path=${pathname}; HttpOnly; SameSite=Lax${protocol === 'https:' ? '; Secure' : ''}`;
  return {
    read(headers: Readonly<Record<string, string>>): string | undefined {
      const cookies = (headers['cookie'] ?? '').split(/[;,] */).map((cookie) => cookie.split('='));
      return cookies.find(([key]) => key === name)?.[1];
    },
    set: (sessionId: string) => ({ 'Set-Cookie': `${name}=${sessionId}; ${attributes}` }),
    clear: () => ({ 'Set-Cookie': `${name}=; Max-Age=0; ${attributes}` }),
  };
}
