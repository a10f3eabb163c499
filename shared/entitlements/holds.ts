import * as z from 'zod/mini';
import { idOf, type OrderId } from '../ids.ts';
import { dateTime } from '../schemas.ts';

/** Why a payment currently suspends the license. */
const holds = ['refunded', 'disputed'] as const;
export const Hold = z.enum(holds);
export type Hold = z.infer<typeof Hold>;

/** The order whose refund or dispute holds the license of an upgrade, and since when; of several the one furthest back. */
export const HeldBy = z.object({ orderId: idOf('order'), why: Hold, since: dateTime });
export type HeldBy = z.infer<typeof HeldBy>;

/** Of several holds the one that is reported: a refund before a dispute. */
export function strongestHold(...some: readonly (Hold | undefined)[]): Hold | undefined {
  return some.includes('refunded') ? 'refunded' : some.find((hold) => hold !== undefined);
}

/** What of an order says whether its license is held: its status, and what it has from the orders that it was upgraded from. */
interface HeldOrder {
  status: string;
  inheritedHold?: Hold | undefined;
}

/** What of an order says by which order its license is held. */
interface HoldingOrder extends HeldOrder {
  id: OrderId;
  createdAt: string;
  /** When its own payment was refunded or disputed. */
  heldSince?: string | undefined;
  heldBy?: HeldBy | undefined;
  upgradedFrom?: { orderId: OrderId } | undefined;
}

/** The hold caused by the order's own payment. */
export const ownHold = ({ status }: Pick<HeldOrder, 'status'>): Hold | undefined => holds.find((hold) => hold === status);

/** Why the license of the order is held, by its own payment or one of those that it was upgraded from; also what its upgrades have from it. */
export const effectiveHold = (order: HeldOrder): Hold | undefined => strongestHold(ownHold(order), order.inheritedHold);

/**
 * The order through which the license of an upgrade is held, if one is. Of upgrades that were held before that was recorded, it
 * is taken to be the one just before it.
 */
export function heldByOf({ heldBy, inheritedHold: why, upgradedFrom, createdAt }: HoldingOrder): HeldBy | undefined {
  return heldBy ?? (why && upgradedFrom && { orderId: upgradedFrom.orderId, why, since: createdAt });
}

/** What the upgrades of an order have from it. */
export function passedOn(order: HoldingOrder): { inheritedHold: Hold | undefined; heldBy: HeldBy | undefined } {
  const why = ownHold(order);
  const own = why && { orderId: order.id, why, since: order.heldSince ?? order.createdAt };
  return { inheritedHold: effectiveHold(order), heldBy: heldByOf(order) ?? own };
}
