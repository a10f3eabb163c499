import { describe, expect, test } from '@jest/globals';
import { placeInQueue, queueKey, queueKinds } from '../../../shared/db/keys.ts';
import { lateSince } from '../../../shared/jobs/late-job-repository.ts';
import { jobIdFields } from '../../../shared/jobs/new-job.ts';
import { jobSubject } from '../../../shared/jobs/stuck-jobs.ts';
import {
  ProductFileHashStatus,
  type ProductFileRecord,
  ProductFileScanStatus,
  ProductFileStatus,
} from '../../../shared/product-files/product-file.ts';
import { blockerOfFile, blockerOfRelease, type QueueFile } from '../../../shared/review-queue/queue-item.ts';
import { sampleFile } from '../../support/samples/sample-file.ts';

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
