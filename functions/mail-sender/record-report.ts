import { createAuditRepository } from '../../shared/audit/audit-repository.ts';
import { retryOptimisticLock } from '../../shared/db/optimistic-lock.ts';
import type { Table } from '../../shared/db/table.ts';
import type { Logger } from '../../shared/logger.ts';
import { afterReport } from '../../shared/mail/mail-delivery.ts';
import { createMailRepository } from '../../shared/mail/mail-repository.ts';
import type { ReportedMail } from './report-message.ts';

export type RecordReport = (reported: ReportedMail) => Promise<void>;

/** Records what the mail service told of a mail of the outbox. Reports may repeat and come in any order. */
export function createRecordReport(options: { table: Table; logger: Logger; now?: (() => Date) | undefined }): RecordReport {
  const { table, logger, now } = options;
  const mails = createMailRepository({ table });
  const audit = createAuditRepository({ table, now });

  return ({ orderId, mailId, report }) =>
    retryOptimisticLock(async () => {
      const mail = await mails.findMail(orderId, mailId);
      if (!mail) return logger.warn('mail_report_ignored', { reason: 'mail_unknown', orderId, mailId });
      const next = afterReport(mail.report, report);
      if (next === mail.report) return;
      const after = { mailId, outcome: next.outcome, ...(next.bounce && { bounce: next.bounce }) };
      await table.transact([
        mails.recordReport(mail, next),
        audit.recordAudit({ actor: 'mail-sender', action: 'order.record_mail_report', targetId: orderId, after }),
      ]);
      logger.info('mail_reported', { orderId, ...after });
    });
}
