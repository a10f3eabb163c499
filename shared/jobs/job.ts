import * as z from 'zod/mini';

/**
 * Pending work. A job is written by the transaction that causes it, and removed by
 * the transaction that holds its effect, so a crash between the two only delays it.
 * Source: decisions.md §7 "Pending work".
 */
export const jobKinds = [
  'project-event',
  'serve-waiting-orders',
  'send-mail',
  'hash-file',
  'scan-file',
  'discard-upload',
  'import-codes',
] as const;
export type JobKind = (typeof jobKinds)[number];

export const Job = z.object({
  id: z.string(),
  kind: z.enum(jobKinds),
  /** What the job is about, ids only: an event id, `order id/mail id`, `product id/file id`, `product id/batch id`, or a product id. */
  ref: z.string(),
  state: z.enum(['waiting', 'dead']),
  /** How often it was started. */
  attempts: z.number(),
  dueAt: z.string(),
  /** Until when the worker that holds it has it for itself. */
  leasedUntil: z.optional(z.string()),
  /** Why the last attempt failed: an error name or code, never a message. */
  lastFailure: z.optional(z.string()),
  /** When it was made, or, of a job that is not to begin at once, when it may begin. */
  createdAt: z.string(),
});
export type Job = z.infer<typeof Job>;

/** The one job of this kind about `ref`: making it twice makes it once. */
export const jobId = (kind: JobKind, ref: string) => `${kind}:${ref}`;

/** Seconds before attempt 2, 3, …; the last repeats. Source: decisions.md §7. */
const retryDelays = [5, 15, 60, 300, 900];
const retryForSeconds = 24 * 3600;

/** Seconds until the next attempt of a job that failed now, or undefined when it was tried for a day. */
export function nextRetryDelay(job: Job, now: Date): number | undefined {
  const delay = retryDelays[Math.min(job.attempts, retryDelays.length) - 1] ?? 5;
  const age = (now.getTime() - Date.parse(job.createdAt)) / 1000;
  return age + delay <= retryForSeconds ? delay : undefined;
}

/** Work that no repetition can do: the job is dead at once, and an operator hears of it. */
export class DeadJobError extends Error {
  readonly reason: string;
  constructor(reason: string) {
    super(`The job cannot be done: ${reason}.`);
    this.name = 'DeadJobError';
    this.reason = reason;
  }
}
