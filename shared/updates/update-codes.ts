import type { ProofFault } from '../leases/update-proof.ts';
import { type CoveringLicense, coversRelease } from '../licenses/coverage.ts';
import { type LicenseStatus, statusOf } from '../licenses/license.ts';
import type { PublishedRelease } from './catalog/catalog.ts';
import type { UpdateOutcome } from './catalog/choose-updates.ts';
import type { CoveredLicense } from './update-repository.ts';

/** Why an updater is offered an update or none, in order of precedence. */
export const updateCodes = [
  'product_unavailable',
  'proof_missing',
  'proof_invalid',
  'proof_expired',
  'license_revoked',
  'license_refunded',
  'license_disputed',
  'license_suspended',
  'license_expired',
  'update_available',
  'not_covered',
  'no_release',
  'up_to_date',
] as const satisfies readonly (ProofFault | UpdateOutcome | 'product_unavailable' | `license_${Exclude<LicenseStatus, 'active'>}`)[];
export type UpdateCode = (typeof updateCodes)[number];

/** The state of the license now, with what it covers. */
export const coverageFactsOf = (license: CoveredLicense, now: Date): CoveringLicense => ({
  features: license.features,
  updatesUntil: license.updatesUntil,
  status: statusOf(license, now),
});

/** Why a license is offered nothing at all; undefined where its coverage decides. */
export const blockedUpdateCode = ({ status }: CoveringLicense): UpdateCode | undefined =>
  status === 'active' ? undefined : `license_${status}`;

export const coverageTest = (license: CoveringLicense) => (release: Pick<PublishedRelease, 'coveredAt' | 'requiresFeatures'>) =>
  coversRelease(license, release);
