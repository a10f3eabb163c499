import * as z from 'zod/mini';
import { amountStepOf } from '../currencies.ts';
import { fault } from '../faults/fault.ts';
import * as rules from '../faults/rules.ts';
import { idOf, type ProductId, type SellerId } from '../ids.ts';
import { crossFieldRule, dateTime, storedUri } from '../schemas.ts';
import { type FeatureLabels, updatedLabels } from './feature-labels.ts';
import { columnOf, writtenFields } from './fields.ts';
import { requireConsistentTerms } from './offers/merged-terms.ts';
import { slugOf } from './slug.ts';

export const productStatuses = ['draft', 'pending_review', 'approved', 'published', 'unpublished', 'rejected', 'suspended'] as const;
export type ProductStatus = (typeof productStatuses)[number];

export const productReviewStatuses = ['draft', 'pending_review', 'approved', 'published', 'rejected', 'suspended'] as const;
export type ProductReviewStatus = (typeof productReviewStatuses)[number];

/** Fields that the API declares optional although every record has them. */
const unpromised = {
  description: true,
  supportEmail: true,
  refundPolicy: true,
  softwareOperatingEnvironment: true,
  forbiddenCategoryAcknowledged: true,
  licenseKeyPrefix: true,
  activationLimit: true,
  features: true,
  deactivationAllowed: true,
} as const;

export const pendingStatuses = ['draft', 'pending_review', 'rejected'] as const;
export type PendingStatus = (typeof pendingStatuses)[number];

/** What the table holds of an edit of a product that is on sale, which waits until an admin approves it. See "Pending revisions" in review.md */
export const PendingRecord = z.object({
  status: z.enum(pendingStatuses),
  /** The fields that differ from what is on sale, with their new values; empty labels where there are none any more. */
  changes: z.partial(z.object(columnOf('value'))),
  rejectionReason: z.optional(z.string()),
  /** When it last came into review from another state; of older ones it is known while they wait. */
  submittedAt: z.optional(dateTime),
  /** When an admin rejected it; removed when it is submitted again. */
  rejectedAt: z.optional(dateTime),
  updatedAt: dateTime,
});
export type PendingRecord = z.infer<typeof PendingRecord>;

/** The same as its seller and the admins see it. */
export const PendingRevision = z.extend(z.omit(PendingRecord, { rejectedAt: true }), {
  /** Until when it is to be decided on, while it waits. */
  reviewDueAt: z.optional(dateTime),
});

/** Why a product does not sell now, in the order in which the reasons are told. See "On sale, public, sold" in README.md */
export const saleBlockers = ['seller_not_approved', 'payment_not_ready', 'not_approved', 'suspended', 'out_of_stock'] as const;
export type SaleBlocker = (typeof saleBlockers)[number];

/** A product as its seller and the admins see it. */
export const Product = z.object({
  id: idOf('product'),
  sellerId: idOf('seller'),
  slug: z.string(),
  status: z.enum(productStatuses),
  reviewStatus: z.optional(z.enum(productReviewStatuses)),
  reviewedBy: z.optional(z.string()),
  reviewedAt: z.optional(dateTime),
  rejectionReason: z.optional(z.string()),
  /** Its public page, which shows it while it is public. */
  url: storedUri,
  /** Whether nothing keeps it from sale. */
  onSale: z.boolean(),
  saleBlockers: z.array(z.enum(saleBlockers)),
  ...z.partial(z.object(writtenFields), unpromised).shape,
  pending: z.optional(PendingRevision),
  /** When the product itself last came into review from another state; of older ones it is known while they wait. */
  submittedAt: z.optional(dateTime),
  /** Until when the product itself is to be decided on, while it waits. */
  reviewDueAt: z.optional(dateTime),
  createdAt: dateTime,
  updatedAt: dateTime,
  revision: z.int(),
});
export type Product = z.infer<typeof Product>;

