import type { FieldText } from './field-texts.ts';

/** The fields of what sellers and admins see at their desks, named as those of `fieldTexts`. */
export const deskFieldTexts: Readonly<Record<string, FieldText>> = {
  'HistoryItem.action': {
    text: 'What happened: `order.created`, `payment.succeeded`, `payment.refunded`, `license.issued`, `license.upgraded`, `mail.sent`, `mail.bounced`, `activation.created`, `activation.released`, or what an audit record of the order or the license calls it, such as `license.suspend`. Others come later.',
    example: 'payment.refunded',
  },
  'HistoryItem.actor': {
    text: 'Who did it: `seller` (who owns the sale), `buyer`, `admin`, `app` (the buyer’s, by itself), `provider` (of the payment) or `service`.',
    example: 'provider',
  },
  'HistoryItem.before': {
    text: 'What was before: a word of state, a limit, or the amount refunded in the minor unit of the currency. Absent where nothing is told.',
    example: 0,
  },
  'HistoryItem.after': {
    text: 'The same afterwards; of a payment its amount, of a mail that came back whether that is `permanent` or `transient`.',
    example: 500,
  },
  preview_url: {
    text: 'Where the preview is. Whoever has it can open it.',
    example: 'https://licenses.example.com/preview/q0Zl3yq2c0m4m0Zz1b8m2vQm1t6p7s8d9f0g1h2j3k4',
  },
  'CreatePreviewRequest.version': {
    text: '`live`, the values of the product itself, or `pending`, those with its pending revision. Default `pending` where there is one.',
    example: 'pending',
  },
};
