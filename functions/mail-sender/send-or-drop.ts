import type { Needs } from '../../shared/context.ts';
import { toMailbox } from '../../shared/email-address.ts';
import type { OutgoingMail } from '../../shared/mail/sending/mail-client.ts';
import { UndeliverableMailError } from '../../shared/mail/sending/send-failure.ts';

/** A mail that can never be delivered is no failure of its job. One that the mail service refuses is logged with these ids. */
export async function sendOrDrop(
  c: Needs<'logger' | 'send'>,
  mail: OutgoingMail,
  ids: Readonly<Record<string, string>> = { reference: mail.reference },
): Promise<'sent' | 'undeliverable'> {
  const to = toMailbox(mail.to);
  // Buyers type what they like on the provider's page, so that is no reason for an alarm.
  if (to === undefined) return 'undeliverable';
  try {
    await c.send({ ...mail, to });
    return 'sent';
  } catch (error) {
    if (!(error instanceof UndeliverableMailError)) throw error;
    // An alarm counts this message.
    c.logger.error('mail_undeliverable', { ...ids, reason: error.reason });
    return 'undeliverable';
  }
}
