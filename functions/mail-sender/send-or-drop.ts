import type { Needs } from '../../shared/context.ts';
import type { OutgoingMail } from '../../shared/mail/sending/mail-client.ts';
import { UndeliverableMailError } from '../../shared/mail/sending/send-failure.ts';

/** For mails that nothing is recorded about. */
export async function sendOrDrop(c: Needs<'logger' | 'send'>, mail: OutgoingMail): Promise<'sent' | 'undeliverable'> {
  try {
    await c.send(mail);
    return 'sent';
  } catch (error) {
    if (!(error instanceof UndeliverableMailError)) throw error;
    c.logger.error('mail_undeliverable', { reference: mail.reference, reason: error.reason });
    return 'undeliverable';
  }
}
