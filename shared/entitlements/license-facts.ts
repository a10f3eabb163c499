import * as z from 'zod/mini';
import { idOf } from '../ids.ts';
import { dateTime } from '../schemas.ts';

/** An addition paid for later, keyed by its order. */
const AdditionFact = z.object({
  kind: z.enum(['seats', 'updates']),
  /** Seats, or days of updates. */
  amount: z.int(),
  /** The provider's time of the payment. */
  paidAt: dateTime,
  /** Whether the payment is neither refunded in full nor disputed. */
  counts: z.boolean(),
});
export type AdditionFact = z.infer<typeof AdditionFact>;

/**
 * From what a license's limit and its end of updates follow: what was sold, what was added, and what its seller set.
 * Facts are only added or replaced by newer ones of the same order, so that they may come in any order; what follows is
 * derived by `activationLimitOf` and `updatesUntilOf`, and stored on the license beside them.
 */
export const LicenseFacts = z.object({
  licenseId: idOf('license'),
  sold: z.object({ activationLimit: z.int(), updatesUntil: z.optional(dateTime) }),
  /** By order id; one is here from the moment on at which it counted for the first time. */
  additions: z.record(z.string(), AdditionFact),
  /** By how much its seller wants the limit to differ from what was paid for. */
  limitDifference: z.int(),
  /** When its seller moved the end of updates, and to what. */
  extensions: z.array(z.object({ at: dateTime, until: dateTime })),
  revision: z.int(),
});
export type LicenseFacts = z.infer<typeof LicenseFacts>;

const dayMs = 24 * 3600_000;
export const daysAfter = (time: string, days: number) => new Date(Date.parse(time) + days * dayMs).toISOString();
const laterOf = (a: string, b: string) => (a > b ? a : b);

const countedAdditions = ({ additions }: LicenseFacts) => Object.entries(additions).filter(([, { counts }]) => counts);

/** The seats that were paid for: sold and added. */
export const paidSeatsOf = (facts: LicenseFacts): number =>
  countedAdditions(facts).reduce((sum, [, { kind, amount }]) => sum + (kind === 'seats' ? amount : 0), facts.sold.activationLimit);

/** How many devices may be active: at least one, however much its seller took off. */
export const activationLimitOf = (facts: LicenseFacts): number => Math.max(1, paidSeatsOf(facts) + facts.limitDifference);

/**
 * Until when the license is owed updates; undefined: without end. In the order of time, each paid addition of days begins at the
 * end so far or at its payment, whichever is later, and each date that its seller set counts where it is later than the end so far.
 * Payments of one millisecond go by their order ids, and before what the seller set in it.
 */
export function updatesUntilOf(facts: LicenseFacts): string | undefined {
  const { sold, extensions } = facts;
  if (sold.updatesUntil === undefined) return undefined;
  const paid = countedAdditions(facts)
    .filter(([, { kind }]) => kind === 'updates')
    .map(([orderId, { paidAt, amount }]) => ({ at: paidAt, id: orderId, after: (end: string) => daysAfter(laterOf(end, paidAt), amount) }));
  // Sorts behind every order id.
  const set = extensions.map(({ at, until }) => ({ at, id: '~', after: (end: string) => laterOf(end, until) }));
  const steps = [...paid, ...set].sort((a, b) => (a.at === b.at ? (a.id < b.id ? -1 : 1) : a.at < b.at ? -1 : 1));
  return steps.reduce((end, step) => step.after(end), sold.updatesUntil);
}

/** The difference with which the limit is `wanted`. */
export const limitDifferenceFor = (facts: LicenseFacts, wanted: number): number => wanted - paidSeatsOf(facts);

/** What its seller sets of a license: the limit that holds now and moves on with what is paid for, and a date until when updates come at least. */
export interface SellerTerms {
  activationLimit?: number | undefined;
  updatesUntil?: string | undefined;
}

/** The facts after the seller set these terms; the same object if nothing changes. */
export function withSellerTerms(facts: LicenseFacts, { activationLimit, updatesUntil: until }: SellerTerms, at: string): LicenseFacts {
  const limitDifference = activationLimit === undefined ? facts.limitDifference : limitDifferenceFor(facts, activationLimit);
  // The present end is no later one, whatever it comes from.
  const isKnown = until === undefined || (updatesUntilOf(facts) ?? until) >= until;
  if (limitDifference === facts.limitDifference && isKnown) return facts;
  return { ...facts, limitDifference, extensions: isKnown ? facts.extensions : [...facts.extensions, { at, until }] };
}
