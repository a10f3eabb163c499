/** What of a discount decides whether orders can be made with it. Times are ISO 8601 in UTC. */
export interface Terms {
  currency: string;
  startsAt: string;
  endsAt?: string | undefined;
  endedAt?: string | undefined;
  maxRedemptions?: number | undefined;
  /** How many redemptions are reserved or redeemed; of no account without a limit. */
  taken: number;
}

export type Standing = 'holds' | 'not_begun' | 'past' | 'used_up' | 'ended' | 'other_currency';

/** Whether orders can be made with a discount at a time, and else why not; `currency` is that of the product now. */
export function standingOf(terms: Terms, currency: string, at: string): Standing {
  const { startsAt, endsAt, endedAt, maxRedemptions, taken } = terms;
  if (endedAt !== undefined) return 'ended';
  if (endsAt !== undefined && endsAt <= at) return 'past';
  if (terms.currency.toUpperCase() !== currency.toUpperCase()) return 'other_currency';
  if (maxRedemptions !== undefined && taken >= maxRedemptions) return 'used_up';
  return startsAt > at ? 'not_begun' : 'holds';
}
