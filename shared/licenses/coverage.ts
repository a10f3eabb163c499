import { daysAfter } from '../entitlements/license-facts.ts';
import { invalidField } from '../faults/invalid-request.ts';
import * as rules from '../faults/rules.ts';
import { endlessUpdatesDays, hasUpdatesEnd } from '../products/update-terms.ts';
import type { License, LicenseStatus } from './license.ts';

/** Until when a license of these terms is owed updates; undefined: without end. */
export function initialUpdatesUntil(issuedAt: string, updatesDays: number): string | undefined {
  return hasUpdatesEnd(updatesDays) ? daysAfter(issuedAt, updatesDays) : undefined;
}

/**
 * The end of updates that its seller moves the license to: the present one or a later one, and at most the days from the issue on
 * that would mean no end.
 *
 * @throws AppError invalid_request for any other, and for a license without an end
 */
export function extendedUpdatesUntil({ issuedAt, updatesUntil }: Pick<License, 'issuedAt' | 'updatesUntil'>, requested: string): string {
  if (updatesUntil === undefined) throw invalidField('updates_until', rules.updatesWithoutEnd);
  if (requested < updatesUntil) throw invalidField('updates_until', rules.updatesNotLater);
  if (requested > daysAfter(issuedAt, endlessUpdatesDays))
    throw invalidField('updates_until', rules.updatesTooLate, { days: endlessUpdatesDays });
  return requested;
}

/** What decides whether a license covers a release. */
export interface CoveringLicense extends Pick<License, 'features' | 'updatesUntil'> {
  status: LicenseStatus;
}

/** Whether the license may have the release. Both times are as they are stored: ISO 8601 UTC with milliseconds. See "Coverage" in README.md */
export function coversRelease(
  { status, features, updatesUntil }: CoveringLicense,
  { coveredAt, requiresFeatures }: { coveredAt: string; requiresFeatures: readonly string[] },
): boolean {
  if (status !== 'active' || (updatesUntil !== undefined && coveredAt > updatesUntil)) return false;
  return requiresFeatures.every((feature) => features.includes(feature));
}
