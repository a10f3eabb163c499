import type { ReleaseId } from '../ids.ts';
import type { Arch, Bundle, Feed, FullArtifact, Platform } from '../releases/artifact.ts';
import { isIn } from '../releases/artifact-form.ts';
import { coveredAtOf, fullArtifactsOf, type ReleaseRecord } from '../releases/release.ts';
import { type Channel, channelsUpTo } from '../releases/version.ts';
import { compareVersions } from '../releases/version-order.ts';

/** How many of the highest releases of each channel are offered. */
export const offeredPerChannel = 200;

/** For how many audiences a product's candidates are kept at once: what its devices run on, and not all that can be asked. */
const audiencesKept = 32;

/** What feeds need of a published release. */
export interface PublishedRelease {
  id: ReleaseId;
  version: string;
  channel: Channel;
  notes: string;
  critical: boolean;
  rolloutPercent: number;
  publishedAt: string;
  coveredAt: string;
  requiresFeatures: readonly string[];
  artifacts: readonly FullArtifact[];
}

/** Undefined if the release is not published, or no longer. */
export function publishedReleaseOf(release: ReleaseRecord): PublishedRelease | undefined {
  const { id, version, channel, notes, critical, rolloutPercent = 100, publishedAt, requiresFeatures } = release;
  const coveredAt = coveredAtOf(release);
  if (release.status !== 'published' || publishedAt === undefined || coveredAt === undefined) return undefined;
  const artifacts = fullArtifactsOf(release);
  return { id, version, channel, notes, critical, rolloutPercent, publishedAt, coveredAt, requiresFeatures, artifacts };
}

/** What an updater runs on; `any` of an arch that it does not tell. */
export interface Target {
  platform: Exclude<Platform, 'any'>;
  arch: Exclude<Arch, 'any'> | 'every';
}

/** For whom a list of releases is made. */
export interface Audience {
  /** Undefined: artifacts of any feed. */
  feed: Feed | undefined;
  channel: Channel;
  target: Target;
  /** How the app was installed, which Tauri tells. */
  bundle?: Bundle | undefined;
}

/** A release with the available fulls of it that fit an audience, the best first. */
export interface Candidate {
  release: PublishedRelease;
  fulls: readonly FullArtifact[];
}

export interface Catalog {
  /** The releases that have something for the audience, highest first. */
  candidatesFor(audience: Audience): readonly Candidate[];
  /** Those that can be offered to who follows a channel, highest first. */
  followed(channel: Channel): readonly PublishedRelease[];
  /** What a version is made of that was ever published, as far as something offered leads from it. */
  artifactsOf(version: string): readonly FullArtifact[];
}

/** The artifacts of versions that are offered no more, and that deltas lead from. */
export type Bases = ReadonlyMap<string, readonly FullArtifact[]>;

/** The published releases of a product by version; results are cached per audience. */
export function createCatalog(releases: readonly PublishedRelease[], bases: Bases = new Map()): Catalog {
  const byVersion = new Map(releases.map((release) => [release.version, release]));
  const byChannel = Map.groupBy(
    releases.toSorted((a, b) => compareVersions(b.version, a.version)),
    ({ channel }) => channel,
  );
  const highest = [...byChannel.values()].flatMap((ofChannel) => ofChannel.slice(0, offeredPerChannel));
  const sorted = highest.sort((a, b) => compareVersions(b.version, a.version));
  const made = new Map<string, readonly Candidate[]>();
  const followed = (channel: Channel) => {
    const channels = channelsUpTo(channel);
    return sorted.filter((release) => channels.includes(release.channel));
  };

  return {
    followed,
    candidatesFor(audience) {
      const { feed, channel, target, bundle } = audience;
      const name = [feed, channel, target.platform, target.arch, bundle].join(' ');
      const known = made.get(name);
      if (known) return known;
      const candidates = followed(channel)
        .map((release) => ({ release, fulls: fullsFor(release, audience) }))
        .filter(({ fulls }) => fulls.length > 0);
      if (made.size === audiencesKept) made.clear();
      made.set(name, candidates);
      return candidates;
    },
    artifactsOf: (version) => byVersion.get(version)?.artifacts ?? bases.get(version) ?? [],
  };
}

/** In the order in which an updater that does not tell its arch is given them. */
const archOrder: readonly Arch[] = ['x64', 'any', 'arm64', 'x86', 'arm'];

/** Where artifacts for a target are looked for: what is found in an earlier place hides what is in later ones. */
export function placesOf({ platform, arch }: Target): ((artifact: Pick<FullArtifact, 'platform' | 'arch'>) => boolean)[] {
  const platforms = [platform, 'any'];
  if (arch === 'every') return platforms.map((wanted) => (artifact) => artifact.platform === wanted);
  return platforms.flatMap((wanted) => [arch, 'any'].map((only) => (artifact) => artifact.platform === wanted && artifact.arch === only));
}

/** The artifacts of the first place that has any. */
export function firstPlaced<Artifact extends Pick<FullArtifact, 'platform' | 'arch'>>(
  artifacts: readonly Artifact[],
  target: Target,
): Artifact[] {
  for (const isThere of placesOf(target)) {
    const found = artifacts.filter(isThere);
    if (found.length > 0) return found;
  }
  return [];
}

function fullsFor({ artifacts }: PublishedRelease, { feed, target, bundle }: Audience): FullArtifact[] {
  const isMeant = (artifact: FullArtifact) => (feed === undefined ? (artifact.feeds ?? []).length > 0 : isIn(artifact, feed));
  const fits = (artifact: FullArtifact) => bundle === undefined || artifact.bundle === undefined || artifact.bundle === bundle;
  const fulls = artifacts.filter((artifact) => artifact.kind === 'full' && artifact.available && isMeant(artifact) && fits(artifact));
  const found = firstPlaced(fulls, target);
  if (feed === 'tauri') return found.sort((a, b) => bundleRank(a, bundle) - bundleRank(b, bundle));
  return found.sort((a, b) => archOrder.indexOf(a.arch) - archOrder.indexOf(b.arch));
}

const bundleOrder: readonly (Bundle | undefined)[] = [undefined, 'app', 'appimage', 'nsis', 'msi', 'deb', 'rpm'];

/** Of those that fit; a bundle that was named comes before what is of none. */
const bundleRank = ({ bundle: own }: FullArtifact, named: Bundle | undefined) => (own === named ? -1 : bundleOrder.indexOf(own));
