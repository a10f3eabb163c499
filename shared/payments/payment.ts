import * as z from 'zod/mini';
import { idOf } from '../ids.ts';
import { ChargeFacts } from './payment-facts.ts';

/** What is known of one payment intent; `orderId` once it is bound to an order. */
export const Payment = z.object({
  id: z.string(),
  orderId: z.optional(idOf('order')),
  charge: ChargeFacts,
  revision: z.int(),
});
export type Payment = z.infer<typeof Payment>;
