import * as z from 'zod/mini';
import { dateTime } from '../schemas.ts';

export const reviewStatuses = ['draft', 'pending_review', 'approved_limited', 'approved', 'rejected', 'suspended'] as const;
export type InternalReviewStatus = (typeof reviewStatuses)[number];

export const onboardingStatuses = [
  'not_started',
  'account_created',
  'onboarding_started',
  'requirements_due',
  'charges_enabled',
  'payouts_enabled',
  'restricted',
  'rejected',
] as const;

/** A seller as the interface shows it. Source: interface.md §2. */
export const Seller = z.object({
  id: z.string(),
  ownerUserId: z.string(),
  displayName: z.string(),
  contactEmail: z.optional(z.string()),
  supportEmail: z.optional(z.string()),
  siteUrl: z.optional(z.string()),
  internalReviewStatus: z.enum(reviewStatuses),
  reviewNote: z.optional(z.string()),
  paymentConnectedAccountId: z.optional(z.string()),
  paymentOnboardingStatus: z.enum(onboardingStatuses),
  paymentChargesEnabled: z.optional(z.boolean()),
  paymentPayoutsEnabled: z.optional(z.boolean()),
  paymentRequirementsDue: z.optional(z.array(z.string())),
  paymentDisabledReason: z.optional(z.string()),
  revision: z.number(),
});
export type Seller = z.infer<typeof Seller>;

/** What the table holds of a seller beyond what is shown. */
export const SellerRecord = z.extend(Seller, {
  productCount: z.number(),
  createdAt: dateTime,
  updatedAt: dateTime,
  /** When the retrieval began that the payment fields come from; an older one never overwrites them. */
  paymentRetrievedAt: z.optional(dateTime),
  onboardingLinkIssuedAt: z.optional(dateTime),
  onboardingReturnedAt: z.optional(dateTime),
  chargesEnabledBefore: z.optional(z.boolean()),
  onboardingLinkLeasedUntil: z.optional(dateTime),
});
export type SellerRecord = z.infer<typeof SellerRecord>;
