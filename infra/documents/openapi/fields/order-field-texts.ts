import { exampleIds, type FieldTexts, ofEach } from './field-texts.ts';

const page = 'PurchaseCompletionPageResponse';
const discountId = 'dis_01KG9TBE4Y7A0J36G12M5P9RTV';

/** The fields of what is bought: orders, checkouts, discounts, and what is added to a license that was sold. */
export const orderFieldTexts: FieldTexts = {
  ...ofEach(['OrderSummary', 'OrderDetail', 'SoldOrder'], {
    kind: {
      text: 'What it is for: `license`; `seats` or `updates`, more of them for a license that was sold; or `upgrade`, a license in the place of one of another product.',
      example: 'license',
    },
  }),
  ...ofEach(['listOrders', 'listAllOrders'], {
    kind: { text: 'Only orders of this kind.' },
    discount_id: { text: 'Only orders that were made with this discount; of an unknown one there are none.' },
  }),
  quantity: { text: 'How many were bought.', example: 3 },
  unit_amount: { text: 'What one cost, after the discount, in the minor unit of the currency.', example: 1600 },
  discount_code: { text: 'The code of the discount, upper-case.', example: 'SPRING-2026' },
  parent_order_id: { text: 'Of more seats or updates: the order of the license that they are for.', example: exampleIds.order },
  upgraded_from: { text: 'Of an upgrade: what it was upgraded from.' },
  duplicate_of: {
    text: 'Of a license that was maybe bought twice by accident: the order with which the same address paid for the same product in the 24 hours before; of several the latest. One that was refunded in full does not count.',
    example: exampleIds.order,
    isRare: true,
  },
  'PurchaseCompletionPageResponse.order.bought_before': {
    text: 'That the same address paid for the same product in the 24 hours before, maybe by accident; not for what was refunded in full since.',
    isRare: true,
  },
  'PurchaseCompletionPageResponse.order.bought_before.paid_at': {
    text: 'When that was paid; of several payments the latest.',
    example: '2026-01-31T08:58:00.000Z',
  },
  held_by: {
    text: 'Of an upgrade whose license is held though it is paid: the order that it was upgraded from, however far back, that was refunded in full or is disputed; of several the one furthest back. Its own money did not come back: `amount` was paid for it.',
    example: exampleIds.order,
    isRare: true,
  },
  'PurchaseCompletionPageResponse.order.held': {
    text: 'Of an upgrade whose license is held because a purchase that it was upgraded from was refunded or is disputed.',
    isRare: true,
  },
  'PurchaseCompletionPageResponse.order.held.why': {
    text: 'Whether that purchase was `refunded` in full or is `disputed`.',
    example: 'refunded',
  },
  ...ofEach(['CreateCheckoutRequest', 'CheckoutResponse', 'QuoteRequest', 'Quote'], {
    quantity: { text: 'How many are bought with one order; at most the product’s `max_quantity`.', example: 3 },
  }),
  ...ofEach(['CheckoutResponse', 'Quote'], {
    unit_amount: { text: 'What one costs, after the discount, in the minor unit of the currency.', example: 1600 },
  }),
  ...ofEach(['CreateCheckoutRequest', 'QuoteRequest'], {
    discount_code: {
      text: 'A discount code. White space around it is ignored, and so is a text of nothing else.',
      example: 'SPRING-2026',
    },
  }),
  'Quote.discount_amount': { text: 'What the discount takes off all of them together; 0 without a code.', example: 480 },
  'Quote.total': { text: 'What the checkout would cost: `unit_amount` × `quantity`.', example: 4800 },
  discount_id: { text: 'The discount.', example: discountId },
  ...ofEach(['CreateDiscountRequest', 'Discount'], {
    code: {
      text: 'What buyers type: 3 to 32 of A-Z, 0-9 and -, in any letter case; kept in upper case. It is the discount’s for good.',
      example: 'SPRING-20',
    },
    percent_off: { text: 'Off the price, in percent; rounded down to what can be charged.', example: 20 },
    amount_off: { text: 'Off the price of one, in the minor unit of the currency: at most the price now.', example: 1000, isRare: true },
    max_redemptions: { text: 'How many orders may be paid with it; without it any number. Pending orders hold one each.', example: 100 },
    starts_at: { text: 'From when on it holds.', example: '2026-02-01T00:00:00.000Z' },
    ends_at: { text: 'From when on it does not hold any more.', example: '2026-03-01T00:00:00.000Z', isRare: true },
    description: { text: 'The seller’s own note.', example: 'For readers of the newsletter' },
  }),
  'Discount.id': { text: 'The discount.', example: discountId },
  'Discount.currency': { text: 'That of the product when the discount was made; in another it does not hold.', example: 'JPY' },
  'Discount.ended_at': { text: 'When its seller ended it.', example: '2026-02-20T09:00:00.000Z' },
  'Discount.redeemed': { text: 'How many orders were ever paid with it; up to 10 seconds late.', example: 12 },
  'Discount.reserved': { text: 'How many pending orders hold one of `max_redemptions`; 0 without that.', example: 3 },
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
  ...ofEach(['Offers.seat', 'Offers.updates', 'Offers.upgrades'], {
    currency: { text: 'The currency of the price, in which the product is sold now.', example: 'JPY' },
  }),
  'Offers.seat': { text: 'More seats, at this price for each.' },
  'Offers.seat.unit_amount': { text: 'What one seat costs, in the minor unit of the currency.', example: 1200 },
  'Offers.updates': { text: 'More days of updates.' },
  'Offers.updates.amount': { text: 'What they cost, in the minor unit of the currency.', example: 1900 },
  'Offers.updates.days': { text: 'By how many days the updates are lengthened.', example: 365 },
  'Offers.upgrades': { text: 'The products to which the license can be upgraded.' },
  'Offers.upgrades.amount': {
    text: 'What the upgrade costs for the quantity of the order, in the minor unit of the currency; 0 costs nothing.',
    example: 2400,
  },
  'Offers.upgrades.activation_limit': {
    text: 'How many devices the license of the upgrade is for: those of the product, for the quantity of the order. Seats that were added are not carried over.',
    example: 5,
  },
};
