import { describe, expect, test } from '@jest/globals';
import type { ProductFile } from '../../../../build/client.ts';
import {
  isGone,
  isWithdrawable,
  obstacleOf,
  picturesByFile,
  pollEvery,
} from '../../../../functions/console/browser/seller/files/file-facts.ts';

const waiting = {
  status: 'pending_review',
  hash_status: 'verified',
  scan_status: 'clean',
  scan_trusted_clean: true,
  visibility: 'private',
} as const satisfies Partial<ProductFile>;

describe('what keeps a file from its buyers', () => {
  test.each([
    [{}, undefined],
    [{ hash_status: 'unverified', scan_status: 'not_scanned' }, undefined],
    [{ scan_status: 'not_scanned' }, undefined],
    [{ status: 'upload_pending', hash_status: 'unverified', scan_status: 'not_scanned' }, 'unfinished'],
    [{ hash_status: 'mismatch', hash_error: 'size_mismatch', scan_status: 'not_scanned' }, 'unlike'],
    [{ hash_status: 'error', hash_error: 'object_missing' }, 'unreadable'],
    [{ status: 'rejected', hash_status: 'mismatch', hash_error: 'picture_animated' }, 'no_picture'],
    [{ status: 'rejected' }, 'turned_down'],
    [{ status: 'disabled' }, 'withdrawn'],
    [{ scan_status: 'infected', scan_trusted_clean: false }, 'infected'],
    // Found after it was approved: it was taken down by itself.
    [{ status: 'disabled', scan_status: 'infected', scan_trusted_clean: false }, 'infected'],
    [{ scan_status: 'error', scan_trusted_clean: false }, 'unscanned'],
    // An admin vouched for it.
    [{ scan_status: 'error' }, undefined],
    [{ status: 'approved', visibility: 'buyer_visible' }, undefined],
    [{ status: 'approved' }, 'private'],
  ] as const)('of %j: %s', (changes, obstacle) => {
    expect(obstacleOf({ ...waiting, ...changes })).toBe(obstacle);
  });

  test('is told of as long as somebody can do something about it', () => {
    const ends = [
      ['disabled', 'clean'],
      ['disabled', 'infected'],
      ['rejected', 'clean'],
    ] as const;
    expect(ends.map(([status, scan_status]) => isGone({ status, scan_status }))).toEqual([true, false, false]);
    const statuses = ['upload_pending', 'pending_review', 'approved', 'rejected', 'disabled'] as const;
    expect(statuses.filter((status) => isWithdrawable({ status }))).toEqual(['upload_pending', 'pending_review', 'approved']);
  });
});

describe('files that are being checked', () => {
  const now = Date.parse('2026-03-01T12:00:00Z');
  const uploadedBefore = (seconds: number) =>
    ({ ...waiting, scan_status: 'not_scanned', uploaded_at: new Date(now - seconds * 1000).toISOString() }) as ProductFile;

  test('are looked at often at first, then seldom, and in the end no more', () => {
    expect(pollEvery([uploadedBefore(5)], now)).toBe(2000);
    expect(pollEvery([uploadedBefore(120)], now)).toBe(10_000);
    expect(pollEvery([uploadedBefore(120), uploadedBefore(5)], now)).toBe(2000);
    expect(pollEvery([uploadedBefore(3600)], now)).toBe(false);
    expect(pollEvery([{ ...uploadedBefore(5), scan_status: 'clean' }], now)).toBe(false);
    expect(pollEvery([], now)).toBe(false);
  });
});

test('pictures are found by the file in their address', () => {
  expect([...picturesByFile([{ url: 'https://shop.example/images/prd_1/file_2/abc.png' }])]).toEqual([
    ['file_2', 'https://shop.example/images/prd_1/file_2/abc.png'],
  ]);
});
