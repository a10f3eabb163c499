import { describe, expect, test } from '@jest/globals';
import { attributeBytes } from '../../../shared/db/item-size.ts';
import { hasSameTerms, pendingMoves, withPendingApplied, withPublicSlug } from '../../../shared/products/pending-revision.ts';
import {
  type PendingStatus,
  ProductRecord,
  type ProductStatus,
  ProductUpsertRequest,
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
  revisionWaitingSince,
  sellerTransitions,
  termsRevisionOf,
} from '../../../shared/products/product-states.ts';
import { isPublic } from '../../../shared/products/public-product.ts';
import { showProduct } from '../../../shared/products/sale-blockers.ts';
import { reviewStatuses } from '../../../shared/sellers/seller.ts';
import { tableOf } from '../../architecture/readme-page.ts';
import { emptyTable } from '../../support/empty-table.ts';
import { codeOf } from '../../support/outcome-of.ts';
import { sampleProduct } from '../../support/samples/sample-product.ts';
import { sampleSeller } from '../../support/samples/sample-seller.ts';

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
    productAfterReview({ ...product, ...change }, { decision, rejectionReason: 'No.', by: 'root', at });

  test('is moved by reviews as the table says', () => {
    expect(productReviewTable[status]).toEqual({ approve, reject, suspend });
    for (const [decision, outcome] of Object.entries({ approve, reject, suspend }) as [ProductReviewDecision, string][]) {
      const pending: ProductRecord['pending'] = { status: 'draft', changes: { description: 'Edited.' }, updatedAt: at };
      const after = { approve: 'approved', reject: 'rejected', suspend: 'suspended' }[decision];
      if (outcome === 'lift') {
        expect(decide(decision, { pending })).toMatchObject({ status: 'draft', rejectionReason: 'Too dark.', description: 'Edited.' });
      } else if (outcome === 'yes') {
        expect(decide(decision)).toMatchObject({ status: after, reviewedBy: 'root', reviewedAt: at });
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
      expect(codeOf(() => productAfterSubmission(product, at))).toBe('product_suspended');
    } else if (submit === 'no') {
      expect(codeOf(() => productAfterSubmission(product, at))).toBe('invalid_state_transition');
    } else {
      const moved = productAfterSubmission(product, at);
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
      expect(codeOf(() => productAfterEdit(product, edit, at))).toBe('product_suspended');
      expect(codeOf(() => requireUnsuspended(product))).toBe('product_suspended');
      return;
    }
    expect(codeOf(() => requireUnsuspended(product))).toBeUndefined();
    const edited = productAfterEdit(product, edit, at);
    if (onSale === 'yes') {
      const pending = { status: 'draft', changes: { description: 'Something else.' }, updatedAt: at };
      expect(edited).toEqual({ ...product, pending });
    } else {
      expect(edited).toMatchObject({ status: 'draft', description: 'Something else.' });
      expect(edited.pending).toBeUndefined();
    }
    expect(productAfterEdit(product, ProductUpsertRequest.parse(request), at)).toBe(product);
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
      at,
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
      const after = productAfterReview({ ...suspended, approvedBefore: true }, { decision: 'approve', by: 'root', at });
      expect([suspended.suspendedOnSale, after.suspendedOnSale]).toEqual([lifted === 'approved', undefined]);
      expect(after).toMatchObject({ status: lifted, rejectionReason: lifted === 'draft' ? 'Too dark.' : undefined });
      expect(productAfterReview({ ...after, status: 'suspended' }, { decision: 'approve', by: 'root', at }).status).toBe('draft');
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
    expect(nextRevision(product, product, at)).toBe(product);
    const approved = nextRevision(product, { ...product, status: 'approved' }, at);
    expect(approved).toMatchObject({ revision: 5, updatedAt: at, status: 'approved' });
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
    const renamed = productAfterEdit(product, named('Second'), at);
    expect(renamed).toMatchObject({ slug: 'second', slugs: ['first', 'second'] });
    expect(productAfterEdit(renamed, named('First'), at)).toMatchObject({ slug: 'first', slugs: ['first', 'second'] });
    expect(productAfterEdit({ ...product, approvedBefore: false }, named('Second'), at).slugs).toEqual(['second']);
  });

  test('a product holds ten at most', () => {
    const slugs = Array.from({ length: 9 }, (_, index) => `name-${index}`);
    const tenth = productAfterEdit(sampleProduct({ approvedBefore: true, slug: 'name-0', slugs }), named('Name 9'), at);
    expect(tenth.slugs).toHaveLength(10);
    expect(codeOf(() => productAfterEdit(tenth, named('Name 10'), at))).toBe('too_many_slugs');
    expect(productAfterEdit(tenth, named('Name 3'), at).slug).toBe('name-3');
  });
});

