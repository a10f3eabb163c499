import { GetAccountCommand, SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import type { RenderedMail } from '../layout/mail-layout.ts';
import { mailboxOf } from '../layout/mailbox.ts';
import { jobErrorOf } from './send-failure.ts';
import { createSendPace, type WaitForTurn } from './send-pace.ts';

export interface OutgoingMail extends RenderedMail {
  to: string;
  /** The same each time this mail is sent, and of no other mail. */
  reference: string;
  /** What the mail service names when it tells what became of the mail. */
  tags?: Readonly<Record<MailTag, string>> | undefined;
}

/** The names of a mail's tags, which its events bear. */
export const mailTags = ['order_id', 'mail_id'] as const;
export type MailTag = (typeof mailTags)[number];

/**
 * Sends a mail.
 *
 * @throws ThrottledJobError when the account may not send now
 * @throws UndeliverableMailError when the mail will never be taken
 * @throws FailedJobError when the mail service refuses it for another reason
 */
export type SendMail = (mail: OutgoingMail) => Promise<void>;

/** Sends through SES, always from the address `from`, as fast as the account may; bounded well inside the mail worker's lease. */
export function createMailClient({
  from,
  configurationSet,
  client = createSesClient(),
  pace = createSendPace({ readRate: () => readSendRate(client) }),
}: {
  from: string;
  /** Where the events of the mails go, among others. */
  configurationSet: string;
  client?: SESv2Client;
  pace?: WaitForTurn;
}): SendMail {
  return async ({ to, reference, tags, subject, text, html, senderName, replyTo }) => {
    const part = (data: string) => ({ Data: data, Charset: 'UTF-8' });
    const Headers = [
      { Name: 'Auto-Submitted', Value: 'auto-generated' },
      { Name: 'X-Entity-Ref-ID', Value: reference },
    ];
    await pace();
    const command = new SendEmailCommand({
      FromEmailAddress: mailboxOf(senderName, from),
      ...(replyTo !== undefined && { ReplyToAddresses: [replyTo] }),
      Destination: { ToAddresses: [to] },
      Content: { Simple: { Subject: part(subject), Body: { Text: part(text), Html: part(html) }, Headers } },
      ConfigurationSetName: configurationSet,
      ...(tags && { EmailTags: mailTags.map((Name) => ({ Name, Value: tags[Name] })) }),
    });
    await client.send(command).catch((error) => {
      throw jobErrorOf(error, to);
    });
  };
}

async function readSendRate(client: SESv2Client): Promise<number | undefined> {
  const account = await client.send(new GetAccountCommand({})).catch(() => undefined);
  return account?.SendQuota?.MaxSendRate;
}

function createSesClient(): SESv2Client {
  return new SESv2Client({
    maxAttempts: 2,
    requestHandler: { connectionTimeout: 1000, requestTimeout: 5000, throwOnRequestTimeout: true },
  });
}
