import * as z from 'zod/mini';
import type { ArtifactWithFile } from './artifacts/artifact.ts';
import { isInFeed } from './artifacts/artifact-form.ts';
import type { ReleaseRecord } from './release.ts';
import { compareDotted, compareVersions } from './versions/version.ts';

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
  artifacts: readonly ArtifactWithFile[],
): BuildSpan | undefined {
  const builds = artifacts
    .filter((artifact) => isInFeed(artifact, 'appcast') && (artifact.platform === platform || artifact.platform === 'any'))
    .flatMap(({ build }) => build ?? [])
    .toSorted(compareDotted);
  const [lowest] = builds;
  return lowest === undefined ? undefined : { version: release.version, lowest, highest: builds.at(-1) ?? lowest };
}

/** Whether builds rise strictly with versions once this span is among those of what was published before; its own is none to compare with. */
export function staysAscending(span: BuildSpan, published: readonly BuildSpan[]): boolean {
  return published.every((other) => {
    if (other.version === span.version) return true;
    const isHigher = compareVersions(span.version, other.version) > 0;
    return isHigher ? compareDotted(other.highest, span.lowest) < 0 : compareDotted(span.highest, other.lowest) < 0;
  });
}
