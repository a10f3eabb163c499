import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { AppError } from '../errors.ts';
import { type JobKind, jobId } from '../jobs/job.ts';
import type { Logger } from '../logger.ts';
import { type QueueSetting, queueOfJob } from './messages.ts';

export type JobSender = ReturnType<typeof createJobSender>;

/** Tells workers which job to look at. `queues` holds the URLs of the queues this function may send to. */
export function createJobSender({
  queues,
  logger,
  client = createSqsClient(),
}: {
  queues: Partial<Record<QueueSetting, string>>;
  logger: Logger;
  client?: SQSClient;
}) {
  async function send(kind: JobKind, ref: string, delaySeconds: number): Promise<void> {
    await client.send(
      new SendMessageCommand({
        QueueUrl: queues[queueOfJob[kind]],
        MessageBody: JSON.stringify({ jobId: jobId(kind, ref) }),
        DelaySeconds: delaySeconds,
      }),
    );
  }

  return {
    /**
     * Sends a committed job. A failure is logged and no more: the job is in the
     * table, and the sweeper sends it again.
     */
    async sendJob(kind: JobKind, ref: string, delaySeconds = 0): Promise<void> {
      try {
        await send(kind, ref, delaySeconds);
      } catch (error) {
        logger.warn('job_not_sent', { kind, ref, error });
      }
    },

    /** Sends a job, or throws AppError `dependency_unavailable`, for callers whose own caller will come again. */
    async sendJobOrFail(kind: JobKind, ref: string): Promise<void> {
      try {
        await send(kind, ref, 0);
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
