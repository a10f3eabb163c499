import * as z from 'zod/mini';
import { dateTime } from '../../schemas.ts';
import { type SellerEventType, sellerEventTypes } from '../../seller-events/seller-event.ts';
import type { PendingDelivery } from './delivery.ts';

/** The recent state of an endpoint's deliveries, stored in its job while anything is pending. See "Runs" in shared/webhook-endpoints/deliveries.md */
export const DeliveryPace = z.object({
  /** How many runs in a row ended because nothing was taken and no answer came. */
  hungRuns: z._default(z.int(), 0),
  /** Types of which the last that were sent all failed. */
  failingTypes: z._default(z.array(z.enum(sellerEventTypes)), []),
  /** Until then nothing is sent. */
  restsUntil: z.optional(dateTime),
  /** When a run last left off although more was due. */
  leftAt: z.optional(dateTime),
  /** The time for which the last message of the job was meant. */
  messageFor: z.optional(dateTime),
});
export type DeliveryPace = z.infer<typeof DeliveryPace>;

/** How the sending of one event ended. */
export interface DeliveryResult {
  type: SellerEventType;
  isAccepted: boolean;
  /** No answer came in time. */
  isHung: boolean;
}

/** How many are sent concurrently. */
export const maxConcurrent = 8;
/** How many pending deliveries to read ahead while some types are failing. */
const lookAhead = 256;
const restSeconds = { first: 5, most: 300 };

/** Until when the endpoint rests, if it does. */
export function restingUntil({ restsUntil }: DeliveryPace, at: Date): string | undefined {
  return restsUntil !== undefined && at.toISOString() < restsUntil ? restsUntil : undefined;
}

/** How many pending deliveries to read, so that `nextDue` finds what goes first. */
export const pendingToRead = ({ failingTypes }: DeliveryPace) => (failingTypes.length === 0 ? maxConcurrent : lookAhead);

/** The deliveries to send now: those due, types that are not failing first. */
export function nextDue(pending: readonly PendingDelivery[], { failingTypes }: DeliveryPace, at: Date): PendingDelivery[] {
  const due = pending.filter(({ nextAttemptAt }) => nextAttemptAt <= at.toISOString());
  const { true: failing = [], false: others = [] } = Object.groupBy(due, ({ type }) => `${failingTypes.includes(type)}`);
  return [...others, ...failing].slice(0, maxConcurrent);
}

/** The pace after these were sent: where nothing was taken the endpoint rests, and where it hangs each time twice as long. */
export function paceAfter(pace: DeliveryPace, results: readonly DeliveryResult[], at: Date): DeliveryPace {
  if (results.length === 0) return pace;
  const accepted = new Set(results.filter(({ isAccepted: isTaken }) => isTaken).map(({ type }) => type));
  const failingTypes = [...new Set([...pace.failingTypes, ...results.map(({ type }) => type)])].filter((type) => !accepted.has(type));
  if (accepted.size > 0) return { ...pace, failingTypes, hungRuns: 0, restsUntil: undefined };
  const hungRuns = results.some(({ isHung }) => isHung) ? pace.hungRuns + 1 : 0;
  const rest = Math.min(restSeconds.first * 2 ** Math.max(hungRuns - 1, 0), restSeconds.most);
  return { ...pace, failingTypes, hungRuns, restsUntil: new Date(at.getTime() + rest * 1000).toISOString() };
}

/** How many seconds a delivery is overdue. */
export function deliveryLateSeconds(
  { nextAttemptAt }: PendingDelivery,
  { restsUntil = '', leftAt = '' }: DeliveryPace,
  since: string,
  at: Date,
): number {
  const [possibleAt = nextAttemptAt] = [nextAttemptAt, restsUntil, leftAt, since].toSorted().reverse();
  return (at.getTime() - Date.parse(possibleAt)) / 1000;
}
