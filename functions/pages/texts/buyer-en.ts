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
  receipt: 'Receipt to print',
  linkExpired: 'Your link has expired, so the download could not start. Have a fresh link emailed to you:',
  linkEnded: 'Your link no longer works',
  linkEndedText: 'A newer link may have replaced it. Your purchase is still there: have a fresh link emailed to you.',
};
