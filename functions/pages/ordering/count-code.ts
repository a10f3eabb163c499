import { AppError } from '../../../shared/errors.ts';
import type { LimitRate } from '../../../shared/http/rate-limit.ts';
import { askedCode, type Choice } from './choice.ts';

/** Counts a page that is asked for with a discount code: the seconds to wait where a caller has tried too many; else undefined. */
export type CountCode = (choice: Choice, caller: string) => Promise<number | undefined>;

/** Codes on pages and quotes are counted together. */
export const createCountCode =
  (limitRate: LimitRate): CountCode =>
  async (choice, caller) => {
    if (askedCode(choice) === undefined) return undefined;
    try {
      await limitRate('quote', caller);
      return undefined;
    } catch (error) {
      if (error instanceof AppError && error.code === 'rate_limited') return error.retryAfterSeconds ?? 1;
      throw error;
    }
  };
