import * as z from 'zod/mini';
import { idOf } from '../../ids.ts';
import { dateTime } from '../../schemas.ts';
import { MailReport } from './mail-report.ts';

/** `completion` leads to the purchase; the others tell the buyer what was done to it, and hold no link to it. */
export const MailKind = z.enum([
  'completion',
  'device_released',
  'key_replaced',
  'address_corrected',
  'payment_refunded',
  'dispute_lost',
  'addition_counts',
  'addition_ends',
  'license_upgraded',
  'upgrade_held_refunded',
  'upgrade_held_disputed',
]);
export type MailKind = z.infer<typeof MailKind>;
export type NoticeKind = Exclude<MailKind, 'completion'>;

/**
 * What has a mail sent. `free` is whatever costs nobody money, so that anybody can have as many as they like: of these an
 * address gets few. See "How many mails an address gets" in shared/mail/README.md
 */
const MailCause = z.enum(['payment', 'admin', 'free']);
export type MailCause = z.infer<typeof MailCause>;

/** An addition as the buyer of its license is told of it, with what the license has since. */
const MailedAddition = z.object({
  kind: z.enum(['seats', 'updates']),
  quantity: z.int(),
  /** By how many days one lengthens the updates. */
  updatesDays: z.int(),
  activationLimit: z.int(),
  updatesUntil: z.optional(dateTime),
});
export type MailedAddition = z.infer<typeof MailedAddition>;

/**
 * A mail in the outbox. It holds no token and no address in the clear: the worker reads the
 * address from the order and mints the token when it sends.
 * See "The outbox" in shared/mail/outbox.md
 */
export const Mail = z.object({
  /** `issuance`, of which an order has at most one, or an id of its own. */
  id: z.string(),
  orderId: idOf('order'),
  kind: z._default(MailKind, 'completion'),
  /** What has it sent, where its order does not say. */
  cause: z.optional(MailCause),
  /** Where it goes if not to the order's address: encrypted and bound to the order id. */
  sealedTo: z.optional(z.string()),
  /** Which device was released, in the words of its app. */
  deviceLabel: z.optional(z.string()),
  /** What counts for the license from now on, or no longer. */
  addition: z.optional(MailedAddition),
  /** To which product the license was upgraded. */
  upgrade: z.optional(z.object({ productName: z.string() })),
  /**
   * `withheld`: when the mail was due, the order was not paid, or refunded or disputed.
   * `superseded`: by then the order had another completion mail to send, or a later one of its kind that waited too.
   * `undeliverable`: no mail can reach the address, or the mail service would not take it.
   */
  state: z.enum(['pending', 'sent', 'no_recipient', 'withheld', 'superseded', 'undeliverable']),
  createdAt: dateTime,
  settledAt: z.optional(dateTime),
  /** The gravest that the mail service reported after it took the mail. */
  report: z.optional(MailReport),
});
export type Mail = z.infer<typeof Mail>;

/** How a mail fared: what was reported of it, else what became of it here. */
export const MailStatus = z.object({
  mailId: z.string(),
  state: z.enum([...Mail.shape.state.options, ...MailReport.shape.outcome.options]),
  bounce: MailReport.shape.bounce,
  /** Whether the mail service delivers nothing more to this address until an operator lifts that. */
  addressSuppressed: z.boolean(),
  at: dateTime,
});
export type MailStatus = z.infer<typeof MailStatus>;

export function mailStatusOf({ id, state, createdAt, settledAt, report }: Mail): MailStatus {
  const here = { state, at: settledAt ?? createdAt };
  const reported = report && { state: report.outcome, bounce: report.bounce, at: report.at };
  const addressSuppressed = report?.outcome === 'suppressed' || report?.outcome === 'complained' || report?.bounce === 'permanent';
  return { mailId: id, ...here, ...reported, addressSuppressed };
}

export const issuanceMailId = 'issuance';
