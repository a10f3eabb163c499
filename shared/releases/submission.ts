import * as z from 'zod/mini';
import { asciiLower, type FullArtifact, isIn, type StoredArtifact } from './artifact.ts';
import type { ReleaseRecord } from './release.ts';
import { compareDotted, compareVersions } from './version.ts';

type Named = { artifact: FullArtifact; index: number };

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const isBase64 = (text: string) => text !== '' && base64.test(text);
const isEd25519 = (text: string) => isBase64(text) && Buffer.from(text, 'base64').length === 64;
const extensionOf = (fileName: string) => asciiLower(/\.[^.]*$/.exec(fileName)?.[0] ?? '');

/**
 * Everything that a release lacks to be handed in, one text each, naming artifact and field; empty when it is whole.
 * See "What a submission needs" in README.md
 */
export function faultsOf(artifacts: readonly FullArtifact[], isFinalized: (artifact: StoredArtifact) => boolean): string[] {
  const named = artifacts.map((artifact, index) => ({ artifact, index }));
  const own = named.flatMap((entry) => {
    const faults = fieldFaults(entry.artifact, artifacts);
    const unfinished = isFinalized(entry.artifact) ? [] : ['file_id must be of a finalized file'];
    return [...unfinished, ...faults].map((fault) => `artifacts.${entry.index}.${fault}`);
  });
  const none = artifacts.some(({ kind }) => kind === 'full') ? [] : ['artifacts must hold at least one full'];
  return [...none, ...own, ...repeated(named, placesOf, 'feeds'), ...repeated(named, (artifact) => [nameIn(artifact)], 'file_id')];
}

function fieldFaults(artifact: FullArtifact, all: readonly FullArtifact[]): string[] {
  const { kind, fileName } = artifact;
  const faults: string[] = [];
  const need = (holds: boolean, fault: string) => {
    if (!holds) faults.push(fault);
  };
  if (isIn(artifact, 'appcast') && kind !== 'blockmap') {
    if (kind === 'full') need(artifact.build !== undefined, 'build is missing, which appcast needs');
    need(isEd25519(artifact.ed25519Signature ?? ''), 'ed25519_signature must be base64 of 64 bytes for appcast');
  }
  if (isIn(artifact, 'tauri') && kind !== 'blockmap') {
    need(isBase64(artifact.minisignSignature ?? ''), 'minisign_signature must be base64 for tauri');
  }
  if (isIn(artifact, 'velopack') && kind !== 'blockmap') {
    need(artifact.packageId !== undefined, 'package_id is missing, which velopack needs');
    need(extensionOf(fileName) === '.nupkg', 'file_id must be of a file whose name ends in .nupkg for velopack');
  }
  if (kind === 'delta') {
    need(artifact.fromVersion !== undefined, 'from_version is missing, which a delta needs');
    need(isIn(artifact, 'appcast') || isIn(artifact, 'velopack'), 'feeds must hold appcast or velopack for a delta');
  }
  if (kind === 'blockmap') {
    const isMapped = all.some((other) => isFullOfTarget(other, artifact) && fileName === `${other.fileName}.blockmap`);
    need(isMapped, 'file_id must be of a file named as a full of its platform and arch, followed by .blockmap');
  }
  return faults;
}

const isFullOfTarget = (other: FullArtifact, { platform, arch }: FullArtifact) =>
  other.kind === 'full' && other.platform === platform && other.arch === arch;

/** Where a full is offered: an updater that looks there must find one. */
function placesOf(artifact: FullArtifact): string[] {
  const { platform, arch, kind, feeds = [], bundle, fileName } = artifact;
  if (kind !== 'full') return [];
  const variantIn = { appcast: '', velopack: '', tauri: bundle ?? '', electron: extensionOf(fileName) };
  return feeds.map((feed) => [platform, arch, feed, variantIn[feed]].join(' '));
}

const nameIn = ({ platform, arch, fileName }: FullArtifact) => [platform, arch, asciiLower(fileName)].join(' ');

/** A fault of every artifact that has a place, or a name, which one before it has. */
function repeated(named: readonly Named[], keysOf: (artifact: FullArtifact) => string[], field: 'feeds' | 'file_id'): string[] {
  const first = new Map<string, number>();
  const faults = new Map<number, string>();
  for (const { artifact, index } of named) {
    for (const key of keysOf(artifact)) {
      const before = first.get(key);
      if (before === undefined) first.set(key, index);
      else faults.set(index, `artifacts.${index}.${field} ${said[field]} artifacts.${before}`);
    }
  }
  return [...faults.values()];
}

const said = {
  feeds: 'must not offer a full for the same platform, arch and updater as',
  file_id: 'must not be of a file with the same name, platform and arch as',
};

/** The builds of a release on one platform, from the lowest to the highest. */
export const BuildSpan = z.object({ version: z.string(), lowest: z.string(), highest: z.string() });
export type BuildSpan = z.infer<typeof BuildSpan>;

/** The platforms on which an updater compares builds; what is for any counts on each. */
export const buildPlatforms = ['windows', 'macos', 'linux'] as const;
export type BuildPlatform = (typeof buildPlatforms)[number];

/** The builds that the release's appcast artifacts have on the platform; undefined without any. */
export function buildsOn(
  platform: BuildPlatform,
  release: Pick<ReleaseRecord, 'version'>,
  artifacts: readonly FullArtifact[],
): BuildSpan | undefined {
  const builds = artifacts
    .filter((artifact) => isIn(artifact, 'appcast') && (artifact.platform === platform || artifact.platform === 'any'))
    .flatMap(({ build }) => build ?? [])
    .toSorted(compareDotted);
  const [lowest] = builds;
  return lowest === undefined ? undefined : { version: release.version, lowest, highest: builds.at(-1) ?? lowest };
}

/** Whether builds rise strictly with versions once this span is among those of what was published before. */
export function risesWith(span: BuildSpan, published: readonly BuildSpan[]): boolean {
  return published.every((other) => {
    const isHigher = compareVersions(span.version, other.version) > 0;
    return isHigher ? compareDotted(other.highest, span.lowest) < 0 : compareDotted(span.highest, other.lowest) < 0;
  });
}
