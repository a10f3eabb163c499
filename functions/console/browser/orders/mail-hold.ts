import type { SoldOrder } from '../../../../build/client.ts';

/** Whether a mail with the buyer's link waits: while the order, or one that it was upgraded from, is refunded or disputed. */
export const isMailHeld = ({ status, held_by }: Pick<SoldOrder, 'status' | 'held_by'>): boolean =>
  status === 'refunded' || status === 'disputed' || held_by !== undefined;
