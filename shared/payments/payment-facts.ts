import * as z from 'zod/mini';
import { dateTime } from '../schemas.ts';

/**
 * What the provider told us of one payment. Every event only adds a fact, so that
 * facts can be merged in any order and any number of times; what is shown is
 * derived from them by `orderStatusOf`, `paymentStatusOf` and `licenseHoldOf`.
 * See "Facts and statuses" in facts.md
 */
export const DisputeFact = z.object({
  /** An inquiry has no effect. A closed inquiry counts as `won`, a prevented dispute as what its charge tells. */
  state: z.enum(['inquiry', 'open', 'won', 'lost']),
  /** The provider's time of the event; of two closings the later counts. */
  at: dateTime,
  /** The disputed amount, in the minor unit; unknown for older disputes. */
  amount: z.optional(z.int()),
  /** Since when it stops the license, where an event before `at` told so. */
  stoppedAt: z.optional(dateTime),
});
export type DisputeFact = z.infer<typeof DisputeFact>;

/** As it is told: where the provider was asked about two closings that contradict each other, its closing counts more than they do. */
export type ToldDispute = DisputeFact & { isRetrieved?: boolean };

/** Facts of the checkout session: they belong to the order. */
export const CheckoutFacts = z.object({
  /** The provider's time of the event that says so. */
  paidAt: z.optional(dateTime),
  /** When we received that event; older orders use `paidAt`. */
  paidHeardAt: z.optional(dateTime),
  /** The buyer finished, and the payment is on its way. */
  processingAt: z.optional(dateTime),
  asyncFailedAt: z.optional(dateTime),
  declinedAt: z.optional(dateTime),
  expiredAt: z.optional(dateTime),
});
export type CheckoutFacts = z.infer<typeof CheckoutFacts>;

/** Facts of the charge. They belong to the payment, whose order may not be known yet. */
export const ChargeFacts = z.object({
  /** The largest refunded amount of any event, in the minor unit. */
  refundedAmount: z.int(),
  /** The provider's time at which each refunded amount was last reported, by the amount; not known of older ones. */
  refundTimes: z.optional(z.record(z.string(), dateTime)),
  /** Retrieved from the provider after a refund failed; from then on the last retrieval counts. */
  refundRetrieval: z.optional(z.object({ at: dateTime, amount: z.int() })),
  disputes: z.record(z.string(), DisputeFact),
});
export type ChargeFacts = z.infer<typeof ChargeFacts>;
/** What is told of a charge, to be merged into what is known of it. */
export type ToldCharge = Omit<ChargeFacts, 'disputes'> & { disputes: Record<string, ToldDispute> };

export const noChargeFacts: ChargeFacts = { refundedAmount: 0, disputes: {} };

export const OrderStatus = z.enum(['pending', 'payment_failed', 'expired', 'paid', 'partially_refunded', 'disputed', 'refunded']);
export type OrderStatus = z.infer<typeof OrderStatus>;

export const PaymentStatus = z.enum(['pending', 'processing', 'succeeded', 'failed', 'partially_refunded', 'refunded', 'disputed', 'lost']);
export type PaymentStatus = z.infer<typeof PaymentStatus>;

const earliest = (a: string | undefined, b: string | undefined) => (a && b ? (a < b ? a : b) : (a ?? b));

/** Of each fact the earliest time. */
export function mergeCheckoutFacts(a: CheckoutFacts, b: CheckoutFacts): CheckoutFacts {
  return {
    paidAt: earliest(a.paidAt, b.paidAt),
    paidHeardAt: earliest(a.paidHeardAt, b.paidHeardAt),
    processingAt: earliest(a.processingAt, b.processingAt),
    asyncFailedAt: earliest(a.asyncFailedAt, b.asyncFailedAt),
    declinedAt: earliest(a.declinedAt, b.declinedAt),
    expiredAt: earliest(a.expiredAt, b.expiredAt),
  };
}

/**
 * Refunds by the maximum, their times by the amount, disputes by their id: in any order. What was retrieved takes the place of
 * what is known: it was asked for after that was read, and is written only while that is unchanged. No clock of ours tells.
 */
export function mergeChargeFacts(known: ChargeFacts, told: ToldCharge): ChargeFacts {
  const disputes = { ...known.disputes };
  for (const [id, { isRetrieved = false, ...dispute }] of Object.entries(told.disputes)) {
    const before = disputes[id];
    const later = before && !(isRetrieved && isClosed(dispute)) ? laterDispute(before, dispute) : dispute;
    const stoppedAt = earliest(before && stoppedAtOf(before), stoppedAtOf(dispute));
    disputes[id] = stoppedAt === stoppedAtOf(later) ? later : { ...later, stoppedAt };
  }
  const refundRetrieval = told.refundRetrieval ?? known.refundRetrieval;
  const refundTimes = mergeTimes(known.refundTimes, told.refundTimes);
  const refundedAmount = Math.max(known.refundedAmount, told.refundedAmount);
  return { refundedAmount, ...(refundTimes && { refundTimes }), refundRetrieval, disputes };
}

