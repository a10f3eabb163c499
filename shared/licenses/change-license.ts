import * as z from 'zod/mini';
import { fault } from '../faults/fault.ts';
import * as rules from '../faults/rules.ts';
import { activationLimit } from '../products/fields.ts';
import { requestTime } from '../schemas.ts';

/** What sellers may set of a license they sold. */
export const ChangeLicenseRequest = z
  .object({ activationLimit: z.optional(activationLimit), updatesUntil: z.optional(requestTime({ offset: false })) })
  .check(
    z.refine(
      ({ activationLimit, updatesUntil }) => activationLimit !== undefined || updatesUntil !== undefined,
      fault(rules.nothingToChange),
    ),
  )
  .register(z.globalRegistry, { minProperties: 1 });
export type ChangeLicenseRequest = z.infer<typeof ChangeLicenseRequest>;
