import type { Needs } from '../../shared/context.ts';
import type { OutgoingMail } from '../../shared/mail/sending/mail-client.ts';
import { UndeliverableMailError } from '../../shared/mail/sending/send-failure.ts';

/** A mail that can never be delivered is no failure of its job; it is logged with these ids. */
export async function sendOrDrop(
  c: Needs<'logger' | 'send'>,
  mail: OutgoingMail,
  ids: Readonly<Record<string, string>> = { reference: mail.reference },
): Promise<'sent' | 'undeliverable'> {
  try {
    await c.send(mail);
    return 'sent';
  } catch (error) {
    if (!(error instanceof UndeliverableMailError)) throw error;
    // An alarm counts this message.
    c.logger.error('mail_undeliverable', { ...ids, reason: error.reason });
    return 'undeliverable';
  }
}
