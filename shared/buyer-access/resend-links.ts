import { buyerEmailHashes, mailboxHash } from '../buyer-email/buyer-email.ts';
import type { Needs } from '../context.ts';
import { newId } from '../ids.ts';
import { addJob } from '../jobs/job-repository.ts';
import type { Locale } from '../locale.ts';
import { requestLinkMail } from '../mail/outbox/link-mail-repository.ts';

/**
 * Has a mail with fresh links sent to the address. Whether it is known, and may get another mail,
 * is left to the worker: here every address makes the same work, so that no time tells them apart.
 *
 * @param locale the language in which it is asked for, if that is known; else the mail has that of the latest purchase
 */
export async function resendLinks(
  c: Needs<'table' | 'now' | 'sendJob' | 'ENCRYPTION_KEYS'>,
  buyerEmail: string,
  locale: Locale | undefined,
): Promise<void> {
  const task = { kind: 'send-links' as const, mailId: newId('mail', c.now()) };
  await c.table.transact([
    requestLinkMail(c, task.mailId, {
      emailHashes: buyerEmailHashes(buyerEmail, c.settings.ENCRYPTION_KEYS),
      mailboxHash: mailboxHash(buyerEmail, c.settings.ENCRYPTION_KEYS),
      locale,
    }),
    addJob(c, task),
  ]);
  await c.sendJob(task);
}
