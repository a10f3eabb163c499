import type { ArtifactWithFile } from '../../releases/artifacts/artifact.ts';
import { compareDotted, compareVersions } from '../../releases/versions/version.ts';
import type { Candidate, PublishedRelease } from './catalog.ts';
import { type DeviceClaim, isRolledOut } from './rollout.ts';

/** The requesting device of a license, and what it reports about itself. */
export interface UpdaterDevice {
  /** Whether the license may have the release. */
  covers: (release: PublishedRelease) => boolean;
  device: DeviceClaim;
  /** The version it runs; without it older ones may be offered. */
  current?: string | undefined;
  /** The version of its system. */
  os?: string | undefined;
}

/** Why there is an update, or none. */
export type UpdateOutcome = 'update_available' | 'not_covered' | 'no_release' | 'up_to_date';

export interface UpdateChoice {
  code: UpdateOutcome;
  /** Highest first. */
  offered: readonly Candidate[];
  /** The highest that would be offered to a license that covers it, where this one covers nothing newer. */
  upgrade?: Candidate | undefined;
}

/** Up to `most` of the releases that have something for the updater. See "What is offered" in shared/updates/README.md */
export function chooseUpdates(candidates: readonly Candidate[], { covers, device, current, os }: UpdaterDevice, max = 1): UpdateChoice {
  if (candidates.length === 0) return { code: 'no_release', offered: [] };
  const newer = current === undefined ? candidates : candidates.slice(0, countAbove(candidates, current));
  const reaching = ({ release, fullPackages }: Candidate): Candidate | undefined => {
    const fitting = fullPackages.filter((full) => runsOn(full, os));
    return fitting.length > 0 && isRolledOut(release, device) ? { release, fullPackages: fitting } : undefined;
  };

  const offered: Candidate[] = [];
  let missed: Candidate | undefined;
  let coversNewer = false;
  for (const candidate of newer) {
    if (offered.length === max) break;
    const isCovered = covers(candidate.release);
    coversNewer ||= isCovered;
    const reached = isCovered || !missed ? reaching(candidate) : undefined;
    if (reached && isCovered) offered.push(reached);
    else missed ??= reached;
  }
  if (offered.length > 0) return { code: 'update_available', offered };
  if (!missed) return { code: 'up_to_date', offered };
  return { code: 'not_covered', offered, ...(current !== undefined && !coversNewer && { upgrade: missed }) };
}

const byPrecedence: readonly UpdateOutcome[] = ['update_available', 'not_covered', 'up_to_date', 'no_release'];

/** One choice for who can take several kinds of file: what is offered of each, in their order. */
export function joinChoices(choices: readonly UpdateChoice[]): UpdateChoice {
  const code = byPrecedence.find((outcome) => choices.some((choice) => choice.code === outcome)) ?? 'no_release';
  return { code, offered: choices.flatMap(({ offered }) => offered) };
}

/** A device that does not report its system version gets everything. */
export const runsOn = ({ minimumOs }: ArtifactWithFile, os: string | undefined): boolean =>
  os === undefined || minimumOs === undefined || compareDotted(minimumOs, os) <= 0;

/** How many of the sorted candidates are above the version; a binary search, since comparing is slow. */
function countAbove(candidates: readonly Candidate[], current: string): number {
  let [low, high] = [0, candidates.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const candidate = candidates[middle];
    if (candidate && compareVersions(candidate.release.version, current) > 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
