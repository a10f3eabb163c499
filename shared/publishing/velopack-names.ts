/** The names under which a product's velopack feeds offer its files: each is one file's, once its release is handed in. */

import type { Write } from '../db/table.ts';
import { AppError } from '../errors.ts';
import type { FileId } from '../ids.ts';
import { velopackName } from '../releases/artifacts/artifact.ts';
import { isInFeed } from '../releases/artifacts/artifact-form.ts';
import { artifactsWithFiles, type ReleaseRecord } from '../releases/release.ts';
import { freeVelopackName, takeVelopackName } from '../releases/release-repository.ts';

/** @throws AppError file_name_taken when two files of the release have one name */
function namesOf(release: ReleaseRecord): Map<string, FileId> {
  const names = new Map<string, FileId>();
  for (const artifact of artifactsWithFiles(release).filter((candidate) => isInFeed(candidate, 'velopack'))) {
    const name = velopackName(artifact);
    if ((names.get(name) ?? artifact.fileId) !== artifact.fileId) throw new AppError('file_name_taken');
    names.set(name, artifact.fileId);
  }
  return names;
}

/** @throws AppError file_name_taken */
export const takeVelopackNames = (release: ReleaseRecord): Write[] =>
  [...namesOf(release)].map(([name, fileId]) => takeVelopackName(release.productId, name, { fileId, version: release.version }));

/** Of a release that is a draft again. */
export const freeVelopackNames = (release: ReleaseRecord): Write[] =>
  [...namesOf(release).keys()].map((name) => freeVelopackName(release.productId, name));
