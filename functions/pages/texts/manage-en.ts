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
