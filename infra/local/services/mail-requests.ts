import * as z from 'zod/mini';
import type { Call } from '../access/call.ts';
import { account, region } from '../references.ts';

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

/** What a mail is allowed by: the identity that it goes out under, which is its domain unless the address is `verified`, and its configuration set. */
export function mailCalls({ FromEmailAddress: from, Destination, ConfigurationSetName }: SendEmail, verified: readonly string[]): Call[] {
  const address = /<([^<>]+)>\s*$/.exec(from)?.[1] ?? from.trim();
  const domain = address.slice(address.lastIndexOf('@') + 1);
  const context = { 'ses:FromAddress': address, 'ses:Recipients': Destination.ToAddresses };
  const sets = ConfigurationSetName === undefined ? [] : [`configuration-set/${ConfigurationSetName}`];
  return [`identity/${verified.includes(address) ? address : domain}`, ...sets].map((resource) => ({
    action: 'ses:SendEmail',
    resource: `arn:aws:ses:${region}:${account}:${resource}`,
    context,
  }));
}

const atom = "[\\w!#$%&'*+/=?^`{|}~-]+";
const plainLocalPart = new RegExp(`^${atom}(\\.${atom})*$`);
const quotedLocalPart = /^"([ !#-[\]-~]|\\[ -~])+"$/;
const domainName = /^(?=.{1,253}$)([a-z\d_]([a-z\d_-]{0,61}[a-z\d_])?\.)+[a-z\d-]*[a-z][a-z\d-]*$/i;

/** Why the mail service takes no such address, in its words; undefined where it takes it. */
function faultOfAddress(box: string): string | undefined {
  const address = /<([^<>]*)>\s*$/.exec(box)?.[1] ?? box;
  const at = address.lastIndexOf('@');
  const [localPart, domain] = [address.slice(0, Math.max(at, 0)), address.slice(at + 1)];
  if (at < 0 || domain === '') return "Missing final '@domain'";
  if (/[^ -~]/.test(address)) return `Invalid email address ${address}.`;
  if (!domainName.test(domain)) return 'Domain contains illegal character';
  if (quotedLocalPart.test(localPart) && localPart.length <= 66) return undefined;
  if (localPart.length > 64) return 'Local address is too long';
  if (localPart.includes('..')) return 'Local address contains dot-dot';
  if (/^\.|\.$/.test(localPart)) return `Local address ${localPart.startsWith('.') ? 'starts' : 'ends'} with dot`;
  return plainLocalPart.test(localPart) ? undefined : 'Illegal address';
}

/** As strict with recipients as the mail service. @throws MailRefusedError */
export function checkAddresses({ Destination, ReplyToAddresses = [] }: SendEmail): void {
  const [fault] = [...Destination.ToAddresses, ...ReplyToAddresses].flatMap((box) => faultOfAddress(box) ?? []);
  if (fault !== undefined) throw new MailRefusedError('BadRequestException', 400, fault);
}

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
