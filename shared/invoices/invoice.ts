import * as z from 'zod/mini';
import { dateTime } from '../schemas.ts';

/** Of what the invoice of an order is made, as it was when its checkout began. */
export const InvoiceTerms = z.object({
  registrationNumber: z.string(),
  sellerName: z.string(),
  /** Within the price. */
  taxPercent: z.int(),
  /** Where the operator issues it in the seller's place. */
  operatorName: z.optional(z.string()),
  operatorRegistrationNumber: z.optional(z.string()),
});
export type InvoiceTerms = z.infer<typeof InvoiceTerms>;

/** What an invoice states of tax, in the minor unit; what was given back is one entry. */
export const Invoice = z.extend(InvoiceTerms, {
  taxAmount: z.int(),
  refunds: z.optional(z.array(z.object({ amount: z.int(), taxAmount: z.int(), refundedAt: dateTime }))),
});
export type Invoice = z.infer<typeof Invoice>;

/** The tax within an amount, rounded down to the minor unit. */
export const taxWithin = (amount: number, taxPercent: number): number => Math.floor((amount * taxPercent) / (100 + taxPercent));
