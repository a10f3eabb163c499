import type { PurchaseMailTexts } from './purchase-mail-texts.ts';

export const en: PurchaseMailTexts = {
  subject: (productName) => `Your purchase: ${productName}`,
  greeting: (productName) => `Thank you for buying ${productName}. Your order is complete.`,
  whatToDo: 'Open this link to see your license key and to download your files:',
  openPurchase: 'Open your purchase',
  copyInstead: 'If the button does not work, paste this address into your browser:',
  lasts: (hours) =>
    `The link works for ${hours} hours from when this mail was sent. If you open it later, the page can send a fresh one to this address.`,
  keepPrivate: 'Anyone who has this link can see your license key, so please do not forward it.',
  product: 'Product',
  seller: 'Seller',
  support: 'Support',
  notYou:
    'You get this mail because this address was given at checkout. If that was not you, please tell the seller at the support address.',
  links: {
    subject: (purchases, productName) =>
      purchases === 1 ? `A fresh link to your purchase: ${productName}` : `Fresh links to your ${purchases} purchases`,
    greeting: (purchases) =>
      purchases === 1
        ? 'Here is the fresh link you asked for, to your license key and your files.'
        : `Here are the fresh links you asked for, to the license keys and files of your ${purchases} purchases.`,
    boughtOn: 'Bought on',
    last: (hours) =>
      `A link works for ${hours} hours from when this mail was sent. If you open it later, the page can send a fresh one to this address.`,
    keepPrivate: 'Anyone who has a link can see your license key, so please do not forward this mail.',
    notYou: 'You get this mail because someone gave this address to ask for fresh links. If that was not you, you can ignore it.',
  },
};
