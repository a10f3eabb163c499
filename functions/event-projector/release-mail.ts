import type { OrderId } from '../../shared/ids.ts';
import type { JobTask } from '../../shared/jobs/job.ts';
import type { JobRepository } from '../../shared/jobs/job-repository.ts';
import { issuanceMailId } from '../../shared/mail/mail.ts';
import type { MailRepository } from '../../shared/mail/mail-repository.ts';
import type { LicenseOutcome } from './issue-license.ts';

/**
 * Makes an order's issuance mail pending again when the hold of its license is lifted: it was
 * withheld if it was due while the order was disputed or refunded. A mail that was sent is not
 * sent again.
 */
export type ReleaseMail = (orderId: OrderId) => Promise<Pick<LicenseOutcome, 'writes' | 'jobs'>>;

export function createReleaseMail({ mails, jobs }: { mails: MailRepository; jobs: JobRepository }): ReleaseMail {
  return async (orderId) => {
    const mail = await mails.findMail(orderId, issuanceMailId);
    // Its job will read the order as it is from now on; the check fails if the job withholds the mail at this moment.
    if (mail?.state === 'pending') return { writes: [mails.mailPending(mail)], jobs: [] };
    if (mail?.state !== 'withheld') return { writes: [], jobs: [] };
    const task: JobTask = { kind: 'send-mail', orderId, mailId: mail.id };
    return { writes: [mails.releaseMail(mail), jobs.addJob(task)], jobs: [task] };
  };
}
