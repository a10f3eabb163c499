import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import * as z from 'zod/mini';
import type { Needs } from '../../shared/context.ts';
import { ScanResultEvent } from './guardduty.ts';

const AnyEvent = z.object({ source: z.string() });

/**
 * The scan queue carries two kinds of messages: jobs and, from EventBridge, a scanner's
 * reports. A report that cannot be handled is given back to the queue, which moves it to the
 * dead-letter queue after some tries.
 */
export function receive(
  c: Needs<'logger'>,
  work: (event: SQSEvent) => Promise<SQSBatchResponse>,
  /** Absent where no such scanner is configured. */
  receiveResult: ((event: ScanResultEvent) => Promise<void>) | undefined,
): (event: SQSEvent) => Promise<SQSBatchResponse> {
  async function receiveReport({ body, messageId }: SQSRecord): Promise<string[]> {
    try {
      if (!receiveResult) throw new Error('No scanner reports by itself here.');
      await receiveResult(ScanResultEvent.parse(JSON.parse(body)));
      return [];
    } catch (error) {
      c.logger.error('message_not_handled', { error });
      return [messageId];
    }
  }

  return async ({ Records }) => {
    const [reports, jobs] = [Records.filter(isReport), Records.filter((record) => !isReport(record))];
    const failedReports = await Promise.all(reports.map(receiveReport));
    const { batchItemFailures } = await work({ Records: jobs });
    return { batchItemFailures: [...failedReports.flat().map((itemIdentifier) => ({ itemIdentifier })), ...batchItemFailures] };
  };
}

function isReport({ body }: SQSRecord): boolean {
  try {
    return AnyEvent.safeParse(JSON.parse(body)).success;
  } catch {
    return false;
  }
}
