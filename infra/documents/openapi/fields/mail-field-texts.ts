import type { FieldText } from './field-texts.ts';

/** The fields of how a mail fared, named as those of `fieldTexts`. */
export const mailFieldTexts: Readonly<Record<string, FieldText>> = {
  completion_mail: { text: 'How the mail with the buyer’s link fared; absent before there is one.' },
  last_mail: { text: 'How the mail fared that was sent before this one; absent if there was none.' },
  'MailStatus.mail_id': { text: 'The mail.', example: 'issuance' },
  'MailStatus.state': {
    text: '`pending`, `withheld`, `no_recipient` or `superseded` before it is sent; `undeliverable` when the mail service does not take it; then `sent`, and what the mail service told since: `delayed`, `bounced`, `suppressed` (not even tried), `complained` or `rejected`.',
    example: 'bounced',
  },
  'MailStatus.bounce': { text: 'Of a bounce: whether another try may succeed.', example: 'permanent' },
  'MailStatus.address_suppressed': {
    text: 'Whether the mail service delivers nothing more to this address: after a permanent bounce or a complaint, until the operator lifts that.',
    example: true,
  },
  'MailStatus.at': { text: 'Since when.', example: '2026-01-31T09:00:00.000Z' },
};
