/** Why a payment currently suspends the license. */
export type Hold = 'refunded' | 'disputed';

/** Of several holds the one that is reported: a refund before a dispute. */
export function strongestHold(...holds: readonly (Hold | undefined)[]): Hold | undefined {
  return holds.includes('refunded') ? 'refunded' : holds.find((hold) => hold !== undefined);
}

/** What of an order says whether its license is held: its status, and what it has from the orders that it was upgraded from. */
interface HeldOrder {
  status: string;
  inheritedHold?: Hold | undefined;
}

/** The hold caused by the order's own payment. */
export const ownHold = ({ status }: Pick<HeldOrder, 'status'>): Hold | undefined =>
  status === 'refunded' || status === 'disputed' ? status : undefined;

/** Why the license of the order is held, by its own payment or one of those that it was upgraded from; also what its upgrades have from it. */
export const effectiveHold = (order: HeldOrder): Hold | undefined => strongestHold(ownHold(order), order.inheritedHold);
