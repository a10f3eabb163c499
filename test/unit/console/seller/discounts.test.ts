import { describe, expect, test } from '@jest/globals';
import {
  discountBody,
  discountFaults,
  discountState,
  noDiscount,
} from '../../../../functions/console/browser/seller/discounts/discount-values.ts';

const filled = { ...noDiscount, code: ' spring-26 ', amount_off: '4.50', max_redemptions: '１００', starts_at: '2027-03-01T09:30' };

describe('a new discount', () => {
  test('is sent as what was filled in, with times at their offset', () => {
    expect(discountBody(filled, 'USD')).toEqual({
      code: 'spring-26',
      amount_off: 450,
      max_redemptions: 100,
      starts_at: new Date(2027, 2, 1, 9, 30).toISOString(),
    });
    expect(discountBody({ ...noDiscount, code: 'ALL', percent_off: '15', description: 'Fair' }, 'JPY')).toEqual({
      code: 'ALL',
      percent_off: 15,
      description: 'Fair',
    });
  });

  test.each([
    [{ percent_off: '', amount_off: '' }, 'JPY', 'is missing, and percent_off too: one of them is needed'],
    [{ percent_off: '5', amount_off: '100' }, 'JPY', 'must be left out beside percent_off'],
    [{ percent_off: '', amount_off: '1.5' }, 'JPY', 'must be a whole amount in this currency'],
    [{ percent_off: '', amount_off: '1.255' }, 'KWD', 'must be a multiple of 0.010 in this currency'],
    [{ percent_off: '5', amount_off: '' }, 'JPY', undefined],
    [{ percent_off: '', amount_off: '¥1,200' }, 'JPY', undefined],
  ])('of %j in %s has wrong: %p', (values, currency, text) => {
    expect(discountFaults({ ...filled, ...values }, currency)).toEqual(text === undefined ? [] : [{ field: 'amount_off', text }]);
  });
});

describe('a discount', () => {
  const now = new Date('2027-03-10T00:00:00.000Z');
  const holding = { starts_at: '2027-03-01T00:00:00.000Z', redeemed: 3, reserved: 1, currency: 'jpy' };
  test.each([
    ['holds', {}],
    ['holds', { max_redemptions: 5, ends_at: '2027-03-10T00:00:01.000Z' }],
    ['used_up', { max_redemptions: 4 }],
    ['not_begun', { starts_at: '2027-03-11T00:00:00.000Z' }],
    ['past', { ends_at: '2027-03-10T00:00:00.000Z', max_redemptions: 4 }],
    ['ended', { ended_at: '2027-03-02T00:00:00.000Z', ends_at: '2027-03-03T00:00:00.000Z' }],
    ['other_currency', { currency: 'USD' }],
  ])('%s with %j', (standing, more) => {
    expect(discountState({ ...holding, ...more }, 'JPY', now)).toBe(standing);
  });
});
