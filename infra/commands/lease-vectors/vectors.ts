import { forged } from './forged.ts';
import { headerFaults } from './header-faults.ts';
import { malformed } from './malformed.ts';
import { notMine } from './not-mine.ts';
import { fingerprint, first, issuer, now, productId, second } from './subject.ts';
import { valid } from './valid.ts';

/** Leases in the order in which a client finds their faults. */
export const leaseVectors = {
  about:
    'Leases and the verdict of verifyLease on each, for clients in every language. The keys were made for these vectors alone, and their private parts are public: never pin them.',
  issuer,
  product_id: productId,
  device_fingerprint: fingerprint,
  now,
  keys: [first.publicJwk, second.publicJwk],
  vectors: [...valid, ...malformed, ...headerFaults, ...forged, ...notMine],
};
