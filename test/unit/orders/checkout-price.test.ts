import { describe, expect, test } from '@jest/globals';
import { checkoutHashes } from '../../../shared/checkout/checkout-intent.ts';
import { priceOf, quantityOf } from '../../../shared/checkout/checkout-price.ts';
import { discountedPrice, isDiscountValid, toDiscount } from '../../../shared/discounts/discount.ts';
import { parseDiscountCode, readEnteredCode } from '../../../shared/discounts/discount-code.ts';
import { redemptionStateOf } from '../../../shared/entitlements/redemption.ts';
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

describe('an entered code', () => {
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

describe('the text of a code', () => {
  test.each([
    ['abc', 'ABC'],
    ['Spring-20', 'SPRING-20'],
    ['-'.repeat(32), '-'.repeat(32)],
  ])('%j is %j', (text, code) => expect(parseDiscountCode(text)).toBe(code));

  test.each(['', 'AB', 'A'.repeat(33), 'A B', 'AB_C', 'ÄBC', 'ſab', 'ıbc', 'ABC\n', ' ABC', '１２３'])('%j is none', (text) =>
    expect(parseDiscountCode(text)).toBeUndefined(),
  );
});

describe('a discount', () => {
  const yen = { currency: 'JPY' };
  const at = '2026-02-15T00:00:00.000Z';
  const over = { startsAt: '2026-02-15T00:00:00.001Z' };
  test.each([
    ['from its start on', { startsAt: at }, true],
    ['not before', over, false],
    ['until its end', { endsAt: '2026-02-15T00:00:00.001Z' }, true],
    ['not from then on', { endsAt: at }, false],
    ['not once it was ended', { endedAt: '2026-02-14T00:00:00.000Z' }, false],
    ['with one left', { maxRedemptions: 5, taken: 4 }, true],
    ['not used up', { maxRedemptions: 5, taken: 5 }, false],
    ['nor beyond that', { maxRedemptions: 5, taken: 6 }, false],
    ['in its currency, however that is spelled', { currency: 'jpy' }, true],
    ['in no other', { currency: 'USD' }, false],
  ])('holds %s', (_, fields, expected) => expect(isDiscountValid(sampleDiscount(fields), yen, at)).toBe(expected));

  test.each([
    [{ percentOff: 33 }, 1000, 'JPY', 670],
    [{ percentOff: 1 }, 99, 'JPY', 99],
    [{ percentOff: 100 }, 99, 'USD', 0],
    [{ amountOff: 300 }, 1000, 'EUR', 700],
    // The price was lowered since.
    [{ amountOff: 300 }, 200, 'EUR', 0],
    [{ percentOff: 33 }, 1000, 'ISK', 700],
    [{ percentOff: 33 }, 1000, 'UGX', 700],
    [{ percentOff: 33 }, 1010, 'kwd', 680],
  ])('%j makes of %i %s %i', (fields, priceAmount, currency, price) =>
    expect(discountedPrice({ priceAmount, currency }, sampleDiscount({ currency, ...fields }))).toBe(price),
  );

  test('shows what carts hold of its limit, and none without', () => {
    expect(toDiscount(sampleDiscount({ maxRedemptions: 9, taken: 7, redeemed: 4 }))).toMatchObject({ redeemed: 4, reserved: 3 });
    expect(toDiscount(sampleDiscount({ redeemed: 4 }))).toMatchObject({ redeemed: 4, reserved: 0 });
    expect(toDiscount(sampleDiscount())).not.toHaveProperty('taken');
  });
});

test.each([
  [{ wasPaid: false, isOver: false }, 'reserved'],
  [{ wasPaid: false, isOver: true }, 'returned'],
  [{ wasPaid: true, isOver: false }, 'redeemed'],
  [{ wasPaid: true, isOver: true }, 'redeemed'],
] as const)('the redemption of an order %j is %s', (order, state) => expect(redemptionStateOf(order)).toBe(state));
