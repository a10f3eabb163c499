import type { ReleaseId } from '../../ids.ts';
import type { Arch, ArtifactWithFile, Bundle, Feed, Platform } from '../../releases/artifacts/artifact.ts';
import { electronInstallers, extensionOf, isInFeed } from '../../releases/artifacts/artifact-form.ts';
import { artifactsWithFiles, coveredAtOf, type ReleaseRecord, type RenderedNotes } from '../../releases/release.ts';
import { type Channel, channelsUpTo, compareVersions } from '../../releases/versions/version.ts';

/** How many of the highest releases of each channel are offered. */
export const maxReleasesPerChannel = 200;

/** For how many audiences a product's candidates are kept at once: what its devices run on, and not all that can be asked. */
const maxCachedAudiences = 32;

/** What feeds need of a published release. */
export interface PublishedRelease {
  id: ReleaseId;
  version: string;
  channel: Channel;
  notes: string;
  renderedNotes?: RenderedNotes | undefined;
  critical: boolean;
  rolloutPercent: number;
  publishedAt: string;
  coveredAt: string;
  requiresFeatures: readonly string[];
  artifacts: readonly ArtifactWithFile[];
}

/** Undefined if the release is not published, or no longer. */
export function publishedReleaseOf(release: ReleaseRecord): PublishedRelease | undefined {
  const { id, version, channel, notes, renderedNotes, critical, rolloutPercent = 100, publishedAt, requiresFeatures } = release;
  const coveredAt = coveredAtOf(release);
  if (release.status !== 'published' || publishedAt === undefined || coveredAt === undefined) return undefined;
  const artifacts = artifactsWithFiles(release);
  return { id, version, channel, notes, renderedNotes, critical, rolloutPercent, publishedAt, coveredAt, requiresFeatures, artifacts };
}

/** What an updater runs on; `every` arch where it does not tell its own: one file must be for the most common, so that none is given what it cannot run. */
export interface Target {
  platform: Exclude<Platform, 'any'>;
  arch: Exclude<Arch, 'any'> | 'every';
}

/** For whom a list of releases is made. */
export interface FeedAudience {
  /** Undefined: artifacts of any feed. */
  feed: Feed | undefined;
  channel: Channel;
  target: Target;
  /** How the app was installed, which Tauri tells. */
  bundle?: Bundle | undefined;
  /** The only kind of file that it can take, as `extensionOf` has it. */
  extension?: string | undefined;
}

/** A release with the available fulls of it that fit an audience, the best first. */
export interface Candidate {
  release: PublishedRelease;
  fullPackages: readonly ArtifactWithFile[];
}

export interface Catalog {
  /** The releases that have something for the audience, highest first. */
  candidatesFor(audience: FeedAudience): readonly Candidate[];
  /** Those that can be offered to who follows a channel, highest first. */
  releasesOn(channel: Channel): readonly PublishedRelease[];
  /** What a version is made of that was ever published, as far as something offered leads from it. */
  artifactsOf(version: string): readonly ArtifactWithFile[];
}

/** The artifacts of versions that are offered no more, and that deltas lead from. */
export type Bases = ReadonlyMap<string, readonly ArtifactWithFile[]>;

