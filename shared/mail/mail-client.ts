import { SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';

export interface OutgoingMail {
  to: string;
  subject: string;
  text: string;
  html: string;
}

export type SendMail = (mail: OutgoingMail) => Promise<void>;

/** Sends through SES; bounded well inside the mail worker's lease. */
export function createMailClient({ from, client = createSesClient() }: { from: string; client?: SESv2Client }): SendMail {
  return async ({ to, subject, text, html }) => {
    const part = (data: string) => ({ Data: data, Charset: 'UTF-8' });
    await client.send(
      new SendEmailCommand({
        FromEmailAddress: from,
        Destination: { ToAddresses: [to] },
        Content: { Simple: { Subject: part(subject), Body: { Text: part(text), Html: part(html) } } },
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
