import * as z from 'zod/mini';

/** What a product, an order or a license has that was made before there were leases. */
export const usualOfflineTerms = { offlineDays: 14, offlineFileDays: 0 } as const;

/** For how many days a device may run a license without asking us; 0: not at all. See "Terms" in README.md */
export const offlineTerms = {
  /** For a device that asks us now and then. */
  offlineDays: z._default(z.int(), usualOfflineTerms.offlineDays),
  /** For a device that never can; 0: not offered. */
  offlineFileDays: z._default(z.int(), usualOfflineTerms.offlineFileDays),
};
