import * as z from 'zod/mini';
import { idOf } from '../ids.ts';
import { disclosedTerms } from '../orders/order-terms.ts';
import { OrderStatus } from '../payments/payment-facts.ts';
import { dateTime } from '../schemas.ts';
import { LicenseStatus } from './license.ts';

/** What the buyer's page shows of a purchase. */
export const PurchaseCompletionPageResponse = z.object({
  order: z.object({
    id: idOf('order'),
    status: OrderStatus,
    amount: z.int(),
    currency: z.string(),
    amountRefunded: z.int(),
    paidAt: dateTime,
    /** The day of the payment in the zone of the order, as its mail and its receipt tell it. */
    paidOn: z.iso.date(),
    timeZone: z.string(),
  }),
  product: z.object({
    id: idOf('product'),
    slug: z.string(),
    name: z.string(),
    sellerId: idOf('seller'),
    ...disclosedTerms,
  }),
  license: z.optional(
    z.object({
      id: idOf('license'),
      status: LicenseStatus,
      licenseKey: z.optional(z.string()),
      activationLimit: z.int(),
      activationCount: z.int(),
      issuedAt: dateTime,
      updatesUntil: z.optional(dateTime),
    }),
  ),
  files: z.array(
    z.object({ fileId: idOf('file'), fileName: z.string(), contentType: z.string(), sizeBytes: z.int(), sha256Hex: z.string() }),
  ),
  /** To the payer alone, who has typed it: where the link was mailed, in full and masked. */
  buyerEmail: z.optional(z.string()),
  buyerEmailMasked: z.optional(z.string()),
  expiresAt: dateTime,
});
export type PurchaseCompletionPageResponse = z.infer<typeof PurchaseCompletionPageResponse>;
