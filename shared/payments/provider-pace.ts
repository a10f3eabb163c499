import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod/mini';
import { rateLimitKey } from '../db/keys.ts';
import { ConditionFailedError, type Table } from '../db/table.ts';
import { AppError } from '../errors.ts';

/** In test mode the provider allows 25 requests a second, of which the rest is for events and onboarding. */
const checkoutsASecond = 20;
const spacingMs = 1000 / checkoutsASecond;
const patienceMs = 2000;
const attempts = 4;
const keptSeconds = 600;

const key = rateLimitKey('provider', 'checkouts');
/** From when on the next checkout may be opened. */
const StoredPace = z.object({ freeAt: z._default(z.number(), 0) });

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
  let seen = 0;

  /** The time of a turn that nobody else has; undefined where others were faster. */
  async function reserve(at: number): Promise<number | undefined> {
    const [set, condition, values] =
      seen < at
        ? [':next', 'attribute_not_exists(freeAt) OR freeAt < :now', { ':next': at + spacingMs, ':now': at }]
        : ['freeAt + :spacing', 'freeAt BETWEEN :now AND :latest', { ':spacing': spacingMs, ':now': at, ':latest': at + patienceMs }];
    try {
      const item = await table.write({
        update: {
          Key: key,
          UpdateExpression: `SET freeAt = ${set}, #ttl = :ttl`,
          ConditionExpression: condition,
          ExpressionAttributeNames: { '#ttl': 'ttl' },
          ExpressionAttributeValues: { ...values, ':ttl': Math.ceil(at / 1000) + keptSeconds },
        },
      });
      seen = StoredPace.parse(item).freeAt;
      return seen - spacingMs;
    } catch (error) {
      if (!(error instanceof ConditionFailedError)) throw error;
      seen = StoredPace.parse(error.old ?? {}).freeAt;
      return undefined;
    }
  }

  /**
   * Ends when a checkout may be opened, within two seconds.
   *
   * @throws AppError dependency_unavailable when so many wait already
   */
  return async (): Promise<void> => {
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const at = now().getTime();
      if (seen > at + patienceMs) break;
      const turn = await reserve(at);
      if (turn !== undefined) return void (await wait(Math.max(0, turn - at)));
    }
    throw new AppError('dependency_unavailable', undefined, { retryAfterSeconds: patienceMs / 1000 });
  };
}
