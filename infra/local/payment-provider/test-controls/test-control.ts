import * as z from 'zod/mini';
import type { Route } from '../http-request.ts';
import type { Transaction } from '../store/provider-store.ts';

/** How the provider's interface misbehaves at the moment. */
export interface ApiFaults {
  /** Every request is answered with this status. */
  status?: number | undefined;
  /** Every request waits this long before it is looked at. */
  delayMs?: number | undefined;
  /** No payment method is switched on in the platform's account. */
  withoutMethods?: boolean | undefined;
}

/** Something that a developer or a test does to the fake provider. */
export interface TestControl extends Route {
  /** Shown as the body to send. */
  takes?: string;
  does: string;
  run(tx: Transaction, id: string, body: Record<string, unknown>, faults: ApiFaults): object;
}

/** A whole number, also as the text that a form sends; blank counts as absent. */
export const wholeNumber = (max: number) =>
  z.pipe(
    z.pipe(
      z.optional(z.union([z.number(), z.string()])),
      z.transform((value: number | string | undefined) => (value === '' || value === undefined ? undefined : Number(value))),
    ),
    z.optional(z.int().check(z.minimum(0), z.maximum(max))),
  );

/** The largest amount that the provider takes, in the minor unit. */
export const amount = wholeNumber(99_999_999);
