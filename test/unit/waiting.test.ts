import { describe, expect, test } from '@jest/globals';
import { fileWaitingSince as fileSince } from '../../shared/product-files/file-states.ts';
import { ProductFileStatus } from '../../shared/product-files/product-file.ts';
import { productStatuses } from '../../shared/products/product.ts';
import { productAfterSubmission, productWaitingSince as productSince } from '../../shared/products/product-states.ts';
import { releaseStatuses } from '../../shared/releases/release.ts';
import { releaseWaitingSince as releaseSince } from '../../shared/releases/release-states.ts';
import { reviewDueAt } from '../../shared/review-due.ts';
import { reviewStatuses, sellerWaitingSince as sellerSince } from '../../shared/sellers/seller.ts';
import { sampleProduct } from '../support/samples/sample-product.ts';

const [made, changed, handedIn] = ['2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z', '2026-01-03T00:00:00.000Z'];

describe.each([
  ...reviewStatuses.map((status) => {
    const seller = { internalReviewStatus: status, updatedAt: changed };
    return ['a seller', status, sellerSince({ ...seller, appliedAt: handedIn }), sellerSince(seller), changed] as const;
  }),
  ...productStatuses.map((status) => {
    const product = { status, updatedAt: changed };
    return ['a product', status, productSince({ ...product, submittedAt: handedIn }), productSince(product), changed] as const;
  }),
  ...ProductFileStatus.options.map((status) => {
    const file = { status, createdAt: made };
    return ['a file', status, fileSince({ ...file, uploadedAt: handedIn }), fileSince(file), made] as const;
  }),
  ...releaseStatuses.map((status) => {
    const release = { status, createdAt: made };
    return ['a release', status, releaseSince({ ...release, submittedAt: handedIn }), releaseSince(release), made] as const;
  }),
])('%s that is %s', (_, status, since, sinceOfOlder, fallback) => {
  test('waits for an admin only in review: since it was handed in, and where nobody knows when, since the latest that is known', () => {
    expect([since, sinceOfOlder]).toEqual(status === 'pending_review' ? [handedIn, fallback] : [undefined, undefined]);
  });
});

test('a product remembers when it last came into review from another state', () => {
  const first = productAfterSubmission(sampleProduct({ submittedAt: made }), changed);
  expect([first.submittedAt, productAfterSubmission(first, handedIn).submittedAt]).toEqual([changed, changed]);
});

test('a review is due so many hours after that, and never of what does not wait', () => {
  expect([reviewDueAt('2026-02-27T12:34:56.789Z', 72), reviewDueAt(undefined, 72)]).toEqual(['2026-03-02T12:34:56.789Z', undefined]);
});
