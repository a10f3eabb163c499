import type { SQSBatchResponse } from 'aws-lambda';
import type { Needs } from '../../shared/context.ts';
import type { Message, MessageBatch } from '../../shared/queue/create-worker.ts';
import { recordReport } from './record-report.ts';
import { ReportMessage, reportOf } from './report-message.ts';

type Work = (batch: MessageBatch) => Promise<SQSBatchResponse>;

/**
 * The mail queue carries two kinds of messages: jobs and, from EventBridge, what the mail service reports of mails. A
 * report that cannot be recorded is given back to the queue, which moves it to the dead-letter queue after some tries;
 * one that nobody could ever read is dropped.
 */
export function receive(c: Needs<'table' | 'now' | 'logger'>, work: Work): Work {
  async function receiveReport({ messageId, report }: Message & { report: unknown }): Promise<string[]> {
    try {
      const parsed = ReportMessage.safeParse(report);
      if (parsed.success) await recordReport(c, reportOf(parsed.data));
      else c.logger.warn('mail_report_ignored', { reason: 'unreadable' });
      return [];
    } catch (error) {
      c.logger.error('message_not_handled', { error });
      return [messageId];
    }
  }

  return async ({ Records }) => {
    const reports = Records.flatMap((record) => {
      const report = reportIn(record);
      return report === undefined ? [] : [{ ...record, report }];
    });
    const reported = new Set(reports.map(({ messageId }) => messageId));
    const failed = await Promise.all(reports.map(receiveReport));
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
