import type { Order } from '../orders/order.ts';

const sessionMs = 30 * 60_000;
/** The provider demands that half an hour is left when the request reaches it. */
const transitMs = 20_000;
/** Longer than a call to the provider may take, and short enough that a request made at its end still arrives in time. */
const attemptMs = 18_000;
const unpaidKeptMs = 30 * 24 * 3600_000;

/** What an order has from an attempt to open its session: the session ends half an hour later, and the order is kept for a while. */
export function attemptStartingAt(startedAt: Date, checkoutAttempt: number) {
  const expires = startedAt.getTime() + sessionMs + transitMs;
  return {
    checkoutAttempt,
    attemptUntil: new Date(startedAt.getTime() + attemptMs).toISOString(),
    expiresAt: new Date(expires).toISOString(),
    ttl: Math.floor((expires + unpaidKeptMs) / 1000),
  };
}

/** The order with its next attempt. */
export const withNextAttempt = (order: Order, startedAt: Date): Order => ({
  ...order,
  ...attemptStartingAt(startedAt, (order.checkoutAttempt ?? 0) + 1),
});

/** Whether somebody asks the provider for the order's session at this moment. */
export const isAttemptUnderWay = ({ attemptUntil }: Order, at: Date) => attemptUntil !== undefined && attemptUntil > at.toISOString();
