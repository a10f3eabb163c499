import * as z from 'zod/mini';
import { idOf } from '../ids.ts';
import { jobIdFields } from './new-job.ts';

/**
 * What a job is to do, and with what: ids only. A job is written by the transaction that
 * causes it, and deleted by the transaction that holds its effect, so that a crash in
 * between only delays it. See "A crash at each point" in running.md
 */
export const JobTask = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('project-event'), eventId: z.string() }),
  z.object({ kind: z.literal('follow-hold'), orderId: idOf('order') }),
  z.object({ kind: z.literal('serve-waiting-orders'), productId: idOf('product') }),
  z.object({ kind: z.enum(['issue-license', 'settle-redemption']), orderId: idOf('order') }),
  z.object({ kind: z.literal('send-mail'), orderId: idOf('order'), mailId: z.string() }),
  z.object({ kind: z.literal('send-links'), mailId: z.string() }),
  z.object({
    kind: z.enum(['hash-file', 'scan-file', 'discard-upload', 'abort-parts', 'withdraw-unused-file']),
    productId: idOf('product'),
    fileId: idOf('file'),
  }),
  z.object({ kind: z.literal('import-codes'), productId: idOf('product'), batchId: idOf('batch') }),
  z.object({ kind: z.literal('publish-event'), eventId: idOf('event') }),
  z.object({ kind: z.literal('tell-refusals'), sellerId: idOf('seller'), licenseId: idOf('license') }),
  z.object({ kind: z.literal('send-review-notice'), sellerId: idOf('seller'), noticeId: z.string() }),
  z.object({ kind: z.literal('send-token-notice'), sellerId: idOf('seller'), tokenId: idOf('token') }),
  z.object({ kind: z.enum(['deliver-events', 'send-endpoint-notice']), sellerId: idOf('seller'), endpointId: idOf('endpoint') }),
]);
export type JobTask = z.infer<typeof JobTask>;
export type JobKind = JobTask['kind'];

const JobKind = z.enum(
  Object.keys(jobIdFields satisfies Record<JobKind, readonly string[]>).filter((name): name is JobKind => name in jobIdFields),
);

/** @throws ZodError when the text is no id of a job. */
function taskOf(id: string): JobTask {
  const colon = id.indexOf(':');
  const kind = JobKind.parse(id.slice(0, colon));
  const ids = id.slice(colon + 1).split('/');
  return JobTask.parse({ kind, ...Object.fromEntries(jobIdFields[kind].map((name, index) => [name, ids[index]])) });
}

/** How far a job has come; its task is in its id. See "States of a job" in README.md */
export const JobProgress = z.object({
  id: z.string(),
  state: z.enum(['waiting', 'dead']),
  /** How often it was started. */
  attempts: z.number(),
  dueAt: z.string(),
  /** Since when it is due and no worker took it, once a sweep met it. */
  dueSince: z.optional(z.string()),
  /** Until when the worker that holds it has it for itself. */
  leasedUntil: z.optional(z.string()),
  /** The lease of the worker that holds it, or held it last. */
  leasedBy: z.optional(z.string()),
  /** Until when it was put off: no worker begins it sooner. */
  notBefore: z.optional(z.string()),
  /** Why the last attempt failed: an error name or code, never a message. */
  lastFailure: z.optional(z.string()),
  /** When it was made, or, of a job that is not to begin at once, when it may begin. */
  createdAt: z.string(),
  /** The id of the request that caused it, where one did. */
  requestId: z.optional(z.string()),
  /** What the job is about, where nothing else of it is in the table yet. */
  payload: z.optional(z.record(z.string(), z.unknown())),
});
export type JobProgress = z.infer<typeof JobProgress>;

/** A job as it is read from the table. */
export const Job = z.pipe(
  JobProgress,
  z.transform((progress: JobProgress) => ({ ...progress, task: taskOf(progress.id) })),
);
export type Job<Kind extends JobKind = JobKind> = JobProgress & { task: TaskOf<Kind> };
export type TaskOf<Kind extends JobKind> = JobTask & { kind: Kind };

/** Seconds before attempt 2, 3, …; the last repeats. See "Retry schedule" in README.md */
const retryDelays = [5, 15, 60, 300, 900];
const retryForSeconds = 24 * 3600;

/** Seconds until the next attempt of a job that failed now, or undefined when it was tried for a day. */
export function nextRetryDelay(job: Job, now: Date): number | undefined {
  const delay = retryDelays[Math.min(job.attempts, retryDelays.length) - 1] ?? 5;
  const age = (now.getTime() - Date.parse(job.createdAt)) / 1000;
  return age + delay <= retryForSeconds ? delay : undefined;
}

/** The attempt failed, and a later one may not; `reason` is what the job shows as its last failure. */
export class FailedJobError extends Error {
  readonly reason: string;
  constructor(reason: string) {
    super(`The job could not be done now: ${reason}.`);
    this.name = 'FailedJobError';
    this.reason = reason;
  }
}

/** For how long, in seconds, the message of a job can wait in its queue. What is to begin later is left to the sweeper. */
export const maxDelaySeconds = 900;

/** The job cannot run now, through no fault of its own: it is retried in `delaySeconds`, and neither the attempt nor the wait counts. */
export class ThrottledJobError extends Error {
  readonly reason: string;
  readonly delaySeconds: number;
  constructor(reason: string, delaySeconds: number) {
    super(`The job was put off: ${reason}.`);
    this.name = 'ThrottledJobError';
    this.reason = reason;
    this.delaySeconds = delaySeconds;
  }
}

/** Retrying cannot help: the job is dead at once. See "The meaning of a dead job" in dead-jobs.md */
export class DeadJobError extends Error {
  readonly reason: string;
  constructor(reason: string) {
    super(`The job cannot be done: ${reason}.`);
    this.name = 'DeadJobError';
    this.reason = reason;
  }
}

/** The lease ran out, and another worker leased the job since, or finished it. */
export class LeaseLostError extends Error {}
