/** What the buyer's page shows of an order beside what the record holds. */

import type { CompletionToken } from '../../shared/buyer-access/completion-token.ts';
import { maskEmail } from '../../shared/buyer-email/buyer-email.ts';
import { findDuplicates } from '../../shared/buyer-email/find-duplicates.ts';
import type { Needs } from '../../shared/context.ts';
import { openText } from '../../shared/crypto/sealed-text.ts';
import type { Table } from '../../shared/db/table.ts';
import { isReachable } from '../../shared/email-address.ts';
import { heldByOf } from '../../shared/entitlements/holds.ts';
import { invoiceOf } from '../../shared/invoices/invoice.ts';
import { dayInZone, timeZoneOf } from '../../shared/locale.ts';
import { buyerLocaleOf, type Order, unitAmountOf } from '../../shared/orders/order.ts';
import { type ChargeFacts, noChargeFacts, refundedAmountOf } from '../../shared/payments/payment-facts.ts';
import { readPayment } from '../../shared/payments/payment-repository.ts';

/** An order that is simply paid has no refund, so its payment is not read. */
async function readCharge(table: Table, { status, paymentIntentId }: Order): Promise<ChargeFacts> {
  if (status === 'paid' || paymentIntentId === undefined) return noChargeFacts;
  return (await readPayment(table, paymentIntentId)).charge;
}

/** The order with what was refunded, and to the payer, who holds the token of the redirect, with their address, in full so that a typo shows. */
export async function showOrder(c: Needs<'table' | 'ENCRYPTION_KEYS'>, order: Order, use: CompletionToken['use']) {
  const { id, sealedBuyerEmail } = order;
  const { paidAt } = order.checkout;
  const [charge, duplicates] = await Promise.all([readCharge(c.table, order), findDuplicates(c, [order])]);
  const boughtAt = duplicates.get(id)?.checkout.paidAt;
  const timeZone = timeZoneOf(buyerLocaleOf(order));
  const buyerEmail =
    use === 'redirect' && sealedBuyerEmail !== undefined ? openText(sealedBuyerEmail, id, c.settings.ENCRYPTION_KEYS) : undefined;
  return {
    ...order,
    unitAmount: unitAmountOf(order),
    discountAmount: order.discount?.amount,
    invoice: invoiceOf(order, charge),
    held: heldByOf(order),
    boughtBefore: boughtAt === undefined ? undefined : { paidAt: boughtAt },
    amountRefunded: refundedAmountOf(charge),
    paidAt,
    paidOn: paidAt === undefined ? undefined : dayInZone(timeZone, new Date(paidAt)),
    timeZone,
    buyerEmail,
    buyerEmailMasked: buyerEmail === undefined ? undefined : maskEmail(buyerEmail),
    buyerEmailUnreachable: buyerEmail === undefined || isReachable(buyerEmail) ? undefined : true,
  };
}
