import type { MailCause, MailKind } from './mail.ts';

/** Every kind of mail that there is. */
type SentMailKind = MailKind | 'links' | 'endpoint_notice' | 'review_notice' | 'token_notice';

/** What has a mail of each kind sent; `order`: the payment of the order that it is about, unless that was free. */
export const causeOfKind = {
  completion: 'order',
  device_released: 'order',
  key_replaced: 'order',
  address_corrected: 'order',
  payment_refunded: 'payment',
  dispute_lost: 'payment',
  addition_counts: 'payment',
  addition_ends: 'payment',
  license_upgraded: 'order',
  upgrade_held_refunded: 'payment',
  upgrade_held_disputed: 'payment',
  links: 'free',
  endpoint_notice: 'free',
  token_notice: 'free',
  review_notice: 'admin',
} as const satisfies Record<SentMailKind, MailCause | 'order'>;

/** What the mails of an order of this amount are sent for. */
export const causeOfOrder = ({ amount }: { amount: number }): MailCause => (amount === 0 ? 'free' : 'payment');

/** What has a mail about an order sent: what the mail itself names, else what its kind says. */
export function mailCauseOf({ kind, cause }: { kind: MailKind; cause?: MailCause | undefined }, order: { amount: number }): MailCause {
  const usual = causeOfKind[kind];
  return cause ?? (usual === 'order' ? causeOfOrder(order) : usual);
}
