import * as z from 'zod/mini';
import { isSameAddress } from '../email-address.ts';
import { AppError } from '../errors.ts';
import { idOf } from '../ids.ts';
import { AccountFacts, onboardingStatuses } from '../payments/onboarding/onboarding-status.ts';
import { reviewDueAt } from '../review-due.ts';
import { dateTime, storedEmail, storedUri, text } from '../schemas.ts';
import { CreateSellerRequest } from './seller-requests.ts';

export const reviewStatuses = ['draft', 'pending_review', 'approved_limited', 'approved', 'rejected', 'suspended'] as const;
export type InternalReviewStatus = (typeof reviewStatuses)[number];

/** What a seller has to do until something is sold, in this order. See "Tasks" in shared/overview/README.md */
export const taskIds = ['apply', 'payments', 'product', 'delivery', 'review', 'sale'] as const;
export type TaskId = (typeof taskIds)[number];

/** A seller as its owner and the admins see it. */
export const Seller = z.object({
  id: idOf('seller'),
  ownerUserId: z.string(),
  displayName: z.string(),
  contactEmail: z.optional(storedEmail),
  supportEmail: z.optional(storedEmail),
  siteUrl: z.optional(storedUri),
  /** With which it issues invoices in Japan. */
  invoiceRegistrationNumber: z.optional(z.string()),
  internalReviewStatus: z.enum(reviewStatuses),
  reviewNote: z.optional(z.string()),
  paymentConnectedAccountId: z.optional(z.string()),
  paymentOnboardingStatus: z.enum(onboardingStatuses),
  paymentChargesEnabled: z.optional(z.boolean()),
  paymentPayoutsEnabled: z.optional(z.boolean()),
  paymentRequirementsDue: z.optional(z.array(z.string())),
  paymentDisabledReason: z.optional(z.string()),
  /** Counts every change of what is shown of the seller. See "Revision" in changes.md */
  revision: z.int(),
  createdAt: dateTime,
  /** When the application last came into review from another state; of older ones it is known while they wait. */
  appliedAt: z.optional(dateTime),
  /** Until when the application that waits is to be decided on. */
  reviewDueAt: z.optional(dateTime),
  /** Which tasks are the seller's to do now. Its owner alone is told. */
  nextSteps: z.optional(z.array(z.enum(taskIds))),
});
export type Seller = z.infer<typeof Seller>;

/** What the connected account is opened with. Stored, so that a request that is repeated after a crash is the same one. */
export const AccountRequest = z.object({
  displayName: z.string(),
  contactEmail: z.string(),
  country: z.string(),
});
export type AccountRequest = z.infer<typeof AccountRequest>;

/** What the table holds of a seller beyond what is shown. */
export const SellerRecord = z.extend(z.omit(Seller, { nextSteps: true, reviewDueAt: true }), {
  productCount: z.int(),
  /** Whether an admin ever approved the seller, when it is not approved now. */
  approvedBefore: z.optional(z.boolean()),
  /** The verified e-mail addresses with which its owner applied, for whoever reviews it with one of them is the owner too. */
  ownerEmails: z.optional(z.set(z.string())),
  /** When it was last handed in, or moved by a review. */
  updatedAt: dateTime,
  /** When an admin last returned the application: asked for more, or rejected it. */
  returnedAt: z.optional(dateTime),
  accountRequest: z.optional(AccountRequest),
  /** What the last retrieval of the connected account told. */
  paymentAccount: z.optional(AccountFacts),
  /** How many retrievals of the account began; each has the count at its beginning as its number. See "Retrievals" in changes.md */
  paymentRetrievalsBegun: z.optional(z.int()),
  /** The number of the retrieval whose result is stored. */
  paymentRetrievalStored: z.optional(z.int()),
  onboardingLinkIssuedAt: z.optional(dateTime),
  onboardingReturnedAt: z.optional(dateTime),
  chargesEnabledBefore: z.optional(z.boolean()),
  /** Since when the payment provider has been waiting for the owner, as far as known. */
  paymentDueSince: z.optional(dateTime),
  onboardingLinkLeasedUntil: z.optional(dateTime),
  /** The token of whoever has the right to make a link until then. */
  onboardingLinkLeasedBy: z.optional(z.string()),
});
export type SellerRecord = z.infer<typeof SellerRecord>;

/** Those of the fields that are given and differ from what the seller has; what it has not is empty. */
export const changedFieldNames = (
  seller: SellerRecord,
  fields: { [Name in keyof CreateSellerRequest]?: CreateSellerRequest[Name] | undefined },
): (keyof CreateSellerRequest)[] =>
  z.keyof(CreateSellerRequest).options.filter((name) => fields[name] !== undefined && fields[name] !== (seller[name] ?? ''));

/** States in which an application may be handed in again. */
export const reapplicableStatuses: readonly InternalReviewStatus[] = ['draft', 'pending_review', 'rejected'];

/** States in which a seller reads everything of their own and changes no product, file or batch. */
export const ineligibleStatuses: readonly InternalReviewStatus[] = ['suspended', 'rejected'];

type Reviewed = Pick<Seller, 'internalReviewStatus'>;

/** Whether the seller may change its products, files and codes. */
export const isEligible = ({ internalReviewStatus }: Reviewed) => !ineligibleStatuses.includes(internalReviewStatus);

/** Since when the application waits for an admin; undefined when it does not. See "Review" in README.md */
export const sellerWaitingSince = (seller: Pick<SellerRecord, 'internalReviewStatus' | 'appliedAt' | 'updatedAt'>): string | undefined =>
  seller.internalReviewStatus === 'pending_review' ? (seller.appliedAt ?? seller.updatedAt) : undefined;

