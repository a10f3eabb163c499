import * as z from 'zod/mini';
import { HeldBy, Hold } from '../entitlements/holds.ts';
import { idOf } from '../ids.ts';
import { InvoiceTerms } from '../invoices/invoice.ts';
import { issuanceMailId } from '../mail/outbox/mail.ts';
import { CheckoutFacts, OrderStatus, PaymentStatus } from '../payments/payment-facts.ts';
import { dateTime } from '../schemas.ts';
import { OrderTerms } from './order-terms.ts';

/** What an order is for: a license; more seats or more updates for one that was sold; or a license in the place of one of another product. */
export const orderKinds = ['license', 'seats', 'updates', 'upgrade'] as const;
export type OrderKind = (typeof orderKinds)[number];
/** What is sold for a license that its buyer has already. */
export type AdditionKind = Extract<OrderKind, 'seats' | 'updates'>;

/** The license that an order adds to, or that it upgrades, with the order that it came of. */
const Parent = z.object({ orderId: idOf('order'), licenseId: idOf('license') });

/** An order as the table holds it. `status` and `paymentStatus` are derived from the payment's facts and stored beside them. */
export const Order = z.object({
  id: idOf('order'),
  sellerId: idOf('seller'),
  productId: idOf('product'),
  /** Orders of the first versions have none, and are for licenses. */
  kind: z._default(z.enum(orderKinds), 'license'),
  /** How many were bought: licenses' worth of seats, or added seats. */
  quantity: z._default(z.int(), 1),
  /** What one cost, after the discount; orders made before that was kept are for one. */
  unitAmount: z.optional(z.int()),
  /** The discount it was made with, and how much that took off the whole order. */
  discount: z.optional(z.object({ id: idOf('discount'), code: z.string(), amount: z.int() })),
  /** Of an addition: what it is added to. */
  addedTo: z.optional(Parent),
  /** Of an upgrade: what it was upgraded from. */
  upgradedFrom: z.optional(Parent),
  /** The paid orders that upgrade the license of this one. */
  upgrades: z.optional(z.array(z.object({ orderId: idOf('order'), productId: idOf('product') }))),
  /** Why its license is held through an order that it was upgraded from, however far back. See shared/entitlements/README.md */
  inheritedHold: z.optional(Hold),
  /** Through which of them. */
  heldBy: z.optional(HeldBy),
  /** Since when its own payment is refunded in full or disputed, by the provider's time. */
  heldSince: z.optional(dateTime),
  /** Whether the buyer was told that an order that it was upgraded from holds its license. */
  holdMailed: z.optional(z.boolean()),
  /** Of what an invoice of it is made; absent where none is. */
  invoice: z.optional(InvoiceTerms),
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
  /** How often a session was asked for; each attempt has an expiry of its own. See "Attempts" in shared/checkout/repeats.md */
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

/** What one cost, in the minor unit. */
export const unitAmountOf = ({ unitAmount, amount }: Pick<Order, 'unitAmount' | 'amount'>) => unitAmount ?? amount;

/** An order for more of a license that was sold. */
export type AdditionOrder = Order & { kind: AdditionKind; addedTo: NonNullable<Order['addedTo']> };
/** Whether it is for more of a license that was sold, and issues none of its own. */
export const isAddition = (order: Order): order is AdditionOrder => order.addedTo !== undefined;

/** Whether the payment ever arrived, whatever happened to it since. */
export const wasPaid = (order: Order) => order.checkout.paidAt !== undefined;

/** Whether the whole payment went back, by a refund or a lost dispute. */
export const isReturned = ({ paymentStatus }: Pick<Order, 'paymentStatus'>) => paymentStatus === 'refunded' || paymentStatus === 'lost';

/** Whether it is paid while its license is held through an order that it was upgraded from. */
export const isPaidButHeld = (order: Order): order is Order & { heldBy: HeldBy } =>
  order.heldBy !== undefined && wasPaid(order) && !isReturned(order);

/** Whether the buyer may be mailed a link: paid, and neither disputed nor fully refunded since, nor any order that it was upgraded from. */
export const mayMailLink = ({ status, inheritedHold }: Order) =>
  inheritedHold === undefined && (status === 'paid' || status === 'partially_refunded');

/** The completion mail that the order sends, or withholds until it is mailable; every other one is superseded. */
export const completionMailIdOf = ({ completionMailId }: Order) => completionMailId ?? issuanceMailId;

/** The language to write to the buyer in: the one they chose, else the one the price suggests. */
export function buyerLocaleOf({ locale, currency }: Pick<Order, 'locale' | 'currency'>): 'ja' | 'en' {
  if (locale !== 'auto') return locale;
  return currency.toUpperCase() === 'JPY' ? 'ja' : 'en';
}

/** From an idempotency key of a checkout to its order, or from what is added to a license; only hashes of key and body are kept. */
export const CheckoutRequest = z.object({
  requestHash: z.string(),
  /** Of a key. */
  bodyHash: z.optional(z.string()),
  orderId: idOf('order'),
  createdAt: dateTime,
  ttl: z.int(),
});
export type CheckoutRequest = z.infer<typeof CheckoutRequest>;
