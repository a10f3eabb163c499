import { exampleIds, type FieldText } from './field-texts.ts';

const page = 'PurchaseCompletionPageResponse';
const currency = { text: 'The currency of the price, in which the product is sold now.', example: 'JPY' };

/** The fields of what is bought for a license that was sold, named as those of `fieldTexts`. */
export const additionFieldTexts: Readonly<Record<string, FieldText>> = {
  'CreateAdditionRequest.kind': { text: 'What is added: `seats`, or once the product’s days of `updates`.', example: 'seats' },
  'CreateAdditionRequest.quantity': { text: 'How many seats; of updates 1. Default 1.', example: 3 },
  'CreateUpgradeRequest.product_id': {
    text: 'The product to upgrade to, whose `upgrades_from` names the purchased one.',
    example: exampleIds.product,
  },
  [`${page}.order.kind`]: {
    text: 'What was bought: a `license`, more `seats` or `updates` of one that was sold, or an `upgrade` from one.',
    example: 'license',
  },
  [`${page}.order.quantity`]: { text: 'How many were bought: licenses’ worth of seats, or added seats.', example: 1 },
  [`${page}.order.unit_amount`]: { text: 'What one cost, after the discount, in the minor unit of the currency.', example: 4800 },
  [`${page}.order.discount_amount`]: { text: 'What a discount took off the whole order; absent without one.', example: 480 },
  [`${page}.added`]: { text: 'What an addition added, in words of the order’s language; only of additions.', example: '3 seats' },
  [`${page}.offers`]: {
    text: 'What can be bought for the license now; what cannot, or is upgraded already, is left out, and so are no offers.',
  },
  'Offers.seat': { text: 'More seats, at this price for each.' },
  'Offers.seat.unit_amount': { text: 'What one seat costs, in the minor unit of the currency.', example: 1200 },
  'Offers.seat.currency': currency,
  'Offers.updates': { text: 'More days of updates.' },
  'Offers.updates.amount': { text: 'What they cost, in the minor unit of the currency.', example: 1900 },
  'Offers.updates.currency': currency,
  'Offers.updates.days': { text: 'By how many days the updates are lengthened.', example: 365 },
  'Offers.upgrades': { text: 'The products to which the license can be upgraded.' },
  'Offers.upgrades.amount': {
    text: 'What the upgrade costs for the quantity of the order, in the minor unit of the currency; 0 costs nothing.',
    example: 2400,
  },
  'Offers.upgrades.currency': currency,
};