/** A seller as the admins see it, and its owner besides what is to do next. */
export const toSeller = ({ settings }: { settings: { REVIEW_DUE_HOURS: number } }, seller: SellerRecord): Seller =>
  Seller.parse({
    ...seller,
    appliedAt: seller.appliedAt ?? sellerWaitingSince(seller),
    reviewDueAt: reviewDueAt(sellerWaitingSince(seller), settings.REVIEW_DUE_HOURS),
  });

/** What every change of what a seller has or sells needs of the seller. @throws AppError seller_not_eligible */
export function requireEligible(seller: Reviewed): void {
  if (!isEligible(seller)) throw new AppError('seller_not_eligible');
}

/** Whether an admin approved the seller, so that the public may see and buy its products. */
export const isApproved = ({ internalReviewStatus: status }: Reviewed) => approvedStatuses.some((approved) => approved === status);
export const approvedStatuses = ['approved', 'approved_limited'] as const satisfies readonly InternalReviewStatus[];

/** What needs a seller whom an admin approved. @throws AppError seller_not_eligible */
export function requireApproved(seller: Reviewed): void {
  if (!isApproved(seller)) throw new AppError('seller_not_eligible', 'Only approved sellers may do this.');
}

export const reviewDecisions = ['approve', 'approve_limited', 'needs_more_info', 'reject', 'suspend'] as const;
export type ReviewDecision = (typeof reviewDecisions)[number];

export const ReviewSellerRequest = z.object({
  decision: z.enum(reviewDecisions),
  note: z.optional(text(5000)),
  /** The revision that was looked at. */
  expectedRevision: z.optional(z.int().check(z.minimum(0))),
});
export type ReviewSellerRequest = z.infer<typeof ReviewSellerRequest>;

/** What each decision makes of a seller. */
export const statusAfterReview = {
  approve: 'approved',
  approve_limited: 'approved_limited',
  needs_more_info: 'draft',
  reject: 'rejected',
  suspend: 'suspended',
} as const satisfies Record<ReviewDecision, InternalReviewStatus>;

/** State × decision: `yes` moves, `same` only records the note, `no` is refused. See "Review" in README.md */
export const reviewTable = {
  draft: { approve: 'no', approve_limited: 'no', needs_more_info: 'same', reject: 'yes', suspend: 'yes' },
  pending_review: { approve: 'yes', approve_limited: 'yes', needs_more_info: 'yes', reject: 'yes', suspend: 'yes' },
  approved_limited: { approve: 'yes', approve_limited: 'same', needs_more_info: 'yes', reject: 'yes', suspend: 'yes' },
  approved: { approve: 'same', approve_limited: 'yes', needs_more_info: 'yes', reject: 'yes', suspend: 'yes' },
  rejected: { approve: 'yes', approve_limited: 'yes', needs_more_info: 'yes', reject: 'same', suspend: 'yes' },
  suspended: { approve: 'yes', approve_limited: 'yes', needs_more_info: 'no', reject: 'yes', suspend: 'same' },
} as const satisfies Record<InternalReviewStatus, Record<ReviewDecision, 'yes' | 'same' | 'no'>>;

/** Whoever applies or reviews: a user, and the e-mail address if it is verified. */
export interface Person {
  userId: string;
  email?: string | undefined;
}

type Owned = Pick<SellerRecord, 'ownerUserId' | 'ownerEmails'>;

/** Whether the admin is the seller's owner, under this account or another with the same verified e-mail. */
export function isOwn({ userId, email }: Person, seller: Owned | undefined): boolean {
  const isByAddress = email !== undefined && [...(seller?.ownerEmails ?? [])].some((address) => isSameAddress(address, email));
  return seller?.ownerUserId === userId || isByAddress;
}

/** @throws AppError self_review_forbidden when the seller is the admin's own */
export function refuseSelfReview(admin: Person, seller: Owned | undefined): void {
  if (isOwn(admin, seller)) throw new AppError('self_review_forbidden');
}

/**
 * What every review of a seller or its products checks before the state: in this order.
 *
 * @throws AppError self_review_forbidden, stale_review
 */
export function checkReview(
  admin: Person,
  seller: Owned | undefined,
  reviewed: { revision: number },
  { expectedRevision }: { expectedRevision?: number | undefined },
): void {
  refuseSelfReview(admin, seller);
  if (expectedRevision !== undefined && expectedRevision !== reviewed.revision) throw new AppError('stale_review');
}

/**
 * Since when the payment provider waits for the seller's owner, as far as it was seen; undefined while it does not. It
 * does not wait for a rejected account. For older sellers the time of the last onboarding link is used.
 */
export function paymentWaitingSince(seller: SellerRecord): string | undefined {
  const { paymentRequirementsDue = [], paymentOnboardingStatus, onboardingReturnedAt, onboardingLinkIssuedAt, updatedAt } = seller;
  if (paymentRequirementsDue.length === 0 || paymentOnboardingStatus === 'rejected') return undefined;
  return seller.paymentDueSince ?? onboardingReturnedAt ?? onboardingLinkIssuedAt ?? updatedAt;
}

/** The connected account that a sale pays into now; undefined while none lets a sale charge for it. */
export const payableAccount = (seller: Pick<Seller, 'paymentConnectedAccountId' | 'paymentChargesEnabled' | 'paymentOnboardingStatus'>) =>
  allowsCharges(seller) ? seller.paymentConnectedAccountId : undefined;

/** Whether the seller's payment account lets a sale charge for it. */
export function allowsCharges(seller: Pick<Seller, 'paymentChargesEnabled' | 'paymentOnboardingStatus'>): boolean {
  const { paymentChargesEnabled, paymentOnboardingStatus } = seller;
  return paymentChargesEnabled === true && (paymentOnboardingStatus === 'charges_enabled' || paymentOnboardingStatus === 'payouts_enabled');
}
