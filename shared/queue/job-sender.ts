import { AppError } from '../errors.ts';
import type { JobTask } from '../jobs/job.ts';
import { jobId } from '../jobs/new-job.ts';
import type { Logger } from '../logging/logger.ts';
import { type QueueSetting, queueOfJob } from './messages.ts';

export type JobSender = ReturnType<typeof createJobSender>;

/** Sends one message, as SQS names its parts; rejects when it could not be sent. */
export type SendMessage = (message: { QueueUrl: string | undefined; MessageBody: string; DelaySeconds: number }) => Promise<unknown>;

/** Bounded well inside the gateway's 30 s. */
export const queueLimits = { maxAttempts: 3, connectionTimeout: 1000, requestTimeout: 3000 };

/** Sends the ids of jobs to the queues of their workers. `queues` holds the URLs of the queues this function may send to. */
export function createJobSender({
  queues,
  logger,
  sendMessage,
}: {
  queues: Partial<Record<QueueSetting, string>>;
  logger: Logger;
  sendMessage: SendMessage;
}) {
  async function send(task: JobTask, delaySeconds: number): Promise<void> {
    await sendMessage({
      QueueUrl: queues[queueOfJob[task.kind]],
      MessageBody: JSON.stringify({ jobId: jobId(task) }),
      DelaySeconds: delaySeconds,
    });
  }

  return {
    /**
     * Sends a committed job. A failure is logged and no more: the job is in the
     * table, and the sweeper sends it again.
     */
    async sendJob(task: JobTask, delaySeconds = 0): Promise<void> {
      try {
        await send(task, delaySeconds);
      } catch (error) {
        logger.warn('job_not_sent', { jobId: jobId(task), error });
      }
    },

    /** Sends a job, or throws AppError `dependency_unavailable`, for callers whose own caller will come again. */
    async sendJobOrFail(task: JobTask): Promise<void> {
      try {
        await send(task, 0);
      } catch (error) {
        throw new AppError('dependency_unavailable', undefined, { retryAfterSeconds: 1, cause: error });
      }
    },
  };
}
