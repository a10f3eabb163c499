import { describe, expect, test } from '@jest/globals';
import { attributeBytes } from '../../../shared/db/item-size.ts';
import { hasSameTerms, pendingMoves, withPendingApplied, withPublicSlug } from '../../../shared/products/pending-revision.ts';
import { type PendingStatus, ProductRecord, ProductUpsertRequest } from '../../../shared/products/product.ts';
import {
  nextRevision,
  productAfterEdit,
  productAfterReview,
  productAfterSubmission,
  productAfterWithdrawal,
  revisionWaitingSince,
  termsRevisionOf,
} from '../../../shared/products/product-states.ts';
import { tableOf } from '../../architecture/readme-page.ts';
import { sampleProduct } from '../../support/samples/sample-product.ts';

const earlier = '2026-01-31T00:00:00.000Z';
const at = '2026-02-01T00:00:00.000Z';
const later = '2026-02-02T00:00:00.000Z';

type Move = 'edit' | 'submit' | 'approve' | 'reject';
const table = tableOf('shared/products/review.md', 'pending \\ move');
const rows = Object.entries(table) as [PendingStatus, Record<Move, string>][];

const pendingOf = (status: PendingStatus) => ({ status, changes: { priceAmount: 9900 }, rejectionReason: 'Too dear.', updatedAt: at });
const review = (product: ProductRecord, decision: 'approve' | 'reject' | 'suspend') =>
  productAfterReview(product, { decision, rejectionReason: 'No.', by: 'root', at: later });

describe.each(['approved', 'published'] as const)('of a product that is %s', (status) => {
  describe.each(rows)('a pending revision that is %s', (pendingStatus, { edit, submit, approve, reject }) => {
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
