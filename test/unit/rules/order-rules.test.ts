import { expect, test } from '@jest/globals';
import { buyerLocaleOf, completionMailIdOf, mayMailLink, wasPaid } from '../../../shared/orders/order.ts';
import { OrderStatus } from '../../../shared/payments/payment-facts.ts';

type Order = Parameters<typeof mayMailLink>[0];
const order = (known: Partial<Order>) => known as Order;

test('a buyer is mailed while the order is paid and not fully refunded', () => {
  const mailable = OrderStatus.options.filter((status) => mayMailLink(order({ status })));
  expect(mailable).toEqual(['paid', 'partially_refunded']);
});

test('an order was paid whatever happened to it since', () => {
  expect(wasPaid(order({ checkout: { paidAt: '2026-01-31T09:00:00.000Z' }, status: 'refunded' }))).toBe(true);
  expect(wasPaid(order({ checkout: {}, status: 'paid' }))).toBe(false);
});

test('the mail of the issuance is the completion mail until another one is', () => {
  expect(completionMailIdOf(order({}))).toBe('issuance');
  expect(completionMailIdOf(order({ completionMailId: 'resent-1' }))).toBe('resent-1');
});

test.each([
  ['ja', 'USD', 'ja'],
  ['en', 'JPY', 'en'],
  ['auto', 'JPY', 'ja'],
  ['auto', 'jpy', 'ja'],
  ['auto', 'usd', 'en'],
] as const)('a buyer who chose %s and paid in %s is written to in %s', (locale, currency, language) => {
  expect(buyerLocaleOf({ locale, currency })).toBe(language);
});
