import { recordAudit } from '../../shared/audit/audit-repository.ts';
import type { Needs } from '../../shared/context.ts';
import { retryOptimisticLock } from '../../shared/db/optimistic-lock.ts';
import { mergeReport } from '../../shared/mail/outbox/mail-report.ts';
import { findMail, recordMailReport } from '../../shared/mail/outbox/mail-repository.ts';
import type { ReportedMail } from './report-message.ts';

/** Records what the mail service told of a mail of the outbox. Reports may repeat and come in any order. */
export const recordReport = (c: Needs<'table' | 'now' | 'logger'>, { orderId, mailId, report }: ReportedMail): Promise<void> =>
  retryOptimisticLock(async () => {
    const mail = await findMail(c.table, orderId, mailId);
    if (!mail) return c.logger.warn('mail_report_ignored', { reason: 'mail_unknown', orderId, mailId });
    const next = mergeReport(mail.report, report);
    if (next === mail.report) return;
    const after = { mailId, outcome: next.outcome, ...(next.bounce && { bounce: next.bounce }) };
    await c.table.transact([
      recordMailReport(mail, next),
      recordAudit(c, { actor: 'mail-sender', action: 'order.record_mail_report', targetId: orderId, after }),
    ]);
    c.logger.info('mail_reported', { orderId, ...after });
  });
