import * as z from 'zod/mini';
import { Hold } from '../entitlements/holds.ts';
import { idOf } from '../ids.ts';
import { Invoice } from '../invoices/invoice.ts';
import { orderKinds } from '../orders/order.ts';
import { disclosureFields } from '../orders/order-terms.ts';
import { OrderStatus, PaymentStatus } from '../payments/payment-facts.ts';
import { dateTime } from '../schemas.ts';
import { LicenseStatus } from './license.ts';

/** What can be bought for the license now, and for how much in the minor unit of the live currency. */
export const Offers = z.object({
  seat: z.optional(z.object({ unitAmount: z.int(), currency: z.string() })),
  updates: z.optional(z.object({ amount: z.int(), currency: z.string(), days: z.int() })),
  /** `amount` and `activationLimit` are for the quantity of the order. */
  upgrades: z.optional(
    z.array(
      z.object({
        productId: idOf('product'),
        slug: z.string(),
        name: z.string(),
        amount: z.int(),
        currency: z.string(),
        activationLimit: z.int(),
      }),
    ),
  ),
});
export type Offers = z.infer<typeof Offers>;

/** What the buyer's page shows of a purchase. */
export const PurchaseCompletionPageResponse = z.object({
  order: z.object({
    id: idOf('order'),
    status: OrderStatus,
    amount: z.int(),
    currency: z.string(),
    /** `lost`: the card issuer gave the money back. */
    paymentStatus: PaymentStatus,
    amountRefunded: z.int(),
    kind: z.enum(orderKinds),
    quantity: z.int(),
    unitAmount: z.int(),
    /** What the discount took off the whole order. */
    discountAmount: z.optional(z.int()),
    /** Of an upgrade whose license is held through an order that it was upgraded from. */
    held: z.optional(z.object({ why: Hold })),
    /** The same address paid for the same product in the 24 hours before, which was not refunded in full. */
    boughtBefore: z.optional(z.object({ paidAt: dateTime })),
    invoice: z.optional(Invoice),
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
    ...disclosureFields,
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
  /** What an addition added, in words; only of additions. */
  added: z.optional(z.string()),
  /** Of a usable license. */
  offers: z.optional(Offers),
  files: z.array(
    z.object({ fileId: idOf('file'), fileName: z.string(), contentType: z.string(), sizeBytes: z.int(), sha256Hex: z.string() }),
  ),
  /** To the payer alone, who has typed it: where the link was mailed, in full and masked. */
  buyerEmail: z.optional(z.string()),
  buyerEmailMasked: z.optional(z.string()),
  /** To the payer, where what was typed for an address at the checkout is none that a mail can reach. */
  buyerEmailUnreachable: z.optional(z.literal(true)),
  expiresAt: dateTime,
});
export type PurchaseCompletionPageResponse = z.infer<typeof PurchaseCompletionPageResponse>;
