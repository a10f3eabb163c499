import { describe, expect, test } from '@jest/globals';
import { placeInQueue, queueKey, queueKinds } from '../../shared/db/keys.ts';
import { lateSince } from '../../shared/jobs/late-job-repository.ts';
import { jobIdFields } from '../../shared/jobs/new-job.ts';
import { jobSubject } from '../../shared/jobs/stuck-jobs.ts';
import { fileWaitingSince as fileSince } from '../../shared/product-files/file-states.ts';
import {
  ProductFileHashStatus,
  type ProductFileRecord,
  ProductFileScanStatus,
  ProductFileStatus,
} from '../../shared/product-files/product-file.ts';
import { productStatuses } from '../../shared/products/product.ts';
import { productAfterSubmission, productWaitingSince as productSince } from '../../shared/products/product-states.ts';
import { releaseStatuses } from '../../shared/releases/release.ts';
import { releaseWaitingSince as releaseSince } from '../../shared/releases/release-states.ts';
import { reviewDueAt } from '../../shared/review-due.ts';
import { blockerOfFile, blockerOfRelease, type QueueFile } from '../../shared/review-queue/queue-item.ts';
import { reviewStatuses, sellerWaitingSince as sellerSince } from '../../shared/sellers/seller.ts';
import { sampleFile } from '../support/samples/sample-file.ts';
import { sampleProduct } from '../support/samples/sample-product.ts';

const hashes = ProductFileHashStatus.options;
const scans = ProductFileScanStatus.options;
const every = hashes.flatMap((hashStatus) =>
  scans.flatMap((scanStatus) => [true, false].map((scanTrustedClean) => ({ hashStatus, scanStatus, scanTrustedClean }))),
);
const key = ({ hashStatus, scanStatus, scanTrustedClean }: Pick<ProductFileRecord, 'hashStatus' | 'scanStatus' | 'scanTrustedClean'>) =>
  `${hashStatus} ${scanStatus} ${scanTrustedClean}`;

describe('a file that waits', () => {
  test('is blocked while it is infected, not hashed, or hashed and neither scanned nor vouched for', () => {
    const blocked = every.flatMap((file) => {
      const blocker = blockerOfFile(file);
      return blocker === undefined ? [] : [[key(file), blocker]];
    });
    expect(blocked).toEqual(
      every.flatMap((file) => {
        const { hashStatus, scanStatus, scanTrustedClean } = file;
        if (scanStatus === 'infected') return [[key(file), 'infected']];
        if (hashStatus === 'unverified') return [[key(file), 'hash']];
        return hashStatus === 'verified' && scanStatus === 'not_scanned' && !scanTrustedClean ? [[key(file), 'scan']] : [];
      }),
    );
  });
});

describe('a release that waits', () => {
  const file = (changes: Partial<QueueFile>): QueueFile => ({
    ...sampleFile(),
    status: 'pending_review',
    hashStatus: 'verified',
    scanStatus: 'clean',
    scanTrustedClean: true,
    ...changes,
  });
  const fresh = { hashStatus: 'unverified', scanStatus: 'not_scanned', scanTrustedClean: false } as const;
  const unscanned = { scanStatus: 'not_scanned', scanTrustedClean: false } as const;

  test.each<[string | undefined, Partial<QueueFile>[]]>([
    [undefined, []],
    [undefined, [{}, { status: 'approved' }]],
    ['hash', [{}, fresh]],
    ['hash', [unscanned, fresh]],
    ['scan', [{}, unscanned]],
    ['infected', [fresh, { scanStatus: 'infected' }, unscanned]],
  ])('is blocked by the gravest of its files: %s', (expected, files) => {
    expect(blockerOfRelease(files.map(file))).toBe(expected);
  });

  test('does not wait for what was decided of a file by itself, and is blocked by one that is infected all the same', () => {
    const blockers = ProductFileStatus.options.map((status) => [
      status,
      blockerOfRelease([file({ ...fresh, status })]),
      blockerOfRelease([file({ scanStatus: 'infected', status })]),
    ]);
    expect(blockers).toEqual(
      ProductFileStatus.options.map((status) => [status, status === 'pending_review' ? 'hash' : undefined, 'infected']),
    );
  });
});

describe('a place in the queue', () => {
  test.each(queueKinds)('tells kind and time, and sorts by time: %s', (kind) => {
    const since = '2026-01-31T09:00:00.000Z';
    expect(placeInQueue(queueKey(kind, since, 'sel_1').queueSk)).toEqual({ kind, since });
    expect(queueKey(kind, since, 'z').queueSk < queueKey('file', '2026-01-31T09:00:00.001Z', 'a').queueSk).toBe(true);
  });

  test('of a kind of a later version tells nothing', () => {
    expect(placeInQueue('2026-01-31T09:00:00.000Z#appeal#x')).toBeUndefined();
  });
});

describe('a job that waits', () => {
  const now = new Date('2026-01-31T10:00:00.000Z');
  const job = { id: 'send-links:mai_1', state: 'waiting', attempts: 1, dueAt: '2026-01-31T09:50:00.000Z', createdAt: '' } as const;
  const at = (time: string) => `2026-01-31T${time}.000Z`;

  test.each<[string, object, string | undefined]>([
    ['due for ten minutes', {}, at('09:50:00')],
    ['due for less', { dueAt: at('09:50:01') }, undefined],
    ['put off by a sweep', { dueAt: at('10:00:14'), dueSince: at('09:49:00') }, at('09:49:00')],
    ['put off by a sweep not long ago', { dueAt: at('10:00:14'), dueSince: at('09:50:01') }, undefined],
    ['held', { leasedUntil: at('10:00:01') }, undefined],
    ['held once', { leasedUntil: at('10:00:00') }, at('09:50:00')],
    ['dead', { state: 'dead' }, undefined],
  ])('is late, or not: %s', (_, changes, expected) => {
    expect(lateSince({ ...job, ...changes }, now)).toBe(expected);
  });
});

test('a job of each kind is about one thing, by its id alone', () => {
  const kindsBy = Object.groupBy(
    Object.entries(jobIdFields).map(([kind, names]) => jobSubject(`${kind}:${names.join('/')}`)),
    ({ targetId }) => targetId,
  );
  const kinds = Object.entries(kindsBy).map(([name, jobs = []]) => [name, jobs.map(({ kind }) => kind).join(' ')]);
  expect(Object.fromEntries(kinds)).toEqual({
    eventId: 'project-event publish-event',
    orderId: 'follow-hold issue-license settle-redemption send-mail',
    productId: 'serve-waiting-orders',
    mailId: 'send-links',
    fileId: 'hash-file scan-file discard-upload abort-parts withdraw-unused-file',
    batchId: 'import-codes',
    licenseId: 'tell-refusals',
    endpointId: 'deliver-events send-endpoint-notice',
    sellerId: 'send-review-notice',
    tokenId: 'send-token-notice',
  });
  expect(jobSubject('of-a-later-version:a/b')).toEqual({ kind: 'of-a-later-version', targetId: 'b' });
});

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
