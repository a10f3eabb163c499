import { SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import type { RenderedMail } from './mail-page.ts';
import { mailboxOf } from './mailbox.ts';

export interface OutgoingMail extends RenderedMail {
  to: string;
  /** The same each time this mail is sent, and of no other mail. */
  reference: string;
}

export type SendMail = (mail: OutgoingMail) => Promise<void>;

/** Sends through SES, always from the address `from`; bounded well inside the mail worker's lease. */
export function createMailClient({ from, client = createSesClient() }: { from: string; client?: SESv2Client }): SendMail {
  return async ({ to, reference, subject, text, html, senderName, replyTo }) => {
    const part = (data: string) => ({ Data: data, Charset: 'UTF-8' });
    const Headers = [
      { Name: 'Auto-Submitted', Value: 'auto-generated' },
      { Name: 'X-Entity-Ref-ID', Value: reference },
    ];
    await client.send(
      new SendEmailCommand({
        FromEmailAddress: mailboxOf(senderName, from),
        ...(replyTo !== undefined && { ReplyToAddresses: [replyTo] }),
        Destination: { ToAddresses: [to] },
        Content: { Simple: { Subject: part(subject), Body: { Text: part(text), Html: part(html) }, Headers } },
      }),
    );
  };
}

function createSesClient(): SESv2Client {
  return new SESv2Client({
    maxAttempts: 2,
    requestHandler: { connectionTimeout: 1000, requestTimeout: 5000, throwOnRequestTimeout: true },
  });
}
