import * as z from 'zod/mini';
import type { OutgoingMail } from '../access/mail-calls.ts';

const Content = z.optional(z.object({ Data: z.string() }));
/** As strict as the mail service: a header that it takes is ASCII on one line, and none of those that it sets itself. */
const headerName = z.string().check(
  z.regex(/^[!-9;-~]{1,126}$/),
  z.refine((name) => !/^(bcc|cc|content-.*|date|from|message-id|mime-version|reply-to|return-path|subject|to)$/i.test(name)),
);
const headerValue = z.string().check(z.regex(/^[ -~]{0,870}$/));
const mailbox = z.string().check(z.regex(/^[ -~]{1,900}$/));
const tagText = z.string().check(z.regex(/^[\w-]{1,256}$/));

/** A SendEmail request of the mail service (SES v2), as far as the app makes use of it. */
const SendEmail = z.object({
  FromEmailAddress: mailbox,
  ReplyToAddresses: z.optional(z.array(mailbox)),
  Destination: z.object({ ToAddresses: z.array(z.string()) }),
  Content: z.object({
    Simple: z.object({
      Subject: Content,
      Body: z.object({ Text: Content, Html: Content }),
      Headers: z.optional(z.array(z.object({ Name: headerName, Value: headerValue }))),
    }),
  }),
  ConfigurationSetName: z.optional(z.string()),
  EmailTags: z.optional(z.array(z.object({ Name: tagText, Value: tagText }))),
});
export type SendEmail = z.infer<typeof SendEmail>;

/** @throws Error when the body is no such request. */
export const readMail = (body: Buffer): SendEmail => z.parse(SendEmail, JSON.parse(body.toString('utf8')));

/** Of a mail, what decides who may send it. */
export const sentBy = ({ FromEmailAddress, Destination, ConfigurationSetName }: SendEmail): OutgoingMail => ({
  from: FromEmailAddress,
  to: Destination.ToAddresses,
  configurationSet: ConfigurationSetName,
});

/** The mail service refuses a request: with the name of its error and, as the real one, a text that may name addresses. */
export class MailRefusedError extends Error {
  readonly status: number;
  constructor(name: string, status: number, message: string) {
    super(message);
    this.name = name;
    this.status = status;
  }
}

/** The address alone, of a mailbox with or without a name. */
export const addressOf = (box: string) => (/<([^<>]*)>\s*$/.exec(box)?.[1] ?? box).toLowerCase();
