import * as z from 'zod/mini';
import { buyerEmail } from '../addresses.ts';
import { fault } from '../faults/fault.ts';
import * as rules from '../faults/rules.ts';
import { looseIdOf } from '../ids.ts';
import { nonBlankText } from '../schemas.ts';

/** What to look for: by one of three, whole. */
export const OrderSearchRequest = z
  .object({
    licenseKey: z.optional(nonBlankText(512)),
    buyerEmail: z.optional(buyerEmail),
    orderId: z.optional(looseIdOf('order')),
    cursor: z.optional(nonBlankText(1024)),
  })
  .check(
    z.refine(
      ({ licenseKey, buyerEmail, orderId }) => [licenseKey, buyerEmail, orderId].filter((term) => term !== undefined).length === 1,
      fault(rules.notOneTerm),
    ),
  )
  .register(z.globalRegistry, { oneOf: [{ required: ['licenseKey'] }, { required: ['buyerEmail'] }, { required: ['orderId'] }] });
export type OrderSearchRequest = z.infer<typeof OrderSearchRequest>;
