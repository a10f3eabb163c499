import * as z from 'zod/mini';

/** The terms of products, orders and licenses created before leases existed. */
export const defaultOfflineTerms = { offlineDays: 14, offlineFileDays: 0 } as const;

/** For how many days a device may run a license without asking us; 0: not at all. See "Terms" in README.md */
export const offlineTerms = {
  /** For a device that goes online from time to time. */
  offlineDays: z._default(z.int(), defaultOfflineTerms.offlineDays),
  /** For a device that is never online; 0: not offered. */
  offlineFileDays: z._default(z.int(), defaultOfflineTerms.offlineFileDays),
};
