import * as z from 'zod/mini';
import { idOf } from '../ids.ts';
import { issuanceMailId } from '../mail/mail.ts';
import { CheckoutFacts, OrderStatus, PaymentStatus } from '../payments/payment-facts.ts';
import { dateTime } from '../schemas.ts';
import { OrderTerms } from './order-terms.ts';

/** An order as the table holds it. `status` and `paymentStatus` are derived from the payment's facts and stored beside them. */
export const Order = z.object({
  id: idOf('order'),
  sellerId: idOf('seller'),
  productId: idOf('product'),
  terms: OrderTerms,
  /** In the minor unit of `currency`, which is spelled as the product spells it. */
  amount: z.int(),
  currency: z.string(),
  applicationFeeAmount: z.int(),
  destinationAccountId: z.string(),
  locale: z.enum(['ja', 'en', 'auto']),
  status: OrderStatus,
  paymentStatus: PaymentStatus,
  checkout: CheckoutFacts,
  /** How often a session was asked for; each attempt has an expiry of its own. See "Attempts" in README.md */
  checkoutAttempt: z.optional(z.int()),
  /** Until when the attempt is taken to be under way; absent once it is known to have failed. */
  attemptUntil: z.optional(dateTime),
  checkoutSessionId: z.optional(z.string()),
  /** When the checkout session ends. */
  expiresAt: dateTime,
  paymentIntentId: z.optional(z.string()),
  /** The buyer's e-mail as the provider reported it or as it was corrected, encrypted and bound to the order id. */
  sealedBuyerEmail: z.optional(z.string()),
  /** How often the address was corrected; absent: never. Tokens in mails name it, and none of an earlier address is good. */
  emailGeneration: z.optional(z.int()),
  /** Whether the buyer used their one correction. */
  buyerCorrectedEmail: z.optional(z.boolean()),
  /** The one completion mail that may still be sent, if it is not the issuance mail. */
  completionMailId: z.optional(z.string()),
  /** Whether the buyer was told that the whole payment went back. */
  returnMailed: z.optional(z.boolean()),
  licenseId: z.optional(idOf('license')),
  /** Since when a paid order waits for an imported code. */
  waitingSince: z.optional(dateTime),
  createdAt: dateTime,
  revision: z.int(),
  ttl: z.optional(z.int()),
});
export type Order = z.infer<typeof Order>;

/** Whether the payment ever arrived, whatever happened to it since. */
export const wasPaid = (order: Order) => order.checkout.paidAt !== undefined;

/** Whether the buyer may be mailed a link: paid, and neither disputed nor fully refunded since. */
export const isMailable = (order: Order) => order.status === 'paid' || order.status === 'partially_refunded';

/** The completion mail that the order sends, or withholds until it is mailable; every other one is superseded. */
export const completionMailIdOf = ({ completionMailId }: Order) => completionMailId ?? issuanceMailId;

/** The language to write to the buyer in: the one they chose, else the one the price suggests. */
export function buyerLocaleOf({ locale, currency }: Pick<Order, 'locale' | 'currency'>): 'ja' | 'en' {
  if (locale !== 'auto') return locale;
  return currency.toUpperCase() === 'JPY' ? 'ja' : 'en';
}

/** From an idempotency key of a checkout to its order; only hashes of key and body are kept. */
export const CheckoutRequest = z.object({
  requestHash: z.string(),
  bodyHash: z.string(),
  orderId: idOf('order'),
  createdAt: dateTime,
  ttl: z.int(),
});
export type CheckoutRequest = z.infer<typeof CheckoutRequest>;
