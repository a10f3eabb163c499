import type { SQSBatchResponse, SQSRecord } from 'aws-lambda';
import type { Table } from '../db/table.ts';
import { AppError } from '../errors.ts';
import { DeadJobError, FailedJobError, type Job, type JobKind, LeaseLostError, nextRetryDelay, ThrottledJobError } from '../jobs/job.ts';
import { createJobRepository } from '../jobs/job-repository.ts';
import type { Logger } from '../logger.ts';
import { underRequest } from '../request-id.ts';
import type { JobSender } from './job-sender.ts';
import { JobMessage } from './messages.ts';

/** How a job ended that may end in several ways, and what it was about besides its own ids: ids and kinds, never an address. */
export interface JobEnd {
  outcome: string;
  [fact: string]: string | readonly string[] | undefined;
}

/** Does one leased job, and commits `finishJob(job)` together with its effect. */
export type RunJob<Kind extends JobKind> = (job: Job<Kind>) => Promise<void> | Promise<JobEnd>;

/** What a worker reads of a message of its queue. */
export type Message = Pick<SQSRecord, 'messageId' | 'body'>;
export interface MessageBatch {
  Records: readonly Message[];
}

/** How the worker does the kinds of jobs that its queue carries. */
export type JobRunners = { [Kind in JobKind]?: RunJob<Kind> };

/**
 * A Lambda handler for a queue of jobs.
 *
 * A job is run by one worker at a time. Each end of one is a line `job_ended`. A run that throws is tried again on the retry
 * schedule, then the job is dead; a DeadJobError makes it dead at once, a ThrottledJobError
 * puts it off without counting an attempt. A message goes
 * back to the queue only when not even that could be recorded.
 * See "Running a job" in README.md
 */
export function createWorker(options: {
  run: JobRunners;
  table: Table;
  sender: JobSender;
  logger: Logger;
  /** Longer than any run: while it lasts nobody else does the job. */
  leaseSeconds: number;
  now?: (() => Date) | undefined;
}): (batch: MessageBatch) => Promise<SQSBatchResponse> {
  const { run, table, sender, logger, leaseSeconds, now = () => new Date() } = options;
  const jobs = createJobRepository({ table, now });

  async function work(record: Message): Promise<void> {
    const { jobId } = JobMessage.parse(JSON.parse(record.body));
    const job = await jobs.leaseJob(jobId, leaseSeconds);
    if (job) await underRequest(job.requestId, () => runLeased(job));
  }

  async function runLeased(job: Job): Promise<void> {
    const begun = now();
    const tellEnd = (end: JobEnd) =>
      logger.info('job_ended', { jobKind: job.task.kind, jobId: job.id, durationMs: now().getTime() - begun.getTime(), ...end });
    try {
      tellEnd((await runJob(job)) ?? { outcome: 'done' });
    } catch (error) {
      if (error instanceof ThrottledJobError) await defer(job, error);
      else if (error instanceof LeaseLostError) tellEnd({ outcome: 'lease_lost' });
      else await recordFailure(job, error);
    }
  }

  async function defer(job: Job, { reason, delaySeconds }: ThrottledJobError): Promise<void> {
    // An alarm counts this message.
    logger.warn('job_throttled', { jobKind: job.task.kind, jobId: job.id, delay: delaySeconds, reason });
    await jobs.deferJob(job, delaySeconds, reason);
    await sender.sendJob(job.task, delaySeconds);
  }

  async function runJob<Kind extends JobKind>(job: Job<Kind>): Promise<JobEnd | undefined> {
    const runKind: RunJob<Kind> | undefined = run[job.task.kind];
    if (!runKind) throw new DeadJobError('wrong_queue');
    return (await runKind(job)) ?? undefined;
  }

  async function recordFailure(job: Job, error: unknown): Promise<void> {
    const delay = error instanceof DeadJobError ? undefined : nextRetryDelay(job, now());
    const failure = nameOf(error);
    if (delay === undefined) {
      logger.error('job_dead', { jobKind: job.task.kind, jobId: job.id, attempts: job.attempts, failure, error });
      await jobs.markJobDead(job, failure);
    } else {
      logger.warn('job_postponed', { jobKind: job.task.kind, jobId: job.id, attempts: job.attempts, delay, failure, error });
      await jobs.postponeJob(job, delay, failure);
      await sender.sendJob(job.task, delay);
    }
  }

  return async ({ Records }) => {
    const outcomes = await Promise.allSettled(Records.map(work));
    const batchItemFailures = outcomes.flatMap((outcome, index) => {
      const itemIdentifier = Records[index]?.messageId;
      if (outcome.status === 'fulfilled' || itemIdentifier === undefined) return [];
      logger.error('message_not_handled', { error: outcome.reason });
      return [{ itemIdentifier }];
    });
    return { batchItemFailures };
  };
}

function nameOf(error: unknown): string {
  if (error instanceof DeadJobError || error instanceof FailedJobError) return error.reason;
  if (error instanceof AppError) return error.code;
  return error instanceof Error ? error.name : 'unknown';
}
