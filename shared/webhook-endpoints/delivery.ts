import * as z from 'zod/mini';
import { idOf } from '../ids.ts';
import { dateTime } from '../schemas.ts';
import { sellerEventTypes } from '../seller-events/seller-event.ts';

export const deliveryStatuses = ['pending', 'delivered', 'failed'] as const;

/** An event on its way to one endpoint, or how it got there. */
export const Delivery = z.object({
  eventId: idOf('event'),
  type: z.enum(sellerEventTypes),
  status: z.enum(deliveryStatuses),
  /** How often it was sent since it was last asked for. */
  attempts: z.int(),
  lastStatusCode: z.optional(z.int()),
  /** Why the last attempt failed: a code, never what the receiver said. */
  lastError: z.optional(z.string()),
  nextAttemptAt: z.optional(dateTime),
  createdAt: dateTime,
});
export type Delivery = z.infer<typeof Delivery>;

/** How long one run of deliveries to an endpoint may hold their job: longer than the function that runs them lives. */
export const deliveryLeaseSeconds = 60;
