import * as z from 'zod/mini';
import { activationLimit, sentTime } from '../schemas.ts';

/** What sellers may set of a license they sold. */
export const ChangeLicenseRequest = z
  .object({ activationLimit: z.optional(activationLimit), updatesUntil: z.optional(sentTime({ offset: false })) })
  .check(
    z.refine(
      ({ activationLimit, updatesUntil }) => activationLimit !== undefined || updatesUntil !== undefined,
      'must have activation_limit or updates_until',
    ),
  )
  .register(z.globalRegistry, { minProperties: 1 });
export type ChangeLicenseRequest = z.infer<typeof ChangeLicenseRequest>;
