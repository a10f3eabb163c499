import { describe, expect, test } from '@jest/globals';
import { checkoutHashes } from '../../../shared/checkout/checkout-intent.ts';
import { priceOf, quantityOf } from '../../../shared/checkout/checkout-price.ts';
import { readEnteredCode } from '../../../shared/discounts/discount-code.ts';
import { sampleProduct } from '../../support/samples/sample-product.ts';
import { sampleDiscount } from '../../support/scenes/products/sample-discount.ts';

const product = (priceAmount: number, currency = 'JPY') => sampleProduct({ priceAmount, currency });
const off = (fields: object) => sampleDiscount(fields);

describe('the price of an order', () => {
  test.each([
    ['without a code', product(1999), 3, undefined, { unitAmount: 1999, discountAmount: 0, total: 5997 }],
    ['15 % off', product(1999), 3, off({ percentOff: 15 }), { unitAmount: 1700, discountAmount: 897, total: 5100 }],
    ['an amount off each', product(1999), 2, off({ amountOff: 500 }), { unitAmount: 1499, discountAmount: 1000, total: 2998 }],
    ['more off than it costs now', product(300), 2, off({ amountOff: 500 }), { unitAmount: 0, discountAmount: 600, total: 0 }],
    ['100 % off', product(4800), 7, off({ percentOff: 100 }), { unitAmount: 0, discountAmount: 33_600, total: 0 }],
    ['a step of the currency', product(1550, 'KWD'), 3, off({ percentOff: 15 }), { unitAmount: 1320, discountAmount: 690, total: 3960 }],
  ])('%s', (_, of, quantity, discount, price) => {
    expect(priceOf(of, quantity, discount)).toEqual({ quantity, discount, ...price });
  });

  test('is 99,999,999 at most', () => {
    expect(priceOf(product(33_333_333), 3).total).toBe(99_999_999);
    expect(() => priceOf(product(33_333_334), 3)).toThrow(expect.objectContaining({ code: 'price_not_chargeable' }));
    expect(priceOf(product(33_333_334), 3, off({ amountOff: 1 })).total).toBe(99_999_999);
  });
});

describe('a quantity', () => {
  test('is one, unless it is said, and at most what the product sells at once', () => {
    expect([quantityOf({ maxQuantity: 1 }), quantityOf({ maxQuantity: 20 }, 20), quantityOf({ maxQuantity: 20 }, 1)]).toEqual([1, 20, 1]);
    for (const asked of [0, 21, -1]) {
      const refused = { code: 'invalid_request', message: 'quantity must be 1 to 20' };
      expect(() => quantityOf({ maxQuantity: 20 }, asked)).toThrow(expect.objectContaining(refused));
    }
  });
});

describe('a code', () => {
  test.each([
    [undefined, undefined],
    ['', undefined],
    [' \t\r\n\v\f ', undefined],
    ['\t spring-26\n', 'spring-26'],
    ['a b', 'a b'],
    // White space of Unicode is no white space here.
    ['\u3000A\u00a0', '\u3000A\u00a0'],
  ])('in %j is %j', (text, code) => {
    expect(readEnteredCode(text)?.text).toBe(code);
  });

  test('is found in time, however much white space is in a text', () => {
    expect(readEnteredCode(`a${' '.repeat(250_000)}b${' '.repeat(250_000)}`)?.text).toHaveLength(250_002);
  });
});

describe('the body behind an idempotency key', () => {
  const key = 'k-0123456789abcdef';
  const hash = ({ discountCode, ...intent }: { quantity?: number; discountCode?: string }) =>
    checkoutHashes(
      { slug: 'photo', buyerEmail: 'a@example.com', locale: 'ja', ...intent, discountCode: readEnteredCode(discountCode) },
      key,
    ).bodyHash;

  test('without quantity and code is known by the hash of the version before', () => {
    const before = 'Pr-Vf7SFMYw9VB7_1FLJa1tbMnkOVA-4-xbwaDWvj0E';
    expect([{}, { quantity: 1 }, { discountCode: ' ' }].map(hash)).toEqual([before, before, before]);
  });

  test('is another with another quantity or code, and the same with a code in other letters', () => {
    const bodies = [{}, { quantity: 2 }, { discountCode: 'SPRING' }, { quantity: 2, discountCode: 'SPRING' }, { discountCode: 'spring!' }];
    expect(new Set(bodies.map(hash)).size).toBe(bodies.length);
    expect(hash({ discountCode: ' spring ' })).toBe(hash({ discountCode: 'SPRING' }));
  });
});
