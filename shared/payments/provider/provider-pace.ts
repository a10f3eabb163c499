import { setTimeout as sleep } from 'node:timers/promises';
import { rateLimitKey } from '../../db/keys.ts';
import type { Table } from '../../db/table.ts';
import { microseconds, takeFromBucket } from '../../db/token-bucket.ts';
import { AppError } from '../../errors.ts';
import { ProviderRateLimitedError } from './stripe-client.ts';

/** In test mode the provider allows 25 requests a second, of which the rest is for events and onboarding. */
const checkoutsASecond = 20;
const cost = microseconds / checkoutsASecond;
/** Refused calls and those behind them wait for the same turns, and at most as long. */
const patienceSeconds = 3;
/** The provider limits by the second: a refused call may be retried in the next one. */
const pauseSeconds = 1;
const attempts = 4;
/** For how long after the provider refused one for coming too fast all checkouts take turns. */
const crowdedMs = 30_000;
/** A refusal that took longer leaves no time to wait and ask again. */
const quickMs = 1000;

const key = rateLimitKey('provider', 'checkouts');

export type ProviderPace = ReturnType<typeof createProviderPace>;

/**
 * Keeps the checkouts of all instances within what the provider takes. Normally this costs nothing; an instance that
 * was rate-limited spreads its checkouts for a while, with one conditional write each: of any second, those that wait
 * for their turn are at most `checkoutsASecond`. See "Timeouts" in shared/payments/stripe.md
 */
export function createProviderPace({
  table,
  now,
  wait = sleep,
}: {
  table: Table;
  now: () => Date;
  wait?: (ms: number) => Promise<unknown>;
}) {
  let freeAt = 0;
  let crowdedUntil = 0;

  /** Ends when the turn has come, within three seconds, and not before the pause is over. @throws AppError dependency_unavailable when so many wait already */
  async function waitForTurn(pause = 0): Promise<void> {
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const at = now().getTime() * 1000;
      const first = at + pause * microseconds;
      const spending = { now: first, cost, latest: at + patienceSeconds * microseconds, keptSeconds: 600 };
      if (freeAt > spending.latest) break;
      const turn = await takeFromBucket(table, key, spending, freeAt < first);
      freeAt = turn.fullAt;
      if (turn.spent) return void (await wait((freeAt - cost - at) / 1000));
    }
    throw new AppError('dependency_unavailable', undefined, { retryAfterSeconds: patienceSeconds });
  }

  return {
    /**
     * Before a checkout writes anything: at once, or in its turn while this instance knows that the provider is crowded.
     *
     * @throws AppError dependency_unavailable when so many wait already
     */
    async waitForTurn(): Promise<void> {
      if (now().getTime() < crowdedUntil) await waitForTurn();
    },

    /** Asks the provider, and what it refuses for coming too fast once more, in its turn. @throws what `request` throws */
    async callProvider<T>(request: () => Promise<T>): Promise<T> {
      const startedAt = now().getTime();
      try {
        return await request();
      } catch (error) {
        if (!(error instanceof ProviderRateLimitedError)) throw error;
        const refusedAt = now().getTime();
        crowdedUntil = refusedAt + crowdedMs;
        if (refusedAt - startedAt > quickMs) throw error;
        await waitForTurn(pauseSeconds);
        return request();
      }
    },
  };
}

/** A context with the turns of this instance at the provider. */
export const withPace = <Given extends { table: Table; now: () => Date }>(c: Given) => ({ ...c, pace: createProviderPace(c) });
