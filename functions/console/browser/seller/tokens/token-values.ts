import type { ApiToken, CreateApiTokenRequest } from '../../../../../build/client.ts';
import { wholeNumber } from '../../forms/values.ts';

/** What the form of a new token holds. */
export type TokenValues = Required<Omit<CreateApiTokenRequest, 'expires_in_days'>> & { expires_in_days: string };

/** What is sent of it: without products it is for all of them. */
export const bodyOfToken = ({ name, scopes, product_ids, expires_in_days }: TokenValues) => ({
  name,
  scopes,
  ...(product_ids.length > 0 && { product_ids }),
  expires_in_days: wholeNumber(expires_in_days),
});

/** Whether it opens anything, and why not. */
export function lifeOf({ expires_at, revoked_at }: Pick<ApiToken, 'expires_at' | 'revoked_at'>, now: number) {
  if (revoked_at !== undefined) return 'revoked';
  return Date.parse(expires_at) > now ? 'live' : 'expired';
}
