import * as z from 'zod/mini';
import { email, foldedInvoiceNumber, webUri } from '../addresses.ts';
import { fault } from '../faults/fault.ts';
import * as rules from '../faults/rules.ts';
import { nonBlankLine } from '../schemas.ts';

/** Left out it stays; empty it goes. */
const sentInvoiceNumber = z.optional(
  z.pipe(foldedInvoiceNumber, z.string().check(z.regex(/^(T[0-9]{13})?$/, fault(rules.notInvoiceNumberOrNone)))),
);

/** What a user sends to apply. */
export const CreateSellerRequest = z.object({
  displayName: nonBlankLine(200),
  contactEmail: email,
  supportEmail: email,
  siteUrl: webUri,
  invoiceRegistrationNumber: sentInvoiceNumber,
});
export type CreateSellerRequest = z.infer<typeof CreateSellerRequest>;

/** What a seller changes of where it is reached and of its invoices, without another review. */
export const UpdateSellerRequest = z.object({
  contactEmail: z.optional(email),
  supportEmail: z.optional(email),
  invoiceRegistrationNumber: sentInvoiceNumber,
});
export type UpdateSellerRequest = z.infer<typeof UpdateSellerRequest>;
