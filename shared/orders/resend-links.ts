import type { Keyring } from '../crypto/keyring.ts';
import type { Table } from '../db/table.ts';
import { newId } from '../ids.ts';
import type { JobTask } from '../jobs/job.ts';
import { createJobRepository } from '../jobs/job-repository.ts';
import type { Locale } from '../locale.ts';
import { createMailingRepository } from '../mail/mailing-repository.ts';
import { buyerEmailHashes } from './buyer-email.ts';

/** `locale`: the language in which it is asked for, if that is known; else the mail speaks that of the latest purchase. */
export type ResendLinks = (buyerEmail: string, locale: Locale | undefined) => Promise<void>;

/**
 * Has a mail with fresh links sent to the address. Whether it is known, and may get another mail,
 * is left to the worker: here every address makes the same work, so that no time tells them apart.
 */
export function createResendLinks(options: {
  table: Table;
  /** Tells the mail worker of a committed job. */
  sendJob: (task: JobTask) => Promise<void>;
  encryptionKeys: Keyring;
  now?: (() => Date) | undefined;
}): ResendLinks {
  const { table, sendJob, encryptionKeys, now = () => new Date() } = options;
  const mailings = createMailingRepository({ table, now });
  const jobs = createJobRepository({ table, now });

  return async (buyerEmail, locale) => {
    const task = { kind: 'send-links' as const, mailId: newId('mail', now()) };
    await table.transact([
      mailings.requestMailing(task.mailId, { emailHashes: buyerEmailHashes(buyerEmail, encryptionKeys), locale }),
      jobs.addJob(task),
    ]);
    await sendJob(task);
  };
}
