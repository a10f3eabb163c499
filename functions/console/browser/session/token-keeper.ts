import type { Issuer, IssuerAnswer } from './issuer.ts';
import type { Tab } from './tab.ts';
import {
  afterAnswer,
  afterRefusal,
  type BearerTokens,
  isTooShort,
  noTokens,
  renewsAt,
  type TokenLife,
  unrenewable,
  withTokens,
} from './token-life.ts';

/** A timer waits no longer, and no shorter. */
const maxTimerMs = 6 * 60 * 60 * 1000;
const minTimerMs = 1_000;

/**
 * Holds the tokens of this tab, in memory alone, and renews them: one renewal at a time, however many ask.
 * `onOver` is called when there will be none any more. When they are renewed `token-life.ts` says.
 */
export function createTokenKeeper({ issuer, tab, onOver }: { issuer: Issuer; tab: Tab; onOver: () => void }) {
  let life = noTokens;
  let renewing: Promise<IssuerAnswer | undefined> | undefined;
  let callOff = () => {};

  function become(now: TokenLife): void {
    const wasHeld = life.held !== undefined;
    life = now;
    callOff();
    if (life.held) wakeAt(renewsAt(life));
    else if (wasHeld) onOver();
  }

  function wakeAt(at: number): void {
    callOff = tab.schedule(Math.max(minTimerMs, Math.min(maxTimerMs, at - tab.now())), () => {
      if (!isDue()) wakeAt(renewsAt(life));
      else void renew();
    });
  }

  const isDue = () => tab.now() >= renewsAt(life);

  function renew() {
    renewing ??= askAnew().finally(() => {
      renewing = undefined;
    });
    return renewing;
  }

  async function askAnew(): Promise<IssuerAnswer | undefined> {
    const { held } = life;
    if (!held) return undefined;
    if (held.refreshToken === undefined) {
      become(unrenewable(life, tab.now()));
      return undefined;
    }
    const answer = await issuer.refresh(held.refreshToken);
    // Signed out meanwhile: whoever did that ends what came of it.
    if (life.held?.bearer === held.bearer) become(afterAnswer(life, life.held, answer, tab.now()));
    return answer;
  }

  return {
    hold: (tokens: BearerTokens, userId: string): void => become(withTokens(life, tokens, userId, tab.now())),

    /** A token that lives a while yet. One that has ended, when the issuer cannot be reached; undefined when there will be none. */
    async bearer(): Promise<string | undefined> {
      if (life.held && isDue()) void renew();
      if (life.held && renewing && isTooShort(life.held, tab.now())) await renewing;
      return life.held?.bearer;
    },

    refuse(token: string): void {
      const before = life;
      const now = afterRefusal(before, token, tab.now());
      if (now === before) return;
      become(now);
      void renew();
    },

    /** Forgets everything. What is returned ends it at the issuer, too, as far as that can be reached. */
    forget(): () => Promise<void> {
      const { held } = life;
      const pending = renewing;
      callOff();
      life = { ...life, held: undefined };
      return async () => {
        const answer = await pending;
        const newest = answer?.name === 'given' ? answer.tokens.refreshToken : undefined;
        const token = newest ?? held?.refreshToken ?? held?.bearer;
        if (token !== undefined) await issuer.revoke(token);
      };
    },
  };
}
