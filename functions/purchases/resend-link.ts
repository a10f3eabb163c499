import * as z from 'zod/mini';
import type { Keyring } from '../../shared/crypto/keyring.ts';
import type { Table } from '../../shared/db/table.ts';
import { hasCode } from '../../shared/errors.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import type { LimitRate } from '../../shared/http/rate-limit.ts';
import { newId } from '../../shared/ids.ts';
import type { JobTask } from '../../shared/jobs/job.ts';
import type { JobRepository } from '../../shared/jobs/job-repository.ts';
import type { MailRepository } from '../../shared/mail/mail-repository.ts';
import { buyerEmailHashes } from '../../shared/orders/buyer-email.ts';
import { isMailable } from '../../shared/orders/order.ts';
import type { OrderRepository } from '../../shared/orders/order-repository.ts';
import type { JobSender } from '../../shared/queue/job-sender.ts';
import { email } from '../../shared/schemas.ts';

export const resendLink = endpoint({
  operationId: 'resendLink',
  method: 'POST',
  path: '/v1/purchases/resend-link',
  tag: 'Purchases',
  summary: 'Mails fresh completion links for the paid orders of an e-mail address',
  description: 'The reply is the same whether or not the address is known. An address gets at most 3 such mailings an hour.',
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

/** Puts a mail into the outbox for each paid order of the address; beyond the limit of mailings it does nothing. */
export function createResendLinks(dependencies: {
  table: Table;
  orders: OrderRepository;
  mails: MailRepository;
  jobs: JobRepository;
  sender: JobSender;
  limitResends: LimitRate;
  encryptionKeys: Keyring;
  now: () => Date;
}): ResendLinks {
  const { table, orders, mails, jobs, sender, limitResends, encryptionKeys, now } = dependencies;

  async function mayResend(emailHash: string): Promise<boolean> {
    try {
      await limitResends('resend', emailHash);
      return true;
    } catch (error) {
      if (hasCode(error, 'rate_limited')) return false;
      throw error;
    }
  }

  return async (buyerEmail) => {
    const hashes = buyerEmailHashes(buyerEmail, encryptionKeys);
    if (!(await mayResend(hashes[0]))) return;
    const found = await Promise.all(hashes.map((hash) => orders.findOrdersOfBuyer(hash)));
    const resends = found
      .flat()
      .filter(isMailable)
      .map((order) => ({ id: newId('mail', now()), orderId: order.id }));
    for (const mail of resends) {
      const task: JobTask = { kind: 'send-mail', orderId: mail.orderId, mailId: mail.id };
      await table.transact([mails.addMail(mail, now()), jobs.addJob(task)]);
      await sender.sendJob(task);
    }
  };
}
