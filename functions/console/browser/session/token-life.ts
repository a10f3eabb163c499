import type { IssuedTokens, IssuerAnswer } from './issuer.ts';

/** Renewed this long before the end, and at most half of the life. */
const earlyMs = 60_000;
/** With less than this left a caller waits for the next token. */
const tooShortMs = 5_000;
/** After a renewal without an answer, doubled each time. */
const firstPauseMs = 2_000;
const maxPauseMs = 30_000;
/** A second token that is refused within this was not refused for its age. */
const refusedAgainMs = 60_000;

/** The tokens of a tab. */
export interface HeldTokens {
  bearer: string;
  refreshToken: string | undefined;
  userId: string;
  endsAt: number;
  dueAt: number;
  isRefused: boolean;
}

/** What is known of the tokens of a tab; without `held` there are none, or none any more. */
export interface TokenLife {
  held: HeldTokens | undefined;
  /** Renewals in a row without an answer, and until when nothing is asked because of that. */
  pauses: number;
  nextTryAt: number;
  refusedAt: number;
}

export const noTokens: TokenLife = { held: undefined, pauses: 0, nextTryAt: 0, refusedAt: Number.NEGATIVE_INFINITY };

/** The life with new tokens. */
export function withTokens(life: TokenLife, { bearer, refreshToken, endsAt }: BearerTokens, userId: string, now: number): TokenLife {
  const dueAt = endsAt - Math.min(earlyMs, (endsAt - now) / 2);
  return { ...life, held: { bearer, refreshToken, userId, endsAt, dueAt, isRefused: false }, pauses: 0, nextTryAt: 0 };
}

export type BearerTokens = Pick<IssuedTokens, 'refreshToken' | 'endsAt'> & { bearer: string };

/** When the tokens are to be renewed. */
export const renewsAt = ({ held, nextTryAt }: TokenLife): number => Math.max(held?.dueAt ?? 0, nextTryAt);

/** Whether who asks for a token waits for the next one, where that is on its way. */
export const isTooShort = ({ isRefused, endsAt }: HeldTokens, now: number): boolean => isRefused || now + tooShortMs >= endsAt;

/** After the issuer's answer to a renewal of `held`. */
export function afterAnswer(life: TokenLife, held: HeldTokens, answer: IssuerAnswer, now: number): TokenLife {
  if (answer.name === 'unreachable') {
    return { ...life, nextTryAt: now + Math.min(maxPauseMs, firstPauseMs * 2 ** life.pauses), pauses: life.pauses + 1 };
  }
  if (answer.name === 'refused' || (answer.tokens.userId ?? held.userId) !== held.userId) return { ...life, held: undefined };
  const { bearer, refreshToken, endsAt } = answer.tokens;
  // Nothing renews the token that the API takes.
  if (bearer === undefined) return unrenewable({ ...life, held: { ...held, refreshToken: undefined } }, now);
  // Issuers that do not rotate give no other refresh token.
  return withTokens(life, { bearer, refreshToken: refreshToken ?? held.refreshToken, endsAt }, held.userId, now);
}

/** Without a refresh token: the other is good until it ends. */
export function unrenewable(life: TokenLife, now: number): TokenLife {
  const { held } = life;
  if (!held || held.isRefused || now >= held.endsAt) return { ...life, held: undefined };
  return { ...life, nextTryAt: held.endsAt };
}

/** The API does not take the token: it is over unless the next one, asked for at once, is better. */
export function afterRefusal(life: TokenLife, token: string, now: number): TokenLife {
  const { held, refusedAt } = life;
  if (!held || held.bearer !== token || held.isRefused) return life;
  if (now - refusedAt < refusedAgainMs) return { ...life, held: undefined, refusedAt: now };
  return { ...life, held: { ...held, isRefused: true, dueAt: 0 }, nextTryAt: 0, refusedAt: now };
}
