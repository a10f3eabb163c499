import * as z from 'zod/mini';
import { idOf, type OrderId } from '../../shared/ids.ts';
import type { MailReport } from '../../shared/mail/outbox/mail-report.ts';

/** What became of one mail. */
export interface ReportedMail {
  orderId: OrderId;
  mailId: string;
  report: MailReport;
}

/** A tag of an SES message: its values, of which ours have one. */
const oneOf = <Value extends z.ZodMiniType>(value: Value) => z.tuple([value]);
const isId = z.regex(/^[\w-]{1,64}$/);
const about = {
  orderId: oneOf(idOf('order').check(isId)),
  mailId: oneOf(z.string().check(isId)),
  time: z.string().check(z.maxLength(64), z.refine(isTime)),
};
const shortText = z.string().check(z.maxLength(100));

/** An event of the mail service as the rules in infra/constructs/mail-delivery.ts reduce it: no address is in it. */
export const ReportMessage = z.discriminatedUnion('type', [
  z.object({ ...about, type: z.literal('Email Bounced'), bounceType: shortText, bounceSubType: shortText }),
  z.object({ ...about, type: z.enum(['Email Complaint Received', 'Email Rejected', 'Email Delivery Delayed']) }),
]);
export type ReportMessage = z.infer<typeof ReportMessage>;

const outcomes = {
  'Email Complaint Received': 'complained',
  'Email Rejected': 'rejected',
  'Email Delivery Delayed': 'delayed',
} as const;

/** The report and its mail. A bounce is permanent only if the event says so. */
export function reportOf(message: ReportMessage): ReportedMail {
  const [orderId] = message.orderId;
  const [id] = message.mailId;
  const at = new Date(message.time).toISOString();
  if (message.type !== 'Email Bounced') return { orderId, mailId: id, report: { outcome: outcomes[message.type], at } };
  // `Suppressed`, `OnAccountSuppressionList`, …: nothing was sent.
  if (/suppress/i.test(message.bounceSubType)) return { orderId, mailId: id, report: { outcome: 'suppressed', at } };
  const bounce = message.bounceType === 'Permanent' ? 'permanent' : 'transient';
  return { orderId, mailId: id, report: { outcome: 'bounced', bounce, at } };
}

function isTime(text: string): boolean {
  return !Number.isNaN(Date.parse(text));
}
