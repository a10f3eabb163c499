import * as z from 'zod/mini';
import { email, nonBlankLine, optionalInvoiceNumber, webUri } from '../schemas.ts';

/** Left out it stays; empty it goes. */
const sentInvoiceNumber = z.optional(optionalInvoiceNumber);

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
