import type { Needs } from '../../shared/context.ts';
import type { createWorker } from '../../shared/queue/create-worker.ts';
import { receiveReports } from '../../shared/queue/receive-reports.ts';
import { recordReport } from './record-report.ts';
import { ReportMessage, reportOf } from './report-message.ts';

/**
 * The mail queue carries jobs and what the mail service reports of mails, which has a type. A report that nobody could ever read
 * is dropped.
 */
export const receive = (c: Needs<'table' | 'now' | 'logger'>, work: ReturnType<typeof createWorker>) =>
  receiveReports(
    c,
    'type',
    async (report) => {
      const parsed = ReportMessage.safeParse(report);
      if (parsed.success) await recordReport(c, reportOf(parsed.data));
      else c.logger.warn('mail_report_ignored', { reason: 'unreadable' });
    },
    work,
  );
