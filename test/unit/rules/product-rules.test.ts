import { describe, expect, test } from '@jest/globals';
import { productKey, sellerKey } from '../../../shared/db/keys.ts';
import type { Item } from '../../../shared/db/table.ts';
import {
  draftProduct,
  type ProductRecord,
  type ProductStatus,
  ProductUpsertRequest,
  productRequests,
  productStatuses,
  reviewStatusOf,
} from '../../../shared/products/product.ts';
import {
  auditedState,
  isOnSale,
  nextRevision,
  type ProductReviewDecision,
  productAfterEdit,
  productAfterReview,
  productAfterSubmission,
  productAfterWithdrawal,
  productReviewTable,
  requireUnsuspended,
  sellerTransitions,
} from '../../../shared/products/product-states.ts';
import { isPublic, readPublicProduct } from '../../../shared/products/public-product.ts';
import { showProduct } from '../../../shared/products/sale-blockers.ts';
import { createSlugMemory } from '../../../shared/products/slug-memory.ts';
import { reviewStatuses } from '../../../shared/sellers/seller.ts';
import { tableOf } from '../../architecture/readme-page.ts';
import { emptyTable } from '../../support/empty-table.ts';
import { codeOf } from '../../support/outcome-of.ts';
import { sampleProduct } from '../../support/samples/sample-product.ts';
import { sampleSeller } from '../../support/samples/sample-seller.ts';

const later = '2026-02-01T00:00:00.000Z';

/** State; review: approve, reject, suspend; the seller's moves: submit, withdraw; on sale; shown review status. */
const table = `
  draft          no    no   yes  pending_review draft     no  draft
  pending_review yes   yes  yes  pending_review draft     no  pending_review
  approved       same  no   yes  no             draft     yes approved
  published      no    no   yes  no             draft     yes published
  unpublished    no    no   yes  no             draft     no  approved
  rejected       no    same yes  pending_review draft     no  rejected
  suspended      lift  no   same no             suspended no  suspended`;
const rows = table
  .trim()
  .split('\n')
  .map((row) => row.trim().split(/ +/) as [ProductStatus, ...string[]]);

test('the tables name every status, and are those of the page', () => {
  expect(productReviewTable).toEqual(tableOf('shared/products/review.md', 'from \\ decision'));
  const { submit, withdraw } = sellerTransitions;
  const moves = productStatuses.map((status) => [status, { submit: submit[status], withdraw: withdraw[status] }]);
  expect(tableOf('shared/products/review.md', 'from \\ move')).toEqual(Object.fromEntries(moves));
  expect(rows.map(([status]) => status).toSorted()).toEqual([...productStatuses].toSorted());
});

