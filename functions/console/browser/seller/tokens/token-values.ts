import type { TokenScope } from '../../../../../shared/audit/caller.ts';
import { wholeNumber } from '../../forms/values.ts';

/** What the form of a new token holds. */
export type TokenValues = {
  name: string;
  scopes: TokenScope[];
  product_ids: string[];
  expires_in_days: string;
};

/** What is sent of it: without products it is for all of them. */
export const bodyOfToken = ({ name, scopes, product_ids, expires_in_days }: TokenValues) => ({
  name,
  scopes,
  ...(product_ids.length > 0 && { product_ids }),
  expires_in_days: wholeNumber(expires_in_days),
});

/** Whether it opens anything, and why not. */
export function lifeOf(
  { expires_at, revoked_at }: { expires_at: string; revoked_at?: string },
  now: number,
): 'live' | 'revoked' | 'expired' {
  if (revoked_at !== undefined) return 'revoked';
  return Date.parse(expires_at) > now ? 'live' : 'expired';
}