function mergeTimes(a: ChargeFacts['refundTimes'], b: ChargeFacts['refundTimes']): ChargeFacts['refundTimes'] {
  if (!a || !b) return a ?? b;
  const times = { ...a };
  for (const [amount, at] of Object.entries(b)) times[amount] = latestTime([times[amount], at]) ?? at;
  return times;
}

/** The last of the times, of which some may not be known. */
export const latestTime = (times: readonly (string | undefined)[]) =>
  times.filter((time) => time !== undefined).reduce<string | undefined>((last, time) => (last && last > time ? last : time), undefined);

const disputeRank = { inquiry: 0, open: 1, won: 2, lost: 2 } as const;
const isClosed = ({ state }: DisputeFact) => state === 'won' || state === 'lost';

/** Since when the dispute stops the license, or did. */
const stoppedAtOf = ({ state, at, stoppedAt }: DisputeFact) => stoppedAt ?? (stopsLicense(state) ? at : undefined);

/** A closed dispute wins over an open one, in any order; of two closings the later counts, then a loss, then the larger amount. */
function laterDispute(a: DisputeFact, b: DisputeFact): DisputeFact {
  const ranks = disputeRank[a.state] - disputeRank[b.state];
  if (ranks !== 0) return ranks > 0 ? a : b;
  if (a.at !== b.at) return a.at > b.at ? a : b;
  if (a.state !== b.state) return a.state === 'lost' ? a : b;
  return (a.amount ?? -1) >= (b.amount ?? -1) ? a : b;
}

/** Whether `next` closes a dispute that is known to be closed with the other outcome. */
export function contradicts(known: ChargeFacts, disputeId: string, next: DisputeFact): boolean {
  const dispute = known.disputes[disputeId];
  return dispute !== undefined && isClosed(dispute) && isClosed(next) && dispute.state !== next.state;
}

/** The amount refunded so far, in the minor unit. */
export const refundedAmountOf = (facts: ChargeFacts) => facts.refundRetrieval?.amount ?? facts.refundedAmount;

/** When that amount was reached; undefined when nothing tells. */
export function refundedAtOf(facts: ChargeFacts): string | undefined {
  const { refundTimes = {}, refundRetrieval } = facts;
  return refundTimes[String(refundedAmountOf(facts))] ?? latestTime(Object.values(refundTimes)) ?? refundRetrieval?.at;
}

/** Since when the payment stops the license: its refund, or the first of its disputes that do; undefined when none does or nothing tells. */
export function heldSinceOf(amount: number, facts: ChargeFacts): string | undefined {
  const hold = licenseHoldOf(amount, facts);
  if (hold === 'refunded') return refundedAtOf(facts);
  if (hold === undefined) return undefined;
  return Object.values(facts.disputes)
    .flatMap((dispute) => (stopsLicense(dispute.state) ? (stoppedAtOf(dispute) ?? []) : []))
    .sort()[0];
}

const isFullyRefunded = (amount: number, facts: ChargeFacts) => amount > 0 && refundedAmountOf(facts) >= amount;

/** Whether a dispute in this state suspends the license. */
export const stopsLicense = (state: DisputeFact['state'] | undefined) => state === 'open' || state === 'lost';

/** Why the payment stops the license for now; undefined when it does not. See "A won dispute" in facts.md */
export function licenseHoldOf(amount: number, charge: ChargeFacts): 'refunded' | 'disputed' | undefined {
  if (isFullyRefunded(amount, charge)) return 'refunded';
  return Object.values(charge.disputes).some(({ state }) => stopsLicense(state)) ? 'disputed' : undefined;
}

/** The first status that holds. See "Facts and statuses" in facts.md */
export function orderStatusOf(amount: number, checkout: CheckoutFacts, charge: ChargeFacts): OrderStatus {
  if (checkout.paidAt) {
    return licenseHoldOf(amount, charge) ?? (refundedAmountOf(charge) > 0 ? 'partially_refunded' : 'paid');
  }
  if (checkout.expiredAt) return 'expired';
  return checkout.declinedAt || checkout.asyncFailedAt ? 'payment_failed' : 'pending';
}

/** The first status that holds. See "Facts and statuses" in facts.md */
export function paymentStatusOf(amount: number, checkout: CheckoutFacts, charge: ChargeFacts): PaymentStatus {
  if (checkout.paidAt) {
    const hold = licenseHoldOf(amount, charge);
    if (hold === 'disputed' && Object.values(charge.disputes).some(({ state }) => state === 'lost')) return 'lost';
    return hold ?? (refundedAmountOf(charge) > 0 ? 'partially_refunded' : 'succeeded');
  }
  if (checkout.expiredAt || checkout.asyncFailedAt) return 'failed';
  if (checkout.processingAt) return 'processing';
  return checkout.declinedAt ? 'failed' : 'pending';
}