describe.each(rows)('a product that is %s', (status, approve, reject, suspend, submit, withdraw, onSale, review) => {
  const product = sampleProduct({ status, approvedBefore: false, rejectionReason: 'Too dark.' });
  const decide = (decision: ProductReviewDecision, change: Partial<ProductRecord> = {}) =>
    productAfterReview({ ...product, ...change }, { decision, rejectionReason: 'No.', by: 'root', at: later });

  test('is moved by reviews as the table says', () => {
    expect(productReviewTable[status]).toEqual({ approve, reject, suspend });
    for (const [decision, outcome] of Object.entries({ approve, reject, suspend }) as [ProductReviewDecision, string][]) {
      const pending: ProductRecord['pending'] = { status: 'draft', changes: { description: 'Edited.' }, updatedAt: later };
      const after = { approve: 'approved', reject: 'rejected', suspend: 'suspended' }[decision];
      if (outcome === 'lift') {
        expect(decide(decision, { pending })).toMatchObject({ status: 'draft', rejectionReason: 'Too dark.', description: 'Edited.' });
      } else if (outcome === 'yes') {
        expect(decide(decision)).toMatchObject({ status: after, reviewedBy: 'root', reviewedAt: later });
      } else if (outcome === 'same') {
        expect(productAfterReview(product, { decision, by: 'root', at: '' })).toBe(product);
      } else {
        expect(codeOf(() => decide(decision))).toBe('invalid_state_transition');
      }
    }
  });

  test('is moved by its seller as the table says', () => {
    expect({ submit: sellerTransitions.submit[status], withdraw: sellerTransitions.withdraw[status] }).toEqual({ submit, withdraw });
    if (status === 'suspended') {
      expect(codeOf(() => productAfterSubmission(product, later))).toBe('product_suspended');
    } else if (submit === 'no') {
      expect(codeOf(() => productAfterSubmission(product, later))).toBe('invalid_state_transition');
    } else {
      const moved = productAfterSubmission(product, later);
      expect(moved.status).toBe('pending_review');
      if (status === 'pending_review') expect(moved).toBe(product);
      else expect(moved.rejectionReason).toBeUndefined();
    }
    expect(productAfterWithdrawal(product).status).toBe(withdraw);
    if (withdraw === status) expect(productAfterWithdrawal(product)).toBe(product);
  });

  test('is edited back to a draft, or into a pending revision while it is on sale, unless it is suspended or nothing differs', () => {
    const { id: _, sellerId: __, ...request } = product;
    const edit = { ...ProductUpsertRequest.parse(request), description: 'Something else.' };
    if (status === 'suspended') {
      expect(codeOf(() => productAfterEdit(product, edit, later))).toBe('product_suspended');
      expect(codeOf(() => requireUnsuspended(product))).toBe('product_suspended');
      return;
    }
    expect(codeOf(() => requireUnsuspended(product))).toBeUndefined();
    const edited = productAfterEdit(product, edit, later);
    if (onSale === 'yes') {
      const pending = { status: 'draft', changes: { description: 'Something else.' }, updatedAt: later };
      expect(edited).toEqual({ ...product, pending });
    } else {
      expect(edited).toMatchObject({ status: 'draft', description: 'Something else.' });
      expect(edited.pending).toBeUndefined();
    }
    expect(productAfterEdit(product, ProductUpsertRequest.parse(request), later)).toBe(product);
  });

  test('is on sale, public and shown as the table says', async () => {
    expect(isOnSale(product)).toBe(onSale === 'yes');
    expect(reviewStatusOf(status)).toBe(review);
    const c = { table: emptyTable, settings: { PUBLIC_BASE_URL: 'http://127.0.0.1:3000', REVIEW_DUE_HOURS: 72 } };
    expect(await showProduct(c, product, undefined)).toMatchObject({ status, reviewStatus: review });
    for (const internalReviewStatus of reviewStatuses) {
      const sellerMaySell = internalReviewStatus === 'approved' || internalReviewStatus === 'approved_limited';
      expect(isPublic(product, sampleSeller({ internalReviewStatus }))).toBe(onSale === 'yes' && sellerMaySell);
    }
  });
});

