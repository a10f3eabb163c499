import { setTimeout as sleep } from 'node:timers/promises';
import { maxDelaySeconds, ThrottledJobError } from '../../jobs/job.ts';

/** How many copies of the mail worker run at the same time: each keeps to its part of the account's rate. */
export const mailWorkers = 2;

/** Waits for the mail's turn. @throws ThrottledJobError when that is far off, with the time until then */
export type WaitForTurn = () => Promise<void>;

/** That of an account in the sandbox, for as long as the account's own is not known. */
const leastRate = 1;
const keepRateMs = 10 * 60_000;
const askAgainMs = 60_000;
/** Short beside the job's lease. */
const maxWaitMs = 5000;

/**
 * Lets as many mails pass in a second as the account may send, shared among the workers. Mails that would wait long are
 * postponed, each to a different time.
 */
export function createSendPace({
  readRate,
  now = Date.now,
  wait = (milliseconds) => sleep(milliseconds),
  random = Math.random,
}: {
  /** How many mails a second the account may send; undefined when it cannot be told. */
  readRate: () => Promise<number | undefined>;
  now?: () => number;
  wait?: (milliseconds: number) => Promise<unknown>;
  random?: () => number;
}): WaitForTurn {
  let known: { rate: Promise<number>; until: number } | undefined;
  let nextAt = 0;
  let putOffTo = 0;

  function rate(): Promise<number> {
    if (known && now() < known.until) return known.rate;
    const before = known?.rate ?? Promise.resolve(leastRate);
    const asked = { rate: before, until: now() + keepRateMs };
    asked.rate = readRate().then((read) => {
      if (read !== undefined && read > 0) return read;
      asked.until = now() + askAgainMs;
      return before;
    });
    known = asked;
    return asked.rate;
  }

  return async () => {
    const intervalMs = (1000 * mailWorkers) / (await rate());
    const at = now();
    const waitMs = Math.max(nextAt - at, 0);
    if (waitMs > maxWaitMs) {
      putOffTo = Math.max(putOffTo, nextAt) + intervalMs;
      const delay = (putOffTo - at + random() * intervalMs) / 1000;
      throw new ThrottledJobError('mail_rate', Math.min(Math.ceil(delay), maxDelaySeconds));
    }
    nextAt = at + waitMs + intervalMs;
    if (waitMs > 0) await wait(waitMs);
  };
}