const earlier = '2026-01-31T00:00:00.000Z';
const at = '2026-02-01T00:00:00.000Z';
const later = '2026-02-02T00:00:00.000Z';

type Move = 'edit' | 'submit' | 'approve' | 'reject';
const pendingTable = tableOf('shared/products/review.md', 'pending \\ move');
const pendingRows = Object.entries(pendingTable) as [PendingStatus, Record<Move, string>][];

const pendingOf = (status: PendingStatus) => ({ status, changes: { priceAmount: 9900 }, rejectionReason: 'Too dear.', updatedAt: at });
const review = (product: ProductRecord, decision: 'approve' | 'reject' | 'suspend') =>
  productAfterReview(product, { decision, rejectionReason: 'No.', by: 'root', at: later });

describe.each(['approved', 'published'] as const)('of a product that is %s', (status) => {
  describe.each(pendingRows)('a pending revision that is %s', (pendingStatus, { edit, submit, approve, reject }) => {
    const product = sampleProduct({ status, approvedBefore: true, pending: pendingOf(pendingStatus) });
    const request = ProductUpsertRequest.parse({ ...product, priceAmount: 9900 });

    test('is moved as the table of the page says', () => {
      expect(pendingMoves[pendingStatus]).toEqual({ edit, submit, approve, reject });
      const edited = productAfterEdit(product, { ...request, priceAmount: 1 }, later);
      expect(edited.pending).toEqual({ ...pendingOf(pendingStatus), status: edit, changes: { priceAmount: 1 }, updatedAt: later });
      const handedIn = productAfterSubmission(product, later);
      if (submit === pendingStatus) expect(handedIn).toBe(product);
      else {
        const pending = { status: submit, changes: { priceAmount: 9900 }, submittedAt: later, updatedAt: later };
        expect(handedIn).toEqual({ ...product, pending });
        expect(revisionWaitingSince(handedIn)).toBe(later);
      }
      for (const [decision, outcome] of [
        ['approve', approve],
        ['reject', reject],
      ] as const) {
        if (outcome === 'live') {
          const live = { priceAmount: 9900, pending: undefined, reviewedBy: 'root', reviewedAt: later };
          expect(review(product, decision)).toEqual({ ...product, ...live });
        } else if (outcome === pendingStatus) {
          expect(review(product, decision)).toBe(product);
        } else if (outcome !== 'product') {
          const rejection = { rejectionReason: 'No.', rejectedAt: later };
          const pending = { status: outcome, changes: { priceAmount: 9900 }, ...rejection, updatedAt: later };
          expect(review(product, decision)).toEqual({ ...product, pending });
        } else if (status === 'approved' && decision === 'approve') {
          expect(review(product, decision)).toBe(product);
        } else {
          expect(() => review(product, decision)).toThrow(expect.objectContaining({ code: 'invalid_state_transition' }));
        }
      }
    });

    test('is left by an edit that says what is pending, and goes with one that says what is live', () => {
      expect(productAfterEdit(product, request, later)).toBe(product);
      expect(productAfterEdit(product, { ...request, priceAmount: 4800 }, later)).toEqual({ ...product, pending: undefined });
    });

    test('waits since it was handed in, also when it is looked at again, and not when it or the product is in another state', () => {
      const handedIn = productAfterSubmission(
        sampleProduct({ ...product, pending: { ...pendingOf(pendingStatus), submittedAt: earlier } }),
        later,
      );
      const since = pendingStatus === 'pending_review' ? earlier : later;
      expect([handedIn.pending?.submittedAt, revisionWaitingSince(handedIn)]).toEqual([since, since]);
      expect(productAfterSubmission(handedIn, '2026-02-03T00:00:00.000Z')).toBe(handedIn);
      const older = sampleProduct({ ...product, pending: { ...pendingOf('pending_review'), updatedAt: earlier } });
      expect([revisionWaitingSince(older), revisionWaitingSince(review(older, 'suspend'))]).toEqual([earlier, undefined]);
      for (const decided of [review(handedIn, 'reject'), productAfterEdit(handedIn, { ...request, priceAmount: 1 }, later)]) {
        expect([decided.pending?.submittedAt, revisionWaitingSince(decided)]).toEqual([since, undefined]);
      }
    });

    test('is kept by a suspension and by what follows, and becomes the draft of a withdrawal', () => {
      const suspended = review(product, 'suspend');
      expect(suspended).toMatchObject({ status: 'suspended', priceAmount: 4800, pending: product.pending });
      expect(productAfterWithdrawal(suspended)).toBe(suspended);
      expect(review(suspended, 'approve')).toMatchObject({ status: 'approved', priceAmount: 4800, pending: product.pending });
      expect(productAfterWithdrawal(product)).toEqual({ ...product, status: 'draft', priceAmount: 9900, pending: undefined });
    });
  });
});