describe('what a review leaves', () => {
  const review = (status: ProductStatus, decision: ProductReviewDecision, change: Partial<ProductRecord> = {}, rejectionReason?: string) =>
    productAfterReview(sampleProduct({ status, approvedBefore: false, ...change }), {
      decision,
      rejectionReason,
      by: 'root',
      at: later,
    });

  test('a suspension that is lifted brings back what was on sale, and else a draft', () => {
    for (const [status, before, lifted] of [
      ['approved', true, 'approved'],
      ['published', true, 'approved'],
      ['unpublished', true, 'draft'],
      ['draft', false, 'draft'],
      ['pending_review', false, 'draft'],
      ['rejected', false, 'draft'],
    ] as const) {
      const suspended = review(status, 'suspend', { rejectionReason: 'Too dark.' });
      expect(suspended.approvedBefore).toBe(before);
      const after = productAfterReview({ ...suspended, approvedBefore: true }, { decision: 'approve', by: 'root', at: later });
      expect([suspended.suspendedOnSale, after.suspendedOnSale]).toEqual([lifted === 'approved', undefined]);
      expect(after).toMatchObject({ status: lifted, rejectionReason: lifted === 'draft' ? 'Too dark.' : undefined });
      expect(productAfterReview({ ...after, status: 'suspended' }, { decision: 'approve', by: 'root', at: later }).status).toBe('draft');
    }
    expect(review('pending_review', 'approve').approvedBefore).toBe(true);
    expect(review('pending_review', 'reject').approvedBefore).toBe(false);
    expect(review('pending_review', 'reject', { approvedBefore: true }).approvedBefore).toBe(true);
  });

  test('the reason of a rejection stays until the product is submitted or approved', () => {
    expect(review('pending_review', 'reject', {}, 'Too dark.').rejectionReason).toBe('Too dark.');
    expect(review('pending_review', 'reject', { rejectionReason: 'Earlier.' }).rejectionReason).toBeUndefined();
    expect(review('rejected', 'suspend', { rejectionReason: 'Too dark.' }).rejectionReason).toBe('Too dark.');
    expect(review('pending_review', 'approve', { rejectionReason: 'Too dark.' }).rejectionReason).toBeUndefined();
  });

  test('a move counts a revision, and no move counts none', () => {
    const product = sampleProduct({ revision: 4 });
    expect(nextRevision(product, product, 'later')).toBe(product);
    const approved = nextRevision(product, { ...product, status: 'approved' }, later);
    expect(approved).toMatchObject({ revision: 5, updatedAt: later, status: 'approved' });
  });

  test('the audit tells state and revision, and the state of an edit that waits', () => {
    const product = sampleProduct({ status: 'published', revision: 4 });
    const pending = { status: 'pending_review' } as ProductRecord['pending'];
    expect(auditedState(product)).toEqual({ status: 'published', revision: 4 });
    expect(auditedState({ ...product, pending })).toEqual({ status: 'published', revision: 4, pendingStatus: 'pending_review' });
  });
});

describe('slugs', () => {
  const named = (name: string) => ({ ...ProductUpsertRequest.parse(sampleProduct()), name });

  test('a new name reserves one more, and an old one none', () => {
    const product = sampleProduct({ approvedBefore: true, name: 'First', slug: 'first', slugs: ['first'] });
    const renamed = productAfterEdit(product, named('Second'), later);
    expect(renamed).toMatchObject({ slug: 'second', slugs: ['first', 'second'] });
    expect(productAfterEdit(renamed, named('First'), later)).toMatchObject({ slug: 'first', slugs: ['first', 'second'] });
    expect(productAfterEdit({ ...product, approvedBefore: false }, named('Second'), later).slugs).toEqual(['second']);
  });

  test('a product holds ten at most', () => {
    const slugs = Array.from({ length: 9 }, (_, index) => `name-${index}`);
    const tenth = productAfterEdit(sampleProduct({ approvedBefore: true, slug: 'name-0', slugs }), named('Name 9'), later);
    expect(tenth.slugs).toHaveLength(10);
    expect(codeOf(() => productAfterEdit(tenth, named('Name 10'), later))).toBe('too_many_slugs');
    expect(productAfterEdit(tenth, named('Name 3'), later).slug).toBe('name-3');
  });
});

