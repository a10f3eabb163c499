import { type ChargeFacts, type DisputeFact, noChargeFacts, refundedAmountOf, stopsLicense } from '../payments/payment-facts.ts';
import type { NewEvent } from '../seller-events/seller-event.ts';
import { type Order, wasPaid } from './order.ts';

/** An order, and what is known of its charge. */
export interface SaleFacts {
  order: Order;
  charge: ChargeFacts;
}

/**
 * What happened to a sale between two looks at it, as the seller's systems are told of it. Derived from the known facts
 * alone: repeated facts yield no event, and facts of a payment that has not arrived are reported once it has.
 * `licenseStatus` is that of the license that an addition adds to.
 */
export function orderEvents(before: SaleFacts, after: SaleFacts, licenseStatus?: string): NewEvent[] {
  if (!wasPaid(after.order)) return [];
  const { id: orderId, productId, status, amount, currency, kind, quantity, discount, addedTo } = after.order;
  const sale = { orderId, productId, status, amount, currency, kind, quantity, discountId: discount?.id, parentOrderId: addedTo?.orderId };
  const known = wasPaid(before.order) ? before.charge : noChargeFacts;
  const amountRefunded = refundedAmountOf(after.charge);
  const paid: NewEvent[] = wasPaid(before.order) ? [] : [{ type: 'order.paid', data: { ...sale, licenseStatus } }];
  const refunded: NewEvent[] =
    amountRefunded > refundedAmountOf(known) ? [{ type: 'order.refunded', data: { ...sale, amountRefunded } }] : [];
  const disputed = Object.entries(after.charge.disputes).flatMap(([id, dispute]) => disputeEvents(sale, known.disputes[id], dispute));
  return [...paid, ...refunded, ...disputed];
}

type SaleData = Extract<NewEvent, { type: 'order.paid' }>['data'];

/** An inquiry is no dispute. One that is first heard of when it is won, or has been prevented, never touched the order. */
function disputeEvents(sale: SaleData, before: DisputeFact | undefined, { state }: DisputeFact): NewEvent[] {
  if (before?.state === state) return [];
  const opened: NewEvent[] = stopsLicense(state) && !stopsLicense(before?.state) ? [{ type: 'order.disputed', data: sale }] : [];
  const isClosed = state === 'lost' || (state === 'won' && stopsLicense(before?.state));
  return isClosed ? [...opened, { type: 'order.dispute_closed', data: { ...sale, outcome: state } }] : opened;
}
