import type { SQSBatchResponse, SQSRecord } from 'aws-lambda';
import type { Needs } from '../context.ts';
import { AppError } from '../errors.ts';
import { DeadJobError, FailedJobError, type Job, type JobKind, LeaseLostError, nextRetryDelay, ThrottledJobError } from '../jobs/job.ts';
import { deferJob, leaseJob, markJobDead, postponeJob } from '../jobs/job-lease-repository.ts';
import { runWithRequestId } from '../logging/request-id.ts';
import { JobMessage } from './messages.ts';

/** How a job ended that may end in several ways, and what it was about besides its own ids: ids and kinds, never an address. */
export interface JobOutcome {
  outcome: string;
  [fact: string]: string | readonly string[] | undefined;
}

/** Does one leased job, and commits `finishJob(job)` together with its effect. */
export type RunJob<Context, Kind extends JobKind> = (c: Context, job: Job<Kind>) => Promise<void> | Promise<JobOutcome>;

/** What a worker reads of a message of its queue. */
export type Message = Pick<SQSRecord, 'messageId' | 'body'>;

export interface MessageBatch {
  Records: readonly Message[];
}

/** How the worker does the kinds of jobs that its queue carries. */
export type JobRunners<Context> = { [Kind in JobKind]?: RunJob<Context, Kind> };

type WorkerNeeds = Needs<'table' | 'now' | 'logger' | 'sendJob'>;

/**
 * A Lambda handler for a queue of jobs.
 *
 * A job is run by one worker at a time. Each end of one is a line `job_ended`. A run that throws is tried again on the retry
 * schedule, then the job is dead; a DeadJobError makes it dead at once, a ThrottledJobError
 * puts it off without counting an attempt. A message goes
 * back to the queue only when not even that could be recorded.
 * See "Running a job" in README.md
 */
export function createWorker<Context extends WorkerNeeds>(
  c: Context,
  {
    run,
    leaseSeconds,
  }: { run: JobRunners<Context> /** Longer than any run: while it lasts nobody else does the job. */; leaseSeconds: number },
): (batch: MessageBatch) => Promise<SQSBatchResponse> {
  async function work(record: Message): Promise<void> {
    const { jobId } = JobMessage.parse(JSON.parse(record.body));
    const job = await leaseJob(c, jobId, leaseSeconds);
    if (job) await runWithRequestId(job.requestId, () => runLeased(c, run, job));
  }

  return async ({ Records }) => {
    const outcomes = await Promise.allSettled(Records.map(work));
    const batchItemFailures = outcomes.flatMap((outcome, index) => {
      const itemIdentifier = Records[index]?.messageId;
      if (outcome.status === 'fulfilled' || itemIdentifier === undefined) return [];
      c.logger.error('message_not_handled', { error: outcome.reason });
      return [{ itemIdentifier }];
    });
    return { batchItemFailures };
  };
}

async function runLeased<Context extends WorkerNeeds>(c: Context, run: JobRunners<Context>, job: Job): Promise<void> {
  const startedAt = c.now();
  const logEnd = (end: JobOutcome) =>
    c.logger.info('job_ended', { jobKind: job.task.kind, jobId: job.id, durationMs: c.now().getTime() - startedAt.getTime(), ...end });
  try {
    logEnd((await runJob(c, run, job)) ?? { outcome: 'done' });
  } catch (error) {
    if (error instanceof ThrottledJobError) await defer(c, job, error);
    else if (error instanceof LeaseLostError) logEnd({ outcome: 'lease_lost' });
    else await recordFailure(c, job, error);
  }
}

async function runJob<Context, Kind extends JobKind>(
  c: Context,
  run: JobRunners<Context>,
  job: Job<Kind>,
): Promise<JobOutcome | undefined> {
  const runKind: RunJob<Context, Kind> | undefined = run[job.task.kind];
  if (!runKind) throw new DeadJobError('wrong_queue');
  return (await runKind(c, job)) ?? undefined;
}

async function defer(c: WorkerNeeds, job: Job, { reason, delaySeconds }: ThrottledJobError): Promise<void> {
  // An alarm counts this message.
  c.logger.warn('job_throttled', { jobKind: job.task.kind, jobId: job.id, delay: delaySeconds, reason });
  await deferJob(c, job, delaySeconds, reason);
  await c.sendJob(job.task, delaySeconds);
}

async function recordFailure(c: WorkerNeeds, job: Job, error: unknown): Promise<void> {
  const delay = error instanceof DeadJobError ? undefined : nextRetryDelay(job, c.now());
  const failure = nameOf(error);
  if (delay === undefined) {
    c.logger.error('job_dead', { jobKind: job.task.kind, jobId: job.id, attempts: job.attempts, failure, error });
    await markJobDead(c, job, failure);
  } else {
    c.logger.warn('job_postponed', { jobKind: job.task.kind, jobId: job.id, attempts: job.attempts, delay, failure, error });
    await postponeJob(c, job, delay, failure);
    await c.sendJob(job.task, delay);
  }
}

function nameOf(error: unknown): string {
  if (error instanceof DeadJobError || error instanceof FailedJobError) return error.reason;
  if (error instanceof AppError) return error.code;
  return error instanceof Error ? error.name : 'unknown';
}
