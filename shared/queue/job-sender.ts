import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { AppError } from '../errors.ts';
import type { JobTask } from '../jobs/job.ts';
import { jobId } from '../jobs/new-job.ts';
import type { Logger } from '../logger.ts';
import { type QueueSetting, queueOfJob } from './messages.ts';

export type JobSender = ReturnType<typeof createJobSender>;

/** Sends the ids of jobs to the queues of their workers. `queues` holds the URLs of the queues this function may send to. */
export function createJobSender({
  queues,
  logger,
  client = createSqsClient(),
}: {
  queues: Partial<Record<QueueSetting, string>>;
  logger: Logger;
  client?: SQSClient;
}) {
  async function send(task: JobTask, delaySeconds: number): Promise<void> {
    await client.send(
      new SendMessageCommand({
        QueueUrl: queues[queueOfJob[task.kind]],
        MessageBody: JSON.stringify({ jobId: jobId(task) }),
        DelaySeconds: delaySeconds,
      }),
    );
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

/** Bounded well inside the gateway's 30 s. */
export function createSqsClient(): SQSClient {
  return new SQSClient({
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 1000, requestTimeout: 3000, throwOnRequestTimeout: true },
  });
}
