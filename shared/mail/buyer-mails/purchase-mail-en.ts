import type { PurchaseMailTexts } from './purchase-mail-texts.ts';

export const en: PurchaseMailTexts = {
  subject: (productName, isFree) => `${isFree ? 'Your license' : 'Your purchase'}: ${productName}`,
  greeting: (productName, isFree) => `Thank you for ${isFree ? 'choosing' : 'buying'} ${productName}. Your order is complete.`,
  whatToDo: 'Open this link to see your license key and download your files.',
  openPurchase: 'Open your order',
  linkLifetime: (hours) =>
    `The link works for ${hours} hours after this email was sent. If you open it later, you can have a new one sent to this address.`,
  keepPrivate: "Anyone who has this link can see your license key, so please don't forward this email.",
  notForYou:
    "You're receiving this email because this address was entered at checkout. If that wasn't you, please tell the seller at the support address.",
  addition: {
    greeting: (productName, added) => `Thank you for buying ${added} for ${productName}. Your order is complete.`,
    whatToDo: 'Open this link to see your receipt.',
    openReceipt: 'Open your receipt',
    keepPrivate: "Anyone who has this link can see your order, so please don't forward this email.",
    unusable:
      'The license that it was bought for cannot be used now. What you bought counts as soon as it can be used again. If you have questions, please write to the support address.',
  },
  facts: {
    product: 'Product',
    price: 'Price',
    quantity: 'Quantity',
    priceEach: 'Price each',
    total: 'Total',
    discount: 'Discount',
    takenOff: (amount) => `${amount}, taken off already`,
    free: 'Free',
    taxIncluded: (price) => `${price} (tax included)`,
    order: 'Order number',
    paidOn: 'Paid on',
    orderedOn: 'Ordered on',
    day: (at, timeZone) =>
      `${new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone }).format(at)} (${timeZone === 'Asia/Tokyo' ? 'Japan time' : timeZone})`,
    seller: 'Seller',
    site: 'Website',
    support: 'Support',
  },
  links: {
    subject: (orders, productName) => (orders === 1 ? `Your new link: ${productName}` : `Your new links to ${orders} orders`),
    greeting: (orders) =>
      orders === 1
        ? 'Here is the new link you asked for, to your license key and files.'
        : `Here are the new links you asked for, to the license keys and files of your ${orders} orders.`,
    greetingOfOrders: (orders) =>
      orders === 1
        ? 'Here is the new link you asked for, to your order.'
        : `Here are the new links you asked for, to your ${orders} orders.`,
    last: (hours) =>
      `A link works for ${hours} hours after this email was sent. If you open it later, you can have a new one sent to this address.`,
    keepPrivate: "Anyone who has a link can see the license key behind it, so please don't forward this email.",
    notForYou:
      "You're receiving this email because someone entered this address to ask for new links. If that wasn't you, you can ignore this email.",
  },
};
