import { endlessUpdatesDays } from '../products/update-terms.ts';
import type { License, LicenseStatus } from './license.ts';

/** Until when a license of these terms is owed updates; undefined: without end. */
export function updatesUntilOf(issuedAt: string, updatesDays: number): string | undefined {
  return updatesDays < endlessUpdatesDays ? daysAfter(issuedAt, updatesDays) : undefined;
}

/** The latest end of updates that a license may be given. */
export const latestUpdatesUntil = ({ issuedAt }: Pick<License, 'issuedAt'>): string => daysAfter(issuedAt, endlessUpdatesDays);

/** What decides whether a license covers a release. */
export interface CoveringLicense extends Pick<License, 'features' | 'updatesUntil'> {
  status: LicenseStatus;
}

/** Whether the license may have the release. Both times are as they are stored: ISO 8601 UTC with milliseconds. See "Coverage" in README.md */
export function coversRelease(
  { status, features, updatesUntil }: CoveringLicense,
  { coveredAt, requiresFeatures }: { coveredAt: string; requiresFeatures: readonly string[] },
): boolean {
  if (status !== 'active' || !requiresFeatures.every((feature) => features.includes(feature))) return false;
  return updatesUntil === undefined || coveredAt <= updatesUntil;
}

const daysAfter = (time: string, days: number) => new Date(Date.parse(time) + days * 24 * 3600_000).toISOString();
