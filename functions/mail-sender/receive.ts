import type { SQSBatchResponse } from 'aws-lambda';
import type { Logger } from '../../shared/logger.ts';
import type { Message, MessageBatch } from '../../shared/queue/create-worker.ts';
import type { RecordReport } from './record-report.ts';
import { ReportMessage, reportOf } from './report-message.ts';

/**
 * The mail queue carries two kinds of messages: jobs and, from EventBridge, what the mail service reports of mails. A
 * report that cannot be recorded is given back to the queue, which moves it to the dead-letter queue after some tries;
 * one that nobody could ever read is dropped.
 */
export function createReceive({
  work,
  recordReport,
  logger,
}: {
  work: (batch: MessageBatch) => Promise<SQSBatchResponse>;
  recordReport: RecordReport;
  logger: Logger;
}): (batch: MessageBatch) => Promise<SQSBatchResponse> {
  async function receive({ messageId, report }: Message & { report: unknown }): Promise<string[]> {
    try {
      const parsed = ReportMessage.safeParse(report);
      if (parsed.success) await recordReport(reportOf(parsed.data));
      else logger.warn('mail_report_ignored', { reason: 'unreadable' });
      return [];
    } catch (error) {
      logger.error('message_not_handled', { error });
      return [messageId];
    }
  }

  return async ({ Records }) => {
    const reports = Records.flatMap((record) => {
      const report = reportIn(record);
      return report === undefined ? [] : [{ ...record, report }];
    });
    const reported = new Set(reports.map(({ messageId }) => messageId));
    const failed = await Promise.all(reports.map(receive));
    const { batchItemFailures } = await work({ Records: Records.filter(({ messageId }) => !reported.has(messageId)) });
    return { batchItemFailures: [...failed.flat().map((itemIdentifier) => ({ itemIdentifier })), ...batchItemFailures] };
  };
}

/** What the rule of the mail service's events sends has a type; a job has none. */
function reportIn({ body }: Message): unknown {
  try {
    const message: unknown = JSON.parse(body);
    return message !== null && typeof message === 'object' && 'type' in message ? message : undefined;
  } catch {
    return undefined;
  }
}