describe('a product request', () => {
  const { sellerId: _, ...filled } = sampleProduct();
  const schema = productRequests(['JPY', 'USD']).create;
  const base = {
    name: filled.name,
    description: filled.description,
    priceAmount: 1200,
    currency: 'JPY',
    supportEmail: filled.supportEmail,
    refundPolicy: filled.refundPolicy,
    softwareOperatingEnvironment: filled.softwareOperatingEnvironment,
  };
  const isTaken = (field: string, value: unknown) => schema.safeParse({ ...base, [field]: value }).success;
  const strings = (length: number) => Array.from({ length }, () => 'x');
  test.each<[string, taken: unknown[], refused: unknown[]]>([
    ['priceAmount', [0, 99_999_999], [-1, 100_000_000, 1.5, true]],
    ['currency', ['JPY', 'usd'], ['EUR', 'JPYE', 'ＪＰＹ', 'JP']],
    ['activationLimit', [1, 100_000], [0, 100_001]],
    ['licenseKeyPrefix', ['A', 'ABCDEFGHIJ12'], ['', '1A', 'a', 'ABCDEFGHIJ123']],
    ['features', [strings(100), ['x'.repeat(64)]], [strings(101), ['x'.repeat(65)], [''], 'pro', ['sound\u2067']]],
    ['name', ['x'.repeat(200)], [' ', null, 5, '***', 'x'.repeat(201), 'Pаint', `${'x'.repeat(200)}\u200b`, 'Right\u202e to left']],
    ['supportEmail', [base.supportEmail], ['nobody', 'a@b']],
    ['forbiddenCategoryAcknowledged', [true, undefined], ['true']],
    ['offlineDays', [0, 90], [-1, 91, 1.5, '14', null]],
    ['offlineFileDays', [0, 366], [-1, 367, 1.5, '14', null]],
    ['updatesDays', [0, 36_500], [-1, 36_501, 1.5, '365', null]],
    ['description', [base.description, 'a\u202eb\u2066'], ['']],
    ['refundPolicy', [base.refundPolicy], [' ']],
    ['softwareOperatingEnvironment', [base.softwareOperatingEnvironment, 'Linux\nWindows'], ['', 'Linux\u200f']],
    ['tokushohoContact', ['Phone'], ['Phone\u061c']],
    ['licenseIssuanceMode', ['imported_csv'], ['by_hand']],
    ['deactivationAllowed', [false], ['yes']],
    ['tokushohoAddress', [''], [5]],
  ])('has %s as it may be, and not as it may not', (field, taken, refused) => {
    expect(taken.filter((value) => !isTaken(field, value))).toEqual([]);
    expect(refused.filter((value) => isTaken(field, value))).toEqual([]);
  });

  test('has the defaults of an optional field that is left out', () => {
    const made = { id: filled.id, sellerId: sampleProduct().sellerId, at: later };
    expect(draftProduct(made, schema.parse(base))).toMatchObject({
      status: 'draft',
      approvedBefore: false,
      revision: 1,
      forbiddenCategoryAcknowledged: false,
      licenseIssuanceMode: 'generated_server_validated',
      licenseKeyPrefix: 'LIC1',
      activationLimit: 1,
      features: [],
      deactivationAllowed: true,
      createdAt: made.at,
      updatedAt: made.at,
    });
  });
});

test('what the public cannot see is not found, whatever hides it', async () => {
  const seller = sampleSeller({ internalReviewStatus: 'approved' });
  const offer = { product: sampleProduct({ status: 'approved', sellerId: seller.id, slug: 'any' }), seller };
  const place = { productId: offer.product.id, sellerId: seller.id };
  const read = (found: typeof offer | undefined) => {
    const items: Item[] = found
      ? [
          { ...productKey(found.product.id), ...found.product },
          { ...sellerKey(found.seller.id), ...found.seller },
        ]
      : [];
    const table = { ...emptyTable, get: async () => found && place, batchGet: async () => items };
    return readPublicProduct({ table, slugs: createSlugMemory() }, 'any');
  };
  await expect(read(offer)).resolves.toMatchObject({ id: offer.product.id, sellerDisplayName: offer.seller.displayName });
  const hidden = [
    undefined,
    { ...offer, product: { ...offer.product, status: 'draft' as const } },
    { ...offer, seller: { ...offer.seller, internalReviewStatus: 'suspended' as const } },
  ];
  for (const found of hidden) await expect(read(found)).rejects.toMatchObject({ code: 'product_not_found' });
});
