import type { GivenTokens, Issuer, IssuerAnswer } from './issuer.ts';
import type { Tab } from './tab.ts';

/** Renewed this long before the end, and at most half of the life. */
const earlyMs = 60_000;
/** With less than this left a caller waits for the next token. */
const tooShortMs = 5_000;
/** A timer waits no longer, and no shorter. */
const longestMs = 6 * 60 * 60 * 1000;
const shortestMs = 1_000;
/** After a renewal without an answer, doubled each time. */
const firstPauseMs = 2_000;
const longestPauseMs = 30_000;
/** A second token that is refused within this was not refused for its age. */
const refusedAgainMs = 60_000;

interface Held {
  bearer: string;
  refreshToken: string | undefined;
  userId: string;
  endsAt: number;
  dueAt: number;
  isRefused: boolean;
}

/**
 * Holds the tokens of this tab, in memory alone, and renews them: one renewal at a time, however many ask.
 * `onOver` is called when there will be none any more.
 */
export function createTokenKeeper({ issuer, tab, onOver }: { issuer: Issuer; tab: Tab; onOver: () => void }) {
  let held: Held | undefined;
  let renewing: Promise<IssuerAnswer | undefined> | undefined;
  let callOff = () => {};
  let pauses = 0;
  let nextTryAt = 0;
  let refusedAt = Number.NEGATIVE_INFINITY;

  function hold({ bearer, refreshToken, endsAt }: GivenTokens & { bearer: string }, userId: string): void {
    const life = endsAt - tab.now();
    held = { bearer, refreshToken, userId, endsAt, dueAt: endsAt - Math.min(earlyMs, life / 2), isRefused: false };
    pauses = 0;
    nextTryAt = 0;
    wakeAt(held.dueAt);
  }

  function wakeAt(at: number): void {
    callOff();
    callOff = tab.later(Math.max(shortestMs, Math.min(longestMs, at - tab.now())), () => {
      if (held && !isDue(held)) wakeAt(Math.max(held.dueAt, nextTryAt));
      else void renew();
    });
  }

  const isDue = ({ dueAt }: Held) => tab.now() >= Math.max(dueAt, nextTryAt);

  function drop(): void {
    callOff();
    held = undefined;
  }

  function end(): void {
    drop();
    onOver();
  }

  function renew() {
    renewing ??= askAnew().finally(() => {
      renewing = undefined;
    });
    return renewing;
  }

  async function askAnew(): Promise<IssuerAnswer | undefined> {
    const asked = held;
    if (!asked) return undefined;
    if (asked.refreshToken === undefined) {
      if (asked.isRefused || tab.now() >= asked.endsAt) end();
      else {
        nextTryAt = asked.endsAt;
        wakeAt(nextTryAt);
      }
      return undefined;
    }
    const answer = await issuer.refresh(asked.refreshToken);
    // Signed out meanwhile: whoever did that ends what came of it.
    if (held === asked) receive(asked, answer);
    return answer;
  }

  function receive(asked: Held, answer: IssuerAnswer): void {
    if (answer.name === 'unreachable') {
      nextTryAt = tab.now() + Math.min(longestPauseMs, firstPauseMs * 2 ** pauses);
      pauses += 1;
      wakeAt(nextTryAt);
    } else if (answer.name === 'refused' || (answer.tokens.userId ?? asked.userId) !== asked.userId) {
      end();
    } else if (answer.tokens.bearer !== undefined) {
      // Issuers that do not rotate give no other refresh token.
      const refreshToken = answer.tokens.refreshToken ?? asked.refreshToken;
      hold({ ...answer.tokens, bearer: answer.tokens.bearer, refreshToken }, asked.userId);
    } else {
      // Nothing renews the token that the API takes: it is good until it ends.
      asked.refreshToken = undefined;
      void askAnew();
    }
  }

  return {
    hold,

    /** A token that lives a while yet. One that has ended, when the issuer cannot be reached; undefined when there will be none. */
    async bearer(): Promise<string | undefined> {
      const current = held;
      if (current && isDue(current)) void renew();
      if (current && renewing && (current.isRefused || tab.now() + tooShortMs >= current.endsAt)) await renewing;
      return held?.bearer;
    },

    /** The API does not take the token: it is over unless the next one, asked for at once, is better. */
    refuse(token: string): void {
      if (!held || held.bearer !== token || held.isRefused) return;
      const isSecond = tab.now() - refusedAt < refusedAgainMs;
      refusedAt = tab.now();
      if (isSecond) {
        end();
        return;
      }
      held.isRefused = true;
      held.dueAt = 0;
      nextTryAt = 0;
      void renew();
    },

    /** Forgets everything. What is returned ends it at the issuer, too, as far as that can be reached. */
    forget(): () => Promise<void> {
      const last = held;
      const pending = renewing;
      drop();
      return async () => {
        const answer = await pending;
        const newest = answer?.name === 'given' ? answer.tokens.refreshToken : undefined;
        const token = newest ?? last?.refreshToken ?? last?.bearer;
        if (token !== undefined) await issuer.revoke(token);
      };
    },
  };
}
