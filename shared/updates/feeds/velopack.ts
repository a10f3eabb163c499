import type { ArtifactWithFile } from '../../releases/artifacts/artifact.ts';
import { isInFeed } from '../../releases/artifacts/artifact-form.ts';
import { compareVersions } from '../../releases/versions/version.ts';
import type { Candidate, PublishedRelease, Target } from '../catalog/catalog.ts';
import { placesOf } from '../catalog/catalog.ts';

/** A delta, and the release that it leads to. */
interface Step {
  release: PublishedRelease;
  delta: ArtifactWithFile;
}

export interface VelopackFeed {
  Assets: ReturnType<typeof assetOf>[];
}

/**
 * What Velopack reads: the full of the offer and, where they lead from the installed version to it without a gap, the
 * deltas on the way. It applies every delta that it finds between the two, so there is never another one.
 */
export function writeVelopackFeed(
  offer: Candidate | undefined,
  context: { releases: readonly PublishedRelease[]; target: Target; localVersion?: string | undefined },
): VelopackFeed {
  const full = offer?.fullPackages[0];
  if (!offer || !full) return { Assets: [] };
  const deltas =
    context.localVersion === undefined ? [] : deltasTo(offer.release, full, { ...context, localVersion: context.localVersion });
  return { Assets: [assetOf(offer.release, full), ...deltas.map(({ release, delta }) => assetOf(release, delta))] };
}

const assetOf = ({ version, notes }: PublishedRelease, { kind, packageId, fileName, sha1Hex, sha256Hex, sizeBytes }: ArtifactWithFile) => ({
  PackageId: packageId,
  Version: version,
  Type: kind === 'full' ? 'Full' : 'Delta',
  FileName: fileName,
  SHA1: sha1Hex?.toUpperCase() ?? '',
  SHA256: sha256Hex.toUpperCase(),
  Size: sizeBytes,
  NotesMarkdown: notes,
});

/** The shortest way in deltas from the installed version to the release, the last first; empty where there is none. */
function deltasTo(
  release: PublishedRelease,
  { packageId }: ArtifactWithFile,
  { releases, target, localVersion }: { releases: readonly PublishedRelease[]; target: Target; localVersion: string },
): Step[] {
  const byVersion = new Map(releases.map((each) => [each.version, each]));
  const isBetween = (version: string) => compareVersions(version, localVersion) >= 0 && compareVersions(version, release.version) < 0;
  const seen = new Set<string>();
  let ways: { to: PublishedRelease; steps: Step[] }[] = [{ to: release, steps: [] }];
  while (ways.length > 0) {
    const longer: typeof ways = [];
    for (const { to, steps } of ways) {
      for (const delta of deltasInto(to, packageId, target)) {
        const { fromVersion = '' } = delta;
        if (seen.has(fromVersion) || !isBetween(fromVersion)) continue;
        const walked = [...steps, { release: to, delta }];
        if (fromVersion === localVersion) return walked;
        seen.add(fromVersion);
        const before = byVersion.get(fromVersion);
        if (before) longer.push({ to: before, steps: walked });
      }
    }
    ways = longer;
  }
  return [];
}

/** Of the places for the target in their order, so that the nearest is taken. */
function deltasInto({ artifacts }: PublishedRelease, packageId: string | undefined, target: Target): ArtifactWithFile[] {
  const deltas = artifacts.filter(
    (artifact) => artifact.kind === 'delta' && artifact.available && isInFeed(artifact, 'velopack') && artifact.packageId === packageId,
  );
  return placesOf(target).flatMap((isThere) => deltas.filter(isThere));
}
