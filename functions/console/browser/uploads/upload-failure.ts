import { ApiFailure } from '../api/failure.ts';

/** Why an upload does not go on; what nobody told as an `ApiFailure` has one code for all. */
export const failureOf = (error: unknown): ApiFailure => (error instanceof ApiFailure ? error : new ApiFailure({ code: 'upload_failed' }));

/** How often in a row something may fail while the network is there, without one part more being stored. */
const maxFailures = 8;
const maxWaitSeconds = 30;

export type Remedy = { name: 'wait'; seconds: number } | { name: 'sign-in' } | { name: 'give-up' };

/** What to do after the `count`th failure in a row: what may pass by itself is waited for, without a network for ever. */
export function remedyOf({ code, status, retryAfterSeconds }: ApiFailure, count: number): Remedy {
  if (status === 401) return { name: 'sign-in' };
  const seconds = Math.max(retryAfterSeconds, Math.min(maxWaitSeconds, 2 ** (count - 1)));
  if (code === 'offline' || status === 429) return { name: 'wait', seconds };
  return status >= 500 && count <= maxFailures ? { name: 'wait', seconds } : { name: 'give-up' };
}

/** Whether the same file may be tried again as it is. */
export const isWorthRetrying = (code: string): boolean =>
  !['file_changed', 'file_empty', 'file_too_large', 'file_name_unfit', 'picture_unknown', 'picture_too_heavy'].includes(code);
