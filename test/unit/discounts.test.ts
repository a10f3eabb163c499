import { describe, expect, test } from '@jest/globals';
import { discountedPrice, isDiscountValid, toDiscount } from '../../shared/discounts/discount.ts';
import { parseDiscountCode } from '../../shared/discounts/discount-code.ts';
import { redemptionStateOf } from '../../shared/entitlements/redemption.ts';
import { sampleDiscount } from '../support/scenes/products/sample-discount.ts';

describe('a code', () => {
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
