import * as z from 'zod/mini';
import { idOf } from '../ids.ts';
import { AccountFacts, onboardingStatuses } from '../payments/onboarding-status.ts';
import { dateTime, email, filledText, text, webUri } from '../schemas.ts';

export const reviewStatuses = ['draft', 'pending_review', 'approved_limited', 'approved', 'rejected', 'suspended'] as const;
export type InternalReviewStatus = (typeof reviewStatuses)[number];

/** A seller as the interface shows it. Source: interface.md §2. */
export const Seller = z.object({
  id: idOf('seller'),
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
  /** Counts applications and review moves: what a review was decided on. */
  revision: z.int(),
});
export type Seller = z.infer<typeof Seller>;

/** What the connected account is opened with. Kept, so that a repeated request is the same request. */
export const AccountRequest = z.object({
  displayName: z.string(),
  contactEmail: z.string(),
  country: z.string(),
});
export type AccountRequest = z.infer<typeof AccountRequest>;

/** What the table holds of a seller beyond what is shown. */
export const SellerRecord = z.extend(Seller, {
  productCount: z.int(),
  createdAt: dateTime,
  updatedAt: dateTime,
  accountRequest: z.optional(AccountRequest),
  /** What the last retrieval of the connected account told. */
  paymentAccount: z.optional(AccountFacts),
  /** Retrievals of the account are numbered as they begin; this one's result is stored, and no earlier one replaces it. */
  paymentRetrievalStored: z.optional(z.int()),
  paymentRetrievalsBegun: z.optional(z.int()),
  onboardingLinkIssuedAt: z.optional(dateTime),
  onboardingReturnedAt: z.optional(dateTime),
  chargesEnabledBefore: z.optional(z.boolean()),
  onboardingLinkLeasedUntil: z.optional(dateTime),
});
export type SellerRecord = z.infer<typeof SellerRecord>;

/** What a user says to apply. Source: interface.md §2. */
export const CreateSellerRequest = z.object({
  displayName: filledText(200),
  contactEmail: email,
  supportEmail: email,
  siteUrl: webUri,
});
export type CreateSellerRequest = z.infer<typeof CreateSellerRequest>;

/** States in which an application may be handed in again. Source: decisions.md §3. */
export const openForApplication: readonly InternalReviewStatus[] = ['draft', 'pending_review', 'rejected'];

/** States in which a seller may read, but not change products, files and batches. Source: decisions.md §3. */
export const notEligible: readonly InternalReviewStatus[] = ['suspended', 'rejected'];

export const reviewDecisions = ['approve', 'approve_limited', 'needs_more_info', 'reject', 'suspend'] as const;
export type ReviewDecision = (typeof reviewDecisions)[number];

/** Source: interface.md §2; `expectedRevision` is additive (decisions.md §3). */
export const ReviewSellerRequest = z.object({
  decision: z.enum(reviewDecisions),
  note: z.optional(text(5000)),
  expectedRevision: z.optional(z.int().check(z.minimum(0))),
});
export type ReviewSellerRequest = z.infer<typeof ReviewSellerRequest>;

/** What each decision makes of a seller. */
export const statusAfter = {
  approve: 'approved',
  approve_limited: 'approved_limited',
  needs_more_info: 'draft',
  reject: 'rejected',
  suspend: 'suspended',
} as const satisfies Record<ReviewDecision, InternalReviewStatus>;

/** State × decision: `yes` moves, `same` only records the note, `no` is refused. Source: decisions.md §3. */
export const reviewTable = {
  draft: { approve: 'no', approve_limited: 'no', needs_more_info: 'same', reject: 'yes', suspend: 'yes' },
  pending_review: { approve: 'yes', approve_limited: 'yes', needs_more_info: 'yes', reject: 'yes', suspend: 'yes' },
  approved_limited: { approve: 'yes', approve_limited: 'same', needs_more_info: 'yes', reject: 'yes', suspend: 'yes' },
  approved: { approve: 'same', approve_limited: 'yes', needs_more_info: 'yes', reject: 'yes', suspend: 'yes' },
  rejected: { approve: 'yes', approve_limited: 'yes', needs_more_info: 'yes', reject: 'same', suspend: 'yes' },
  suspended: { approve: 'yes', approve_limited: 'yes', needs_more_info: 'no', reject: 'yes', suspend: 'same' },
} as const satisfies Record<InternalReviewStatus, Record<ReviewDecision, 'yes' | 'same' | 'no'>>;

/** Whether a sale may charge for this seller: payment onboarding allows it. Source: decisions.md §3 "Allows charges". */
export function allowsCharges(seller: Pick<Seller, 'paymentChargesEnabled' | 'paymentOnboardingStatus'>): boolean {
  const { paymentChargesEnabled, paymentOnboardingStatus } = seller;
  return paymentChargesEnabled === true && (paymentOnboardingStatus === 'charges_enabled' || paymentOnboardingStatus === 'payouts_enabled');
}
