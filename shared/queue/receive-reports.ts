import type { SQSBatchResponse } from 'aws-lambda';
import type { Needs } from '../context.ts';
import type { Message, MessageBatch } from './create-worker.ts';

type Work = (batch: MessageBatch) => Promise<SQSBatchResponse>;

/**
 * For a queue that carries two kinds of messages: jobs and, from EventBridge, reports, which have a field that no job has. A
 * report that cannot be recorded is given back to the queue, which moves it to the dead-letter queue after some tries.
 */
export function receiveReports(c: Needs<'logger'>, field: string, record: (report: unknown) => Promise<void>, work: Work): Work {
  async function receive({ messageId, body }: Message): Promise<string[]> {
    try {
      await record(JSON.parse(body));
      return [];
    } catch (error) {
      c.logger.error('message_not_handled', { error });
      return [messageId];
    }
  }

  return async ({ Records }) => {
    const { reports = [], jobs = [] } = Object.groupBy(Records, ({ body }) => (hasField(body, field) ? 'reports' : 'jobs'));
    const failed = await Promise.all(reports.map(receive));
    const { batchItemFailures } = await work({ Records: jobs });
    return { batchItemFailures: [...failed.flat().map((itemIdentifier) => ({ itemIdentifier })), ...batchItemFailures] };
  };
}

function hasField(body: string, field: string): boolean {
  try {
    const message: unknown = JSON.parse(body);
    return message !== null && typeof message === 'object' && field in message;
  } catch {
    return false;
  }
}
