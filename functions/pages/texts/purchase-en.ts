/** What keeps a page from going on, and what to do about it. */
export const trouble = {
  offline: 'You are offline',
  offlineText: 'Check your connection.',
  offlineRetry: 'You are offline. Check your connection and try again.',
  unreachableRetry: 'We could not reach the service. Check your connection and try again.',
  tooManyText: (time: string) => `There were many requests from your network. It will work again in ${time}.`,
  tooManyRetry: (time: string) => `There were many requests from your network. Try again in ${time}.`,
  unavailableRetry: 'A service we depend on is not responding. Try again in a few minutes.',
  failedText: 'This is not your fault, and nothing about your purchase is lost.',
  failedRetry: 'Something went wrong on our side. Try again in a minute.',
  requestNumber: (id: string) => `Request number: ${id}`,
  goesOn: 'This page keeps trying by itself. Nothing about your purchase is lost.',
  linkEnded: 'Your link no longer works, so this was not done. Have a fresh link emailed to you, below.',
};

/** What a page asks for that was opened without the whole link. */
export const pastedLink = {
  title: 'Was your link cut short?',
  text: 'Some mail programs cut a link off at the “#”. Copy the whole link from our email, and paste it here.',
  label: 'Link from the email',
  invalid: 'Please paste the whole link: it ends with “#token=” and a long row of letters and digits.',
  open: 'Open my purchase',
};

/** Where to turn from a page that has nothing more to offer. */
export const help = {
  title: 'Need help?',
  quote: 'If you write to someone about this purchase, give the order number.',
  contact: 'Operator of this service',
  manage: 'Find my purchases',
};

/** Where the link of a purchase was emailed to, and how to correct that. */
export const address = {
  sent: (address: string) => `We emailed your link to ${address}.`,
  toSend: (address: string) => `We will email your link to ${address}.`,
  unknown: 'We know no email address for this order, so we could not email you a link.',
  unreachable: (address: string) => `No email can reach the address ${address}, so we could not email you a link. Please correct it.`,
  likely: (address: string) => `Did you mean ${address}?`,
  propose: 'Correct it to this',
  wrong: 'Not your address? Correct it',
  add: 'Add your email address',
  hint: 'You can do this once. The link goes to the new address, and links sent before stop working.',
  email: 'Correct email address',
  send: 'Send the link there',
  done: 'The link is on its way to the new address. Look in your spam folder too.',
  already: 'The address was already corrected once. Please write to the seller’s support.',
  notUsable: 'The address cannot be changed while the purchase is refunded or disputed. Please write to the seller’s support.',
  linkInvalid: 'The address can be corrected only on the page you came to after paying. Please write to the seller’s support.',
};

/** The rest of what the completion page says about a purchase. */
export const purchase = {
  getFromFiles: 'Download the software above and install it.',
  getFromSite: 'Get the software from the seller’s website and install it:',
  getFromSupport: 'Ask the seller how to get the software:',
  site: 'Website',
  buyAgain: 'Buy it again',
  lost: 'The payment went back through the card issuer',
  lostText: 'A dispute was decided for the card holder, so the license no longer works. Please ask the seller if that is wrong.',
  boughtBefore: {
    title: 'Did you mean to buy it twice?',
    text: (time: string) => `This product was bought with your address before, on ${time}.`,
    support: 'If it was by accident, write to:',
  },
  held: {
    title: 'This upgrade is on hold',
    refunded: {
      text: 'The purchase that it was upgraded from was refunded, and an upgrade works only together with that purchase. The key does not work now.',
      paid: 'For this upgrade {amount} was paid. None of it came back with that refund.',
    },
    disputed: {
      text: 'The payment of the purchase that it was upgraded from is disputed with the card issuer, and an upgrade works only together with that purchase. The key does not work until the dispute ends in the seller’s favour.',
      paid: 'For this upgrade {amount} was paid, which is not part of that dispute.',
    },
    support: 'If you have questions, or want to ask for your money, write to:',
  },
  receipt: 'Receipt to print',
  linkExpired: 'Your link has expired, so the download could not start. Have a fresh link emailed to you:',
  linkEnded: 'Your link no longer works',
  linkEndedText: 'A newer link may have replaced it. Your purchase is still there: have a fresh link emailed to you.',
};

/** What the completion page says in English about devices. */
export const devices = {
  title: 'Devices',
  loading: 'Loading the devices…',
  none: 'No device is using this license yet.',
  unnamed: (id: string) => `Unnamed device (${id})`,
  since: (date: string) => `In use since ${date}`,
  more: 'Show more',
  release: 'Release',
  releaseName: (device: string) => `Release ${device}`,
  ask: (device: string) => `Release ${device}?`,
  askText: 'Its place is free for another device at once. The app on it asks for the key again the next time it checks the license.',
  confirm: 'Yes, release it',
  cancel: 'Cancel',
  working: 'Releasing…',
  released: (device: string) => `${device} was released.`,
  movesLeft: (count: string) => `Devices you can still release here within 30 days: ${count}.`,
  noMoves: 'You cannot release any more devices here for now.',
  nextMove: (date: string) => `You can release one more from ${date}.`,
  neverMoves: 'Devices cannot be released on this page. Release the license in the app, or ask the seller.',
  notAllowed: 'The terms of this license do not allow devices to be released. Please ask the seller.',
  notFound: 'This device is no longer in the list.',
};

/** What it says about replacing a key. */
export const replaceKey = {
  title: 'Has someone else got your key?',
  text: 'If your key leaked, replace it with a new one. Please read this first:',
  warnings: [
    'The old key stops working at once, and cannot be brought back.',
    'Every device has to be activated again with the new key.',
    'You can do this once in 30 days.',
  ],
  start: 'Replace the key',
  ask: 'Replace the key now?',
  askText: 'The old key stops working on every device.',
  confirm: 'Yes, replace it',
  working: 'Replacing the key…',
  done: 'Your key was replaced. The old one no longer works; activate your devices with the new one.',
  notHere: 'Keys of this product cannot be replaced here. Please write to the seller’s support.',
  exhausted: 'The key was already replaced in the last 30 days. Please write to the seller’s support.',
  notUsable: 'Only the key of an active license can be replaced.',
};

/** What the page under the fixed address says in English. */
export const manage = {
  title: 'Find your purchases',
  lead: 'Enter the email address you gave when you paid. We email you a link to each purchase made with it.',
  invalid: 'Enter an email address, such as name@example.com.',
  error: 'Error',
  send: 'Email me my links',
  gains: 'What the link lets you do',
  gainsList: [
    'See your license key again and copy it',
    'Download your files',
    'See which devices use the license, and release one you no longer have',
    'Replace a key that leaked',
    'Print a receipt',
  ],
  sent: 'Check your email',
  sentText: (hours: number) =>
    `If there is an order under this address, an email with your links is on its way. Each link works for ${hours} hours.`,
  sentHints: [
    'Nothing there after a few minutes? Look in your spam folder too.',
    'You may have paid with another address: try that one.',
    'An address gets at most three of these emails an hour.',
  ],
  again: 'Try another address',
  stuck: 'Still stuck?',
  askSeller: 'Write to the seller: the support address is in the email you got when you bought, and on the product page.',
};
