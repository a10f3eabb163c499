import * as z from 'zod/mini';
import type { Keyring } from '../../shared/crypto/keyring.ts';
import type { Table } from '../../shared/db/table.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { newId } from '../../shared/ids.ts';
import type { JobRepository } from '../../shared/jobs/job-repository.ts';
import type { MailingRepository } from '../../shared/mail/mailing-repository.ts';
import { buyerEmailHashes } from '../../shared/orders/buyer-email.ts';
import type { JobSender } from '../../shared/queue/job-sender.ts';
import { email } from '../../shared/schemas.ts';

export const resendLink = endpoint({
  operationId: 'resendLink',
  method: 'POST',
  path: '/v1/purchases/resend-link',
  tag: 'Purchases',
  summary: 'Mails fresh completion links for the paid orders of an e-mail address, all in one mail',
  description: 'The reply is the same whether or not the address is known. An address gets at most 3 such mails an hour.',
  audience: 'anyone',
  rateLimit: 'complete',
  body: z.object({ buyerEmail: email }),
  success: { status: 202, body: z.object({}) },
  errors: [],
  handle: async ({ body }, { resendLinks }: { resendLinks: ResendLinks }) => {
    await resendLinks(body.buyerEmail);
    return {};
  },
});

export type ResendLinks = (buyerEmail: string) => Promise<void>;

/**
 * Has a mail with fresh links sent to the address. Whether it is known, and may get another mail,
 * is left to the worker: here every address makes the same work, so that no time tells them apart.
 */
export function createResendLinks(dependencies: {
  table: Table;
  mailings: Pick<MailingRepository, 'requestMailing'>;
  jobs: JobRepository;
  sender: JobSender;
  encryptionKeys: Keyring;
  now: () => Date;
}): ResendLinks {
  const { table, mailings, jobs, sender, encryptionKeys, now } = dependencies;

  return async (buyerEmail) => {
    const task = { kind: 'send-links' as const, mailId: newId('mail', now()) };
    await table.transact([mailings.requestMailing(task.mailId, buyerEmailHashes(buyerEmail, encryptionKeys)), jobs.addJob(task)]);
    await sender.sendJob(task);
  };
}
