import type { Caller } from '../../audit/caller.ts';
import { isSameAddress } from '../../email-address.ts';

/** A verified identity. `email` is there only when the identity provider vouches for it. */
export interface Identity extends Caller {
  email?: string | undefined;
}

/** Finds out who calls, from the request headers (names in lower case); undefined without a valid credential. */
export type Authenticate = (headers: Record<string, string | undefined>) => Promise<Identity | undefined>;

/** The local identity mode: two headers stand in for a verified token. See "Identity" in shared/http/callers.md. */
export const authenticateLocally: Authenticate = async (headers) => {
  const userId = headers['x-user-id'] ?? '';
  const email = headers['x-user-email'];
  return /^[\x21-\x7e]{1,128}$/.test(userId) ? { userId, email: email || undefined } : undefined;
};

/** Whether the identity is on the allowlist, as no token is: by verified e-mail, letter case of ASCII aside, or as `sub:<user id>`. */
export function isAdmin({ userId, email, token }: Identity, allowlist: readonly string[]): boolean {
  const isMeant = (entry: string) =>
    entry.startsWith('sub:') ? entry.slice('sub:'.length) === userId : email !== undefined && isSameAddress(entry, email);
  return token === undefined && allowlist.some(isMeant);
}
