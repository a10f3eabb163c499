import * as z from 'zod/mini';
import { idOf } from '../ids.ts';
import { dateTime } from '../schemas.ts';

/**
 * A mail in the outbox. It holds neither address nor token: the worker reads the
 * address from the order and mints the token when it sends. Source: decisions.md §7 "E-mail".
 */
export const Mail = z.object({
  /** `issuance`, of which an order has at most one, or the id of a link that was asked for again. */
  id: z.string(),
  orderId: idOf('order'),
  /** `withheld`: the order was not paid, or no longer, when the mail was to go out. */
  state: z.enum(['pending', 'sent', 'no_recipient', 'withheld']),
  createdAt: dateTime,
  settledAt: z.optional(dateTime),
});
export type Mail = z.infer<typeof Mail>;

export const issuanceMailId = 'issuance';

/** What a mail's job says it is about. */
export const mailRef = (mail: Pick<Mail, 'orderId' | 'id'>) => `${mail.orderId}/${mail.id}`;
