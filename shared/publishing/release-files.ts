/** Changes of files within the transaction of their release. See "Files of releases" in README.md */

import type { Needs } from '../context.ts';
import type { Table, Write } from '../db/table.ts';
import { AppError } from '../errors.ts';
import type { FileId } from '../ids.ts';
import { discardDead } from '../product-files/file-discards.ts';
import { fileAfterReleaseApproval, fileAfterReleaseEnd } from '../product-files/file-states.ts';
import { artifactFileOf, type ProductFileRecord } from '../product-files/product-file.ts';
import { checkFileUnchanged, findFiles, replaceFileOnly } from '../product-files/product-file-repository.ts';
import { fileIdsOf } from '../releases/artifacts/artifact.ts';
import type { ReleaseRecord } from '../releases/release.ts';

/** A release with the state of its files, and the writes that bring it about. */
export interface ReleaseWithFiles {
  release: ReleaseRecord;
  writes: Write[];
}

const readFiles = async (table: Table, { productId }: ReleaseRecord, ids: readonly FileId[]) =>
  new Map((await findFiles(table, productId, ids)).map((file) => [file.id, file]));

const withFacts = (release: ReleaseRecord, changed: readonly ProductFileRecord[]): ReleaseRecord => ({
  ...release,
  files: { ...release.files, ...Object.fromEntries(changed.map((file) => [file.id, artifactFileOf(file)])) },
});

/** The release after each of its files became what `change` makes of it; those that stay the same are held to it. */
async function changeFiles(
  c: Needs<'table' | 'now' | 'DISCARD_AFTER_HOURS'>,
  release: ReleaseRecord,
  change: (file: ProductFileRecord) => ProductFileRecord,
): Promise<ReleaseWithFiles> {
  const found = await getFiles(c.table, release);
  const changes = found.map((read) => ({ read, next: change(read) }));
  return {
    release: withFacts(
      release,
      changes.map(({ next }) => next),
    ),
    writes: changes.flatMap(({ read, next }) =>
      next === read ? [checkFileUnchanged(read)] : [replaceFileOnly(read, next), ...discardDead(c, read, next)],
    ),
  };
}

/** @throws AppError file_not_found */
export async function getFiles(table: Table, release: ReleaseRecord): Promise<ProductFileRecord[]> {
  const ids = fileIdsOf(release.artifacts);
  const found = await readFiles(table, release, ids);
  return ids.map((id) => {
    const file = found.get(id);
    if (!file) throw new AppError('file_not_found');
    return file;
  });
}

/**
 * The draft with its files, which belong to it from now on; those that only the draft before was made of are free.
 * Changed since → OptimisticLockError.
 *
 * @throws AppError file_not_found, file_in_use
 */
export async function bindFiles(
  c: Needs<'table' | 'now'>,
  draft: ReleaseRecord,
  before: ReleaseRecord | undefined,
): Promise<ReleaseWithFiles> {
  const ids = fileIdsOf(draft.artifacts);
  const left = fileIdsOf(before?.artifacts ?? []).filter((id) => !ids.includes(id));
  const found = await readFiles(c.table, draft, [...ids, ...left]);
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
      ...added.map((file) => replaceFileOnly(file, { ...file, releaseVersion: draft.version })),
      ...freed.map((file) => replaceFileOnly(file, freedOf(c, file))),
    ],
  };
}

/** Frees the files of a deleted draft. */
export async function freeFiles(c: Needs<'table' | 'now'>, draft: ReleaseRecord): Promise<Write[]> {
  const found = await readFiles(c.table, draft, fileIdsOf(draft.artifacts));
  return [...found.values()].map((file) => replaceFileOnly(file, freedOf(c, file)));
}

/** Each file is approved. @throws AppError file_state_conflict, file_not_verified, file_not_trusted_clean */
export const approveFiles = (c: Needs<'table' | 'now' | 'DISCARD_AFTER_HOURS'>, release: ReleaseRecord) =>
  changeFiles(c, release, (file) => fileAfterReleaseApproval(file, c.now().toISOString()));

/**
 * Whether each file is fit to be approved; what an admin decided on one by itself stays. One that can no longer be had
 * changes the release too, so a write of the release that was read holds all of them.
 *
 * @throws AppError file_state_conflict, file_not_verified, file_not_trusted_clean
 */
export async function checkFiles(c: Needs<'table' | 'now'>, release: ReleaseRecord): Promise<void> {
  for (const file of await getFiles(c.table, release)) fileAfterReleaseApproval(file, c.now().toISOString());
}

/** Each file is withdrawn for good. */
export const withdrawFiles = (c: Needs<'table' | 'now' | 'DISCARD_AFTER_HOURS'>, release: ReleaseRecord) =>
  changeFiles(c, release, (file) => fileAfterReleaseEnd(file, c.now().toISOString()));

/** Holds while the files are as they were read. Changed since → OptimisticLockError. */
export const checkFilesUnchanged = (read: readonly ProductFileRecord[]): Write[] => read.map(checkFileUnchanged);

function freedOf(c: Needs<'now'>, { releaseVersion: _, ...file }: ProductFileRecord): ProductFileRecord {
  return { ...file, leftReleaseAt: c.now().toISOString() };
}
