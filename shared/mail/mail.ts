import * as z from 'zod/mini';
import { idOf } from '../ids.ts';
import { dateTime } from '../schemas.ts';

/**
 * A mail in the outbox. It holds neither address nor token: the worker reads the
 * address from the order and mints the token when it sends.
 * See "The outbox" in README.md
 */
export const Mail = z.object({
  /** `issuance`, of which an order has at most one, or the id of a request for a fresh link. */
  id: z.string(),
  orderId: idOf('order'),
  /** `withheld`: when the mail was due, the order was not paid, or refunded or disputed. */
  state: z.enum(['pending', 'sent', 'no_recipient', 'withheld']),
  createdAt: dateTime,
  settledAt: z.optional(dateTime),
});
export type Mail = z.infer<typeof Mail>;

export const issuanceMailId = 'issuance';
