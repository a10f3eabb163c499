import type { JobRepository } from '../../shared/jobs/job-repository.ts';
import { issuanceMailId, mailRef } from '../../shared/mail/mail.ts';
import type { MailRepository } from '../../shared/mail/mail-repository.ts';
import type { LicenseOutcome } from './issue-license.ts';

/**
 * What sends an order's mail after all, when the order's license is given back: a mail
 * that came up while the order was disputed or refunded was withheld, and its buyer
 * heard nothing yet. A mail that went out does not go out again.
 */
export type ReleaseMail = (orderId: string) => Promise<Pick<LicenseOutcome, 'writes' | 'jobs'>>;

export function createReleaseMail({ mails, jobs }: { mails: MailRepository; jobs: JobRepository }): ReleaseMail {
  return async (orderId) => {
    const mail = await mails.findMail(orderId, issuanceMailId);
    // Its job will look at the order as it is from now on, unless it withholds the mail at this very moment.
    if (mail?.state === 'pending') return { writes: [mails.mailPending(mail)], jobs: [] };
    if (mail?.state !== 'withheld') return { writes: [], jobs: [] };
    const job = { kind: 'send-mail', ref: mailRef(mail) } as const;
    return { writes: [mails.releaseMail(mail), jobs.addJob(job.kind, job.ref)], jobs: [job] };
  };
}
