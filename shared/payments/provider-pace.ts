import { setTimeout as sleep } from 'node:timers/promises';
import { rateLimitKey } from '../db/keys.ts';
import type { Table } from '../db/table.ts';
import { microseconds, spendFrom } from '../db/token-bucket.ts';
import { AppError } from '../errors.ts';

/** In test mode the provider allows 25 requests a second, of which the rest is for events and onboarding. */
const checkoutsASecond = 20;
const cost = microseconds / checkoutsASecond;
const patienceSeconds = 2;
const attempts = 4;

const key = rateLimitKey('provider', 'checkouts');

/**
 * Spreads the checkouts of all instances, one conditional write each: of any second, the provider is asked for at most
 * `checkoutsASecond`, but for what the way there delays. See "Timeouts" in README.md
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

  /**
   * Ends when a checkout may be opened, within two seconds.
   *
   * @throws AppError dependency_unavailable when so many wait already
   */
  return async (): Promise<void> => {
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const at = now().getTime() * 1000;
      const spending = { now: at, cost, latest: at + patienceSeconds * microseconds, keptSeconds: 600 };
      if (freeAt > spending.latest) break;
      const turn = await spendFrom(table, key, spending, freeAt < at);
      freeAt = turn.fullAt;
      if (turn.spent) return void (await wait((freeAt - cost - at) / 1000));
    }
    throw new AppError('dependency_unavailable', undefined, { retryAfterSeconds: patienceSeconds });
  };
}
