import type { FieldText } from './field-texts.ts';

const id = 'dis_01KG9TBE4Y7A0J36G12M5P9RTV';
const starts = '2026-02-01T00:00:00.000Z';
const ends = '2026-03-01T00:00:00.000Z';

const shared: Readonly<Record<string, FieldText>> = {
  code: {
    text: 'What buyers type: 3 to 32 of A-Z, 0-9 and -, in any letter case; kept in upper case. It is the discount’s for good.',
    example: 'SPRING-20',
  },
  percent_off: { text: 'Off the price, in percent; rounded down to what can be charged.', example: 20 },
  amount_off: { text: 'Off the price of one, in the minor unit of the currency: at most the price now.', example: 1000 },
  max_redemptions: { text: 'How many orders may be paid with it; without it any number. Pending orders hold one each.', example: 100 },
  starts_at: { text: 'From when on it holds.', example: starts },
  ends_at: { text: 'From when on it does not hold any more.', example: ends },
  description: { text: 'The seller’s own note.', example: 'For readers of the newsletter' },
};
const of = (owner: string) => Object.fromEntries(Object.entries(shared).map(([field, text]) => [`${owner}.${field}`, text]));

/** The fields of discounts, named as those of `fieldTexts`. */
export const discountFieldTexts: Readonly<Record<string, FieldText>> = {
  discount_id: { text: 'The discount.', example: id },
  ...of('CreateDiscountRequest'),
  ...of('Discount'),
  'Discount.id': { text: 'The discount.', example: id },
  'Discount.currency': { text: 'That of the product when the discount was made; in another it does not hold.', example: 'JPY' },
  'Discount.ended_at': { text: 'When its seller ended it.', example: '2026-02-20T09:00:00.000Z' },
  'Discount.redeemed': { text: 'How many orders were ever paid with it; up to 10 seconds late.', example: 12 },
  'Discount.reserved': { text: 'How many pending orders hold one of `max_redemptions`; 0 without that.', example: 3 },
};
