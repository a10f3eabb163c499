/**
 * What becomes of the redemption of an order that was made with a discount: `reserved` while its cart may be paid, `returned`
 * once it cannot be, `redeemed` for good once it was paid, whatever was returned before and happens afterwards.
 */
export const redemptionStates = ['reserved', 'returned', 'redeemed'] as const;
export type RedemptionState = (typeof redemptionStates)[number];

/** By whether the order was ever paid, and whether its session can still be. */
export function redemptionStateOf({ wasPaid, isOver }: { wasPaid: boolean; isOver: boolean }): RedemptionState {
  if (wasPaid) return 'redeemed';
  return isOver ? 'returned' : 'reserved';
}
