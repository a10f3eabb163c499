import * as z from 'zod/mini';
import { type ChargeFacts, latestTime, refundedAmountOf, refundedAtOf } from '../payments/payment-facts.ts';
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

/** Of an order, what its invoice is made of. */
export interface InvoicedOrder {
  /** The total, in the minor unit. */
  amount: number;
  invoice?: InvoiceTerms | undefined;
  checkout: { paidAt?: string | undefined };
}

/**
 * The invoice of an order as it is now; undefined of one that was not paid or has none. What was given back, by refunds
 * and by lost disputes, is one entry, at most the total.
 */
export function invoiceOf(
  { amount: total, invoice: terms, checkout: { paidAt } }: InvoicedOrder,
  charge: ChargeFacts,
): Invoice | undefined {
  if (terms === undefined || paidAt === undefined) return undefined;
  const { taxPercent } = terms;
  const losses = Object.values(charge.disputes).filter(({ state }) => state === 'lost');
  const refunded = refundedAmountOf(charge);
  // The disputed amount was not always stored; without it the dispute is for the full amount.
  const amount = Math.min(
    total,
    losses.reduce((sum, loss) => sum + (loss.amount ?? total), refunded),
  );
  const refundedAt = latestTime([refunded > 0 ? refundedAtOf(charge) : undefined, ...losses.map(({ at }) => at)]) ?? paidAt;
  return {
    ...terms,
    taxAmount: includedTax(total, taxPercent),
    ...(amount > 0 && { refunds: [{ amount, taxAmount: includedTax(amount, taxPercent), refundedAt }] }),
  };
}

/** The tax within an amount, rounded down to the minor unit. */
export const includedTax = (amount: number, taxPercent: number): number => Math.floor((amount * taxPercent) / (100 + taxPercent));
