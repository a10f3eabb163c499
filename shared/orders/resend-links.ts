import type { Keyring } from '../crypto/keyring.ts';
import type { Table } from '../db/table.ts';
import { newId } from '../ids.ts';
import type { JobTask } from '../jobs/job.ts';
import type { JobRepository } from '../jobs/job-repository.ts';
import type { MailingRepository } from '../mail/mailing-repository.ts';
import { buyerEmailHashes } from './buyer-email.ts';

export type ResendLinks = (buyerEmail: string) => Promise<void>;

/**
 * Has a mail with fresh links sent to the address. Whether it is known, and may get another mail,
 * is left to the worker: here every address makes the same work, so that no time tells them apart.
 */
export function createResendLinks(dependencies: {
  table: Table;
  mailings: Pick<MailingRepository, 'requestMailing'>;
  jobs: JobRepository;
  sendJob: (task: JobTask) => Promise<void>;
  encryptionKeys: Keyring;
  now: () => Date;
}): ResendLinks {
  const { table, mailings, jobs, sendJob, encryptionKeys, now } = dependencies;

  return async (buyerEmail) => {
    const task = { kind: 'send-links' as const, mailId: newId('mail', now()) };
    await table.transact([mailings.requestMailing(task.mailId, buyerEmailHashes(buyerEmail, encryptionKeys)), jobs.addJob(task)]);
    await sendJob(task);
  };
}
