import type { Table, Write } from '../db/table.ts';
import { AppError } from '../errors.ts';
import { type BuildPlatform, type BuildSpan, buildPlatforms, buildsOn, risesWith } from '../releases/builds.ts';
import { fullArtifactsOf, type ReleaseRecord } from '../releases/release.ts';
import { createReleaseIndexRepository } from '../releases/release-index-repository.ts';

/** What a release must fit to among those that its product published. See "Builds" in shared/releases/README.md */
export function createPublication({ table }: { table: Table }) {
  const releases = createReleaseIndexRepository({ table });

  const spansOf = (release: ReleaseRecord) =>
    buildPlatforms.flatMap((platform) => {
      const span = buildsOn(platform, release, fullArtifactsOf(release));
      return span ? [{ platform, span }] : [];
    });

  /** @throws AppError build_out_of_order */
  function checkBuilds(release: ReleaseRecord, builds: Record<BuildPlatform, readonly BuildSpan[]>): void {
    for (const { platform, span } of spansOf(release)) {
      if (!risesWith(span, builds[platform]))
        throw new AppError('build_out_of_order', `The builds for ${platform} must rise with the versions.`);
    }
  }

  return {
    /** @throws AppError build_out_of_order */
    async checkOrder(release: ReleaseRecord): Promise<void> {
      if (spansOf(release).length > 0) checkBuilds(release, (await releases.readPublished(release.productId)).builds);
    },

    /**
     * Lists the release among those that are published, for the first time. Another was published meanwhile → OptimisticLockError.
     *
     * @throws AppError build_out_of_order
     */
    async listPublished(release: ReleaseRecord): Promise<Write[]> {
      const { index, builds } = await releases.readPublished(release.productId);
      checkBuilds(release, builds);
      return [
        ...releases.listPublished(index, release),
        ...spansOf(release).map(({ platform, span }) => releases.addBuilds(release.productId, platform, span)),
      ];
    },

    followRelease: releases.followRelease,
  };
}
