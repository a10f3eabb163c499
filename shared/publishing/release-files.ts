import type { Table, Write } from '../db/table.ts';
import { AppError } from '../errors.ts';
import type { FileId } from '../ids.ts';
import { createFileDiscards } from '../product-files/file-discards.ts';
import { approvedForRelease, withdrawnWithRelease } from '../product-files/file-states.ts';
import { artifactFileOf, type ProductFileRecord } from '../product-files/product-file.ts';
import { createProductFileRepository } from '../product-files/product-file-repository.ts';
import { fileIdsOf } from '../releases/artifact.ts';
import type { ReleaseRecord } from '../releases/release.ts';

/** A release that knows its files as they are, with the writes that make them so. */
export interface WithFiles {
  release: ReleaseRecord;
  writes: Write[];
}

/** What happens to files together with the release that is made of them, in its transaction. See "Files of releases" in README.md */
export function createReleaseFiles(options: { table: Table; discardAfterHours: number; now: () => Date }) {
  const { table, now } = options;
  const files = createProductFileRepository({ table });
  const discards = createFileDiscards(options);

  const readFiles = async ({ productId }: ReleaseRecord, ids: readonly FileId[]) =>
    new Map((await files.findFiles(productId, ids)).map((file) => [file.id, file]));

  const withFacts = (release: ReleaseRecord, changed: readonly ProductFileRecord[]): ReleaseRecord => ({
    ...release,
    files: { ...release.files, ...Object.fromEntries(changed.map((file) => [file.id, artifactFileOf(file)])) },
  });

  /** The release after each of its files became what `change` makes of it; those that stay the same are held to it. */
  async function changeFiles(release: ReleaseRecord, change: (file: ProductFileRecord) => ProductFileRecord): Promise<WithFiles> {
    const found = await getFiles(release);
    const changes = found.map((read) => ({ read, next: change(read) }));
    return {
      release: withFacts(
        release,
        changes.map(({ next }) => next),
      ),
      writes: changes.flatMap(({ read, next }) =>
        next === read ? [files.fileUnchanged(read)] : [files.replaceAlone(read, next), ...discards.discardDead(read, next)],
      ),
    };
  }

  /** @throws AppError file_not_found */
  async function getFiles(release: ReleaseRecord): Promise<ProductFileRecord[]> {
    const ids = fileIdsOf(release.artifacts);
    const found = await readFiles(release, ids);
    return ids.map((id) => {
      const file = found.get(id);
      if (!file) throw new AppError('file_not_found');
      return file;
    });
  }

  return {
    getFiles,

    /**
     * The draft with its files, which belong to it from now on; those that only the draft before was made of are free.
     * Changed since → OptimisticLockError.
     *
     * @throws AppError file_not_found, file_in_use
     */
    async bindFiles(draft: ReleaseRecord, before: ReleaseRecord | undefined): Promise<WithFiles> {
      const ids = fileIdsOf(draft.artifacts);
      const left = fileIdsOf(before?.artifacts ?? []).filter((id) => !ids.includes(id));
      const found = await readFiles(draft, [...ids, ...left]);
      const bound = ids.map((id) => {
        const file = found.get(id);
        if (file?.purpose !== 'release') throw new AppError('file_not_found');
        if (file.releaseVersion !== undefined && file.releaseVersion !== draft.version) throw new AppError('file_in_use');
        return file;
      });
      const added = bound.filter(({ releaseVersion }) => releaseVersion === undefined);
      const freed = left.flatMap((id) => found.get(id) ?? []);
      const kept = Object.entries({ ...before?.files }).filter(([id]) => ids.some((used) => used === id));
      return {
        release: withFacts({ ...draft, files: Object.fromEntries(kept) }, added),
        writes: [
          ...added.map((file) => files.replaceAlone(file, { ...file, releaseVersion: draft.version })),
          ...freed.map((file) => files.replaceAlone(file, freedOf(file))),
        ],
      };
    },

    /** The files of a draft that goes are free. */
    async freeFiles(draft: ReleaseRecord): Promise<Write[]> {
      const found = await readFiles(draft, fileIdsOf(draft.artifacts));
      return [...found.values()].map((file) => files.replaceAlone(file, freedOf(file)));
    },

    /** Each file is approved. @throws AppError file_state_conflict, file_not_verified, file_not_trusted_clean */
    approveFiles: (release: ReleaseRecord) => changeFiles(release, (file) => approvedForRelease(file, now().toISOString())),

    /**
     * Whether each file is fit to be approved; what an admin decided on one by itself stays. One that can no longer be had
     * changes the release too, so a write of the release that was read holds all of them.
     *
     * @throws AppError file_state_conflict, file_not_verified, file_not_trusted_clean
     */
    async checkFiles(release: ReleaseRecord): Promise<void> {
      for (const file of await getFiles(release)) approvedForRelease(file, now().toISOString());
    },

    /** Each file is withdrawn for good. */
    withdrawFiles: (release: ReleaseRecord) => changeFiles(release, (file) => withdrawnWithRelease(file, now().toISOString())),

    /** Holds while the files are as they were read. Changed since → OptimisticLockError. */
    filesUnchanged: (read: readonly ProductFileRecord[]): Write[] => read.map(files.fileUnchanged),
  };

  function freedOf({ releaseVersion: _, ...file }: ProductFileRecord): ProductFileRecord {
    return { ...file, leftReleaseAt: now().toISOString() };
  }
}
