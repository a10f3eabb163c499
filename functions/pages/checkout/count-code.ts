import type { Needs } from '../../../shared/context.ts';
import { AppError } from '../../../shared/errors.ts';
import { type Choice, chosenCode } from './choice.ts';

/**
 * Counts a page that is asked for with a discount code, together with quotes: the seconds to wait where a caller has tried too many;
 * else undefined.
 */
export async function countCode(c: Needs<'limitRate'>, choice: Choice, caller: string): Promise<number | undefined> {
  if (chosenCode(choice) === undefined) return undefined;
  try {
    await c.limitRate('quote', caller);
    return undefined;
  } catch (error) {
    if (error instanceof AppError && error.code === 'rate_limited') return error.retryAfterSeconds ?? 1;
    throw error;
  }
}
