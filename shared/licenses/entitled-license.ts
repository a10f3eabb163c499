import { activationLimitOf, type LicenseFacts, updatesUntilOf } from '../entitlements/license-facts.ts';
import type { Order } from '../orders/order.ts';
import { initialUpdatesUntil as soldUpdatesUntilOf } from './coverage.ts';
import type { License } from './license.ts';

/** How many devices the order's license may have when it is sold. */
export const soldActivationLimit = ({ terms, quantity }: Pick<Order, 'terms' | 'quantity'>): number => terms.activationLimit * quantity;

/**
 * The facts of a license of which none were recorded: what its order sold, and, where it has more or less than that, what its
 * seller set before such facts were kept, as of the day of its issue.
 */
export function initialFacts(license: License, order: Pick<Order, 'terms' | 'quantity'>): LicenseFacts {
  const { id: licenseId, issuedAt, activationLimit, updatesUntil } = license;
  const limit = soldActivationLimit(order);
  // A license issued before updates could end has no end, whatever the terms say.
  const end = updatesUntil && earlier(soldUpdatesUntilOf(issuedAt, order.terms.updatesDays) ?? updatesUntil, updatesUntil);
  return {
    licenseId,
    sold: { activationLimit: limit, updatesUntil: end },
    additions: {},
    limitDifference: activationLimit - limit,
    extensions: updatesUntil === end || updatesUntil === undefined ? [] : [{ at: issuedAt, until: updatesUntil }],
    revision: 0,
  };
}

/** What of the license follows from the facts. */
export const entitlementsOf = (facts: LicenseFacts): Pick<License, 'activationLimit' | 'updatesUntil'> => ({
  activationLimit: activationLimitOf(facts),
  updatesUntil: updatesUntilOf(facts),
});

const earlier = (a: string, b: string) => (a < b ? a : b);
