import * as z from 'zod/mini';
import { dateTime } from '../schemas.ts';

export const productStatuses = ['draft', 'pending_review', 'approved', 'published', 'unpublished', 'rejected', 'suspended'] as const;
export type ProductStatus = (typeof productStatuses)[number];

export const LicenseIssuanceMode = z.enum(['generated_server_validated', 'imported_csv']);
export type LicenseIssuanceMode = z.infer<typeof LicenseIssuanceMode>;

/** A product as its seller and the admins see it. Source: interface.md §2, decisions.md §4. */
export const Product = z.object({
  id: z.string(),
  sellerId: z.string(),
  slug: z.string(),
  name: z.string(),
  description: z.optional(z.string()),
  status: z.enum(productStatuses),
  reviewStatus: z.optional(z.enum(['draft', 'pending_review', 'approved', 'published', 'rejected', 'suspended'])),
  reviewedBy: z.optional(z.string()),
  reviewedAt: z.optional(dateTime),
  rejectionReason: z.optional(z.string()),
  priceAmount: z.int(),
  currency: z.string(),
  supportEmail: z.optional(z.string()),
  refundPolicy: z.optional(z.string()),
  softwareOperatingEnvironment: z.optional(z.string()),
  tokushohoSellerName: z.optional(z.string()),
  tokushohoContact: z.optional(z.string()),
  tokushohoAddress: z.optional(z.string()),
  forbiddenCategoryAcknowledged: z.optional(z.boolean()),
  licenseIssuanceMode: LicenseIssuanceMode,
  licenseKeyPrefix: z.optional(z.string()),
  activationLimit: z.optional(z.int()),
  features: z.optional(z.array(z.string())),
  deactivationAllowed: z.optional(z.boolean()),
  createdAt: dateTime,
  updatedAt: dateTime,
  revision: z.int(),
});
export type Product = z.infer<typeof Product>;