test('what has no pending value stays as it is live', () => {
  const product = sampleProduct({ pending: { ...pendingOf('draft'), changes: { name: undefined, priceAmount: 9900 } } });
  expect(withPendingApplied(product)).toMatchObject({ name: product.name, priceAmount: 9900 });
});

test('what is live and what is pending must fit into the table together', () => {
  const live = sampleProduct({ status: 'approved' });
  const described = (length: number) =>
    productAfterEdit(live, { ...ProductUpsertRequest.parse(live), description: 'x'.repeat(length) }, at);
  const room = 390 * 1024 - attributeBytes(described(0));
  expect(attributeBytes(described(room))).toBe(390 * 1024);
  expect(() => described(room + 1)).toThrow(expect.objectContaining({ code: 'payload_too_large' }));
});

describe('a slug that was never live', () => {
  const live = sampleProduct({ status: 'approved', name: 'First', slug: 'first', slugs: ['first'] });
  const named = (product: ProductRecord, name: string) => productAfterEdit(product, { ...ProductUpsertRequest.parse(product), name }, at);

  test('is one that an edit reserved, and no other', () => {
    const renamed = named(live, 'Second');
    expect(renamed).toMatchObject({ slug: 'first', slugs: ['first', 'second'], unseenSlugs: ['second'] });
    expect(named(renamed, 'Third')).toMatchObject({ slugs: ['first', 'second', 'third'], unseenSlugs: ['second', 'third'] });
    expect(named(renamed, 'First')).toMatchObject({ slugs: ['first', 'second'], unseenSlugs: ['second'] });
    const before = { ...live, slug: 'second', slugs: ['first', 'second'] };
    expect(named(before, 'First').unseenSlugs).toBeUndefined();
  });

  test('is seen once it is the slug of what is live', () => {
    const third = withPendingApplied(named(named(live, 'Second'), 'Third'));
    expect(third).toMatchObject({ slug: 'third', slugs: ['first', 'second', 'third'], unseenSlugs: ['second'] });
    expect(withPublicSlug({ ...third, slug: 'second' })).not.toHaveProperty('unseenSlugs');
    expect(withPublicSlug(third)).toEqual(third);
  });
});

describe('which revision made what is on sale', () => {
  const product = sampleProduct({ status: 'approved', revision: 4 });

  test('is the last that changed what the seller wrote', () => {
    expect(termsRevisionOf(product)).toBe(4);
    const waits = nextRevision(product, { ...product, pending: pendingOf('draft') }, at);
    expect([waits.revision, termsRevisionOf(waits)]).toEqual([5, 4]);
    const suspended = nextRevision(waits, { ...waits, status: 'suspended' }, at);
    expect([suspended.revision, termsRevisionOf(suspended)]).toEqual([6, 4]);
    const live = nextRevision(waits, withPendingApplied(waits), at);
    expect([live.revision, termsRevisionOf(live)]).toEqual([6, 6]);
  });

  test.each(Object.keys(ProductUpsertRequest.shape))('is another when %s is', (field) => {
    const other: Record<string, unknown> = {
      licenseIssuanceMode: 'imported_csv',
      features: ['x'],
      featureLabels: { x: { en: 'X' } },
      additionPrices: { seat: 77 },
      upgradesFrom: [{ productId: product.id, priceAmount: 77 }],
      taxPercent: 8,
    };
    const values: Record<string, unknown> = { ...product };
    const changed = typeof values[field] === 'number' ? 77 : typeof values[field] === 'boolean' ? !values[field] : 'Other';
    const next = ProductRecord.parse({ ...product, [field]: other[field] ?? changed });
    expect(hasSameTerms(product, next)).toBe(false);
    expect(hasSameTerms(product, { ...product, status: 'suspended', revision: 9, reviewedBy: 'root', slugs: ['x'] })).toBe(true);
  });
});
