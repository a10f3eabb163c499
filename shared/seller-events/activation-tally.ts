import * as z from 'zod/mini';
import { idOf, type LicenseId } from '../ids.ts';
import type { SellerEvent, SellerEventType } from './seller-event.ts';

/** What a seller was told lately of the devices of a license, and what is still to be told. */
export const ActivationTally = z.object({
  licenseId: idOf('license'),
  /** When events were told, in milliseconds since 1970, the earliest first. */
  toldAt: z.array(z.int()),
  /** How many seat changes were suppressed since the last event. */
  suppressed: z.int(),
  refusalToldAt: z.optional(z.int()),
  /** How many refusals are not reported yet, and the data of the latest. */
  refusals: z.int(),
  refusal: z.optional(z.record(z.string(), z.unknown())),
  /** 0: nothing was recorded yet. */
  revision: z.int(),
});
export type ActivationTally = z.infer<typeof ActivationTally>;

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const maxPerHour = 60;

export const emptyTally = (licenseId: LicenseId): ActivationTally => ({
  licenseId,
  toldAt: [],
  suppressed: 0,
  refusals: 0,
  revision: 0,
});

const talliedTypes: readonly SellerEventType[] = ['activation.created', 'activation.released', 'activation.refused'];

/** The license of which the event is to be tallied; not of refusals that were, which have a count. */
export function talliedLicense({ type, data }: SellerEvent): LicenseId | undefined {
  if (!talliedTypes.includes(type) || data['count'] !== undefined) return undefined;
  return idOf('license').parse(data['licenseId']);
}

/** Tallies an event: `data` is to be sent now; without it, the event is folded into the next one. */
export function tallyEvent(
  tally: ActivationTally,
  { type, data }: SellerEvent,
  at: Date,
): { next: ActivationTally; data?: SellerEvent['data'] } {
  const isRefusal = type === 'activation.refused';
  if (isRefusal && (tally.refusals > 0 || secondsUntilSent(tally, at) > 0)) {
    return { next: { ...tally, refusals: tally.refusals + 1, refusal: data } };
  }
  if (recentOf(tally, at).length >= maxPerHour) return { next: { ...tally, suppressed: tally.suppressed + 1 } };
  const next = { ...withSentAt(tally, at), ...(isRefusal && { refusalToldAt: at.getTime() }) };
  return { next, data: { ...data, ...(isRefusal && { count: 1 }), ...suppressedBefore(tally) } };
}

/** The event for the folded refusals, once `secondsUntilSent` have passed. */
export function tallyRefusals(tally: ActivationTally, at: Date): { next: ActivationTally; data: SellerEvent['data'] } {
  const { refusal, ...others } = withSentAt(tally, at);
  return {
    next: { ...others, refusals: 0, refusalToldAt: at.getTime() },
    data: { ...refusal, count: tally.refusals, ...suppressedBefore(tally) },
  };
}

/** In how many seconds refusals may be sent again: a minute after the last, and within the hourly limit. */
export function secondsUntilSent(tally: ActivationTally, at: Date): number {
  const afterMinute = (tally.refusalToldAt ?? 0) + minuteMs;
  const blocking = recentOf(tally, at).at(-maxPerHour);
  const afterHour = blocking === undefined ? 0 : blocking + hourMs;
  return Math.max(0, Math.ceil((Math.max(afterMinute, afterHour) - at.getTime()) / 1000));
}

const recentOf = ({ toldAt }: ActivationTally, at: Date) => toldAt.filter((time) => time > at.getTime() - hourMs);
const withSentAt = (tally: ActivationTally, at: Date) => ({ ...tally, toldAt: [...recentOf(tally, at), at.getTime()], suppressed: 0 });
const suppressedBefore = ({ suppressed }: ActivationTally) => (suppressed > 0 ? { suppressed } : {});
