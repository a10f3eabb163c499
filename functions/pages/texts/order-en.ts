/** What is said where a buyer chooses how many, or has a discount code. */
export const choice = {
  quantityHint: (most: number) => `From 1 to ${most}.`,
  code: 'Discount code',
  change: 'Show the new total',
  changeTitle: 'Quantity and discount code',
  formerPrice: 'Price without the discount:',
  badQuantity: (most: number) => `The quantity must be a whole number from 1 to ${most}. The order below is for 1.`,
  badTotal: 'So many cost more than can be paid at once. The order below is for 1.',
  badCode: 'This discount code is not valid for this product now. The price below is the full price.',
  codeLimited: 'There were too many tries with discount codes from your network. The price below is the full price; try again in a minute.',
  unitPrice: 'Unit price',
  discount: 'Discount',
  discountBy: (amount: string, code: string) => `${amount} (code ${code})`,
  ownersPayLess: 'Do you own an earlier product? You may pay less.',
  findMine: 'Open your purchase to upgrade',
  registrationNumber: 'Invoice registration number',
};

/** What can be bought for a license, on the page of its purchase. */
export const offers = {
  title: 'Add to this license',
  text: 'You pay by card, on the page of Stripe that opens next. Whoever pays gets a receipt.',
  seats: 'More devices',
  seatPrice: (price: string) => `${price} for each device (tax included). The key stays the same.`,
  seatsLabel: 'How many more',
  seatsInvalid: 'Please enter a whole number from 1 to 100.',
  total: 'Total (tax included)',
  updates: 'More updates',
  updatesText: (days: string) => `Updates last ${days} longer: from their end so far, or from the payment where that is later.`,
  upgrade: (product: string) => `Upgrade to ${product}`,
  upgradeSeats: (seats: string, own: string) => `For ${seats}; your license has ${own}.`,
  devices: { one: '1 device', many: (count: string) => `${count} devices` },
  upgradeText:
    'You get a new key, and the license that you have stays usable. Devices that were added and limits that the seller changed are not carried over.',
  terms: 'Terms of the product',
  buy: 'Continue',
  notUsable: 'The license cannot be used right now, so nothing can be bought for it. Please ask the seller.',
  notOffered: 'This is no longer offered for the license.',
  already: 'The license was already upgraded to this product.',
  priceChanged: 'The price has changed. Please check the new total, and press again to continue.',
  tooMany: 'The license cannot have that much more. Please choose less.',
};

/** What was bought for a license, on the page of whoever paid. */
export const addition = {
  thanks: 'Your payment is confirmed.',
  added: 'Added to the license',
  text: 'It counts for the license from now on. Its key and its devices are on the page of the license itself.',
  refundedText: 'The full amount was refunded, so what it added to the license no longer counts.',
  disputedText: 'While the payment is disputed, what it added to the license does not count.',
  lostText: 'What it added to the license no longer counts.',
  toLicense: 'Back to the license',
};
