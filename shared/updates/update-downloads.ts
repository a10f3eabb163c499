/** The bytes of releases, for updaters whose license covers them. See "Downloads" in README.md */

import type { Needs } from '../context.ts';
import { AppError } from '../errors.ts';
import type { ProductId } from '../ids.ts';
import type { PresentedProof } from '../leases/update-proof.ts';
import { isDownloadableRelease, type StoredFile } from '../product-files/product-file.ts';
import { coveredAtOf } from '../releases/release.ts';
import { coverageFactsOf, coverageTest } from './update-codes.ts';
import { type FileAddress, readForDownload } from './update-repository.ts';
import { provenLicense } from './update-service.ts';

export interface DownloadRequest {
  productId: ProductId;
  presented: PresentedProof;
  address: FileAddress;
}

/** What a license may download in an hour besides what each may. */
const downloadsPerSeat = 4;

async function findReleased(c: Needs<'table' | 'now' | 'verifyProof'>, { productId, presented: shown, address }: DownloadRequest) {
  const proven = c.verifyProof(shown, productId, c.now());
  if (typeof proven === 'string') throw new AppError('update_proof_invalid');
  const found = await readForDownload(c.table, productId, proven.licenseId, address);
  const owner = provenLicense(proven, found?.license);
  if (!found || typeof owner === 'string') throw new AppError('update_proof_invalid');
  const { release, file, isSuspended } = found;
  const coveredAt = release && coveredAtOf(release);
  if (!release || !file || coveredAt === undefined) throw new AppError('file_not_found');
  const covering = coverageFactsOf(owner.license, c.now());
  if (covering.status !== 'active') throw new AppError('license_not_usable');
  if (!coverageTest(covering)({ coveredAt, requiresFeatures: release.requiresFeatures })) throw new AppError('update_not_covered');
  if (release.status !== 'published' || isSuspended || !isDownloadableRelease(file)) throw new AppError('file_not_available');
  return { file, license: owner.license };
}

/**
 * What is known of a file that may be downloaded now; it counts for nothing.
 *
 * @throws AppError update_proof_invalid, file_not_found, license_not_usable, update_not_covered, file_not_available
 */
export const describeUpdateDownload = async (c: Needs<'table' | 'now' | 'verifyProof'>, request: DownloadRequest): Promise<StoredFile> =>
  (await findReleased(c, request)).file;

/** Where the file can be read for a while. @throws AppError as above; rate_limited */
export async function createUpdateDownload(
  c: Needs<'table' | 'now' | 'downloadSigner' | 'limitRate' | 'UPDATE_URL_SECONDS' | 'verifyProof'>,
  request: DownloadRequest,
): Promise<string> {
  const { file, license } = await findReleased(c, request);
  if (!c.downloadSigner) throw new AppError('file_not_available');
  await c.limitRate('update-downloads', license.id, downloadsPerSeat * license.activationLimit);
  const { storageKey: key, versionId, fileName, contentType } = file;
  return c.downloadSigner.presignDownload({ key, versionId, fileName, contentType }, c.settings.UPDATE_URL_SECONDS);
}