/** The published releases of a product by version; results are cached per audience. */
export function createCatalog(releases: readonly PublishedRelease[], bases: Bases = new Map()): Catalog {
  const byVersion = new Map(releases.map((release) => [release.version, release]));
  const byChannel = Map.groupBy(
    releases.toSorted((a, b) => compareVersions(b.version, a.version)),
    ({ channel }) => channel,
  );
  const highest = [...byChannel.values()].flatMap((ofChannel) => ofChannel.slice(0, maxReleasesPerChannel));
  const sorted = highest.sort((a, b) => compareVersions(b.version, a.version));
  const cache = new Map<string, readonly Candidate[]>();
  const followed = (channel: Channel) => {
    const channels = channelsUpTo(channel);
    return sorted.filter((release) => channels.includes(release.channel));
  };

  return {
    releasesOn: followed,
    candidatesFor(audience) {
      const { feed, channel, target, bundle, extension } = audience;
      const name = [feed, channel, target.platform, target.arch, bundle, extension].join(' ');
      const cached = cache.get(name);
      if (cached) return cached;
      const candidates = followed(channel)
        .map((release) => ({ release, fullPackages: fullPackagesFor(release, audience) }))
        .filter(({ fullPackages }) => fullPackages.length > 0);
      if (cache.size === maxCachedAudiences) cache.clear();
      cache.set(name, candidates);
      return candidates;
    },
    artifactsOf: (version) => byVersion.get(version)?.artifacts ?? bases.get(version) ?? [],
  };
}

/** In the order in which an updater that does not tell its arch is given them. */
const archPreference: readonly Arch[] = ['x64', 'any', 'arm64', 'x86', 'arm'];

/** Where artifacts for a target are looked for: what is found in an earlier place hides what is in later ones. */
export function placesOf({ platform, arch }: Target): ((artifact: Pick<ArtifactWithFile, 'platform' | 'arch'>) => boolean)[] {
  const platforms = [platform, 'any'];
  if (arch === 'every') return platforms.map((wanted) => (artifact) => artifact.platform === wanted);
  return platforms.flatMap((wanted) => [arch, 'any'].map((only) => (artifact) => artifact.platform === wanted && artifact.arch === only));
}

const isForMost = ({ arch }: Pick<ArtifactWithFile, 'arch'>) => arch === 'x64' || arch === 'any';

/** The artifacts of the first place that has any, and of what is for every arch any that most can run. */
export function nearestArtifacts<Artifact extends Pick<ArtifactWithFile, 'platform' | 'arch'>>(
  artifacts: readonly Artifact[],
  target: Target,
): Artifact[] {
  for (const isThere of placesOf(target)) {
    const found = artifacts.filter(isThere);
    if (target.arch === 'every' ? found.some(isForMost) : found.length > 0) return found;
  }
  return [];
}

function fullPackagesFor({ artifacts }: PublishedRelease, audience: FeedAudience): ArtifactWithFile[] {
  const { feed, target, bundle, extension } = audience;
  const isMeant = (artifact: ArtifactWithFile) => (feed === undefined ? (artifact.feeds ?? []).length > 0 : isInFeed(artifact, feed));
  const fits = (artifact: ArtifactWithFile) => bundle === undefined || artifact.bundle === undefined || artifact.bundle === bundle;
  const known: readonly string[] = extension === undefined ? electronInstallers[target.platform] : [extension];
  // What is for any platform may be the installer of another.
  const isOfAnyKind = ({ platform }: ArtifactWithFile) => extension === undefined && (feed !== 'electron' || platform !== 'any');
  const isRunnable = (artifact: ArtifactWithFile) => isOfAnyKind(artifact) || known.includes(extensionOf(artifact));
  const fullPackages = artifacts.filter(
    (artifact) => artifact.kind === 'full' && artifact.available && isMeant(artifact) && fits(artifact) && isRunnable(artifact),
  );
  const found = nearestArtifacts(fullPackages, target);
  if (feed === 'tauri') return found.sort((a, b) => bundleRank(a, bundle) - bundleRank(b, bundle));
  return found.sort((a, b) => archPreference.indexOf(a.arch) - archPreference.indexOf(b.arch));
}

const bundleOrder: readonly (Bundle | undefined)[] = [undefined, 'app', 'appimage', 'nsis', 'msi', 'deb', 'rpm'];

/** Of those that fit; a bundle that was named comes before what is of none. */
const bundleRank = ({ bundle: own }: ArtifactWithFile, named: Bundle | undefined) => (own === named ? -1 : bundleOrder.indexOf(own));
