import { expect, test } from '@jest/globals';
import { maskEmail } from '../../../shared/buyer-email/buyer-email.ts';

test.each([
  ['buyer@example.com', 'b…@example.com'],
  ['b@example.com', 'b…@example.com'],
  ['Buyer.Name+shop@sub.example.co.jp', 'B…@sub.example.co.jp'],
  ['太郎@例え.jp', '太…@例え.jp'],
  ['😀smile@example.com', '😀…@example.com'],
])('of %s a reader is shown %s', (address, masked) => {
  expect(maskEmail(address)).toBe(masked);
});