/** What the table holds of a product: every default applied, and what is not shown. */
export const ProductRecord = z.extend(
  z.omit(Product, { reviewStatus: true, url: true, onSale: true, saleBlockers: true, reviewDueAt: true }),
  {
    ...writtenFields,
    pending: z.optional(PendingRecord),
    /** When an admin rejected it; until it is handed in again or approved. */
    rejectedAt: z.optional(dateTime),
    /** Every slug that is reserved for the product, the present one among them. */
    slugs: z.array(z.string()),
    /** Those of them that were reserved for an edit of a product on sale and never went live: they lead nowhere. */
    unseenSlugs: z.optional(z.array(z.string())),
    /** The revision that last changed what the seller writes of the product, when later ones did not. */
    termsRevision: z.optional(z.int()),
    /** Whether an admin ever approved the product. */
    approvedBefore: z.boolean(),
    /** While it is suspended: whether it was on sale until then. */
    suspendedOnSale: z.optional(z.boolean()),
  },
);
export type ProductRecord = z.infer<typeof ProductRecord>;

/** What an admin last approved or rejected of a product or of its pending revision. See "The last decision" in shared/review-queue/README.md */
export const LastDecision = z.object({
  decision: z.enum(['approve', 'reject']),
  at: dateTime,
  /** A user id. */
  by: z.string(),
  reason: z.optional(z.string()),
  /** What the seller had written of it, as it was decided on. */
  values: z.object(writtenFields),
});
export type LastDecision = z.infer<typeof LastDecision>;

const requestFields = columnOf('sent');
const productDefaults = columnOf('usual');

/** What a seller sends to create or to update a product. */
export const ProductUpsertRequest = z.object(requestFields);
export type ProductUpsertRequest = z.infer<typeof ProductUpsertRequest>;

const expected = {
  /** The revision that was edited. */
  expectedRevision: z.optional(z.int().check(z.minimum(0))),
};

/** What a seller sends to update a product. */
export const UpdateProductRequest = z.object({ ...requestFields, ...expected });

/** What a seller may say of the product, or the pending revision, that is handed in. */
export const SubmitProductRequest = z.object(expected);

/** The two requests, with the currencies that the service sells in, in any letter case, and amounts that can be charged in them. */
export function productRequests(currencies: readonly string[]) {
  const currency = requestFields.currency.check(
    z.refine((code) => currencies.includes(code.toUpperCase()), fault(rules.notOneOf, { values: currencies.join(', ') })),
  );
  const fields = { ...requestFields, currency };
  const amounts = crossFieldRule<{ currency: string; priceAmount: number }>(['currency', 'priceAmount'], ({ currency, priceAmount }) => {
    const step = amountStepOf(currency);
    return priceAmount % step === 0 ? undefined : fault(rules.notChargeable, { step });
  });
  return { create: z.object(fields).check(amounts), update: z.object({ ...fields, ...expected }).check(amounts) };
}

/** A new product in draft. @throws AppError invalid_request for a label of a feature that is not listed, and for terms that do not fit each other */
export function draftProduct(created: { id: ProductId; sellerId: SellerId; at: string }, request: ProductUpsertRequest): ProductRecord {
  const slug = slugOf(request.name);
  return requireConsistentTerms({
    ...productDefaults,
    ...withLabels(request, updatedLabels(productDefaults, request)),
    features: [...(request.features ?? productDefaults.features)],
    id: created.id,
    sellerId: created.sellerId,
    slug,
    slugs: [slug],
    status: 'draft',
    approvedBefore: false,
    createdAt: created.at,
    updatedAt: created.at,
    revision: 1,
  });
}

/** The same with these labels of its features; without the field when there are none. */
export function withLabels<Fields extends { featureLabels?: FeatureLabels | undefined }>(
  fields: Fields,
  labels: FeatureLabels | undefined,
) {
  const { featureLabels: _, ...others } = fields;
  return labels === undefined ? others : { ...others, featureLabels: labels };
}

/** The review status that goes with a status: the same, save that an unpublished product is an approved one. */
export function reviewStatusOf(status: ProductStatus): ProductReviewStatus {
  return status === 'unpublished' ? 'approved' : status;
}
