import { expect, test } from '@jest/globals';
import { looksSensitive } from '../../shared/product-files/sensitive-reason.ts';

test.each([
  'Checked by hand with two engines on 2026-01-31.',
  'ClamAV 1.4.6 says clean; the archive is password-protected by its vendor.',
  'Larger than the scanner takes. Vendor confirmed by phone (ticket 4711).',
  '手動で確認しました。問題ありません。',
  'setup.exe and readme.txt are clean, signed by the vendor and/or its reseller.',
])('a plain reason may be kept: %s', (reason) => {
  expect(looksSensitive(reason)).toBe(false);
});

test.each([
  'Key LIC1-7K3QD-9M2XW-4R8TB-H5JNC-V6PGA was tried',
  'key lic1 7k3qd 9m2xw 4r8tb h5jnc v6pga was tried',
  'LIC1‐7K3QD‐9M2XW‐4R8TB‐H5JNC‐V6PGA',
  'asked buyer@example.com',
  'asked ｂｕｙｅｒ＠ｅｘａｍｐｌｅ．ｃｏｍ',
  'see https://bucket.s3.amazonaws.com/files/x?X-Amz-Signature=abc',
  'see s3://bucket/files/x',
  'see www.example.com',
  'see bucket.s3.example.com/files/x',
  'token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJvcmRfMSJ9.c2lnbmF0dXJl',
  'secret 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b',
  'Bearer abcdef',
  'sk_test_123456',
])('a reason with something that must not be kept is refused: %s', (reason) => {
  expect(looksSensitive(reason)).toBe(true);
});
