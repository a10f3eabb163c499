import type { Table } from '../db/table.ts';
import { AppError } from '../errors.ts';
import type { LicenseId, ProductId } from '../ids.ts';
import type { ShownProof, VerifyProof } from '../leases/update-proof.ts';
import type { ObjectStore } from '../product-files/object-store.ts';
import { isReleased, type StoredFile } from '../product-files/product-file.ts';
import { coveredAtOf } from '../releases/release.ts';
import { coverageOf, coveringOf } from './standing.ts';
import { createUpdateRepository, type FileAddress } from './update-repository.ts';
import { ownerOf } from './update-service.ts';

export interface DownloadRequest {
  productId: ProductId;
  shown: ShownProof;
  address: FileAddress;
}

export type UpdateDownloads = ReturnType<typeof createUpdateDownloads>;

/** The bytes of releases, for updaters whose license covers them. See "Downloads" in README.md */
export function createUpdateDownloads(options: {
  table: Table;
  verifyProof: VerifyProof;
  /** Absent where no bucket is configured. */
  store: Pick<ObjectStore, 'presignDownload'> | undefined;
  urlSeconds: number;
  /** @throws AppError rate_limited when the license, which has so many seats, downloaded too often. */
  limitDownloads: (licenseId: LicenseId, activationLimit: number) => Promise<void>;
  now?: (() => Date) | undefined;
}) {
  const { table, verifyProof, store, urlSeconds, limitDownloads, now = () => new Date() } = options;
  const updates = createUpdateRepository({ table });

  async function findReleased({ productId, shown, address }: DownloadRequest) {
    const proven = verifyProof(shown, productId, now());
    if (typeof proven === 'string') throw new AppError('update_proof_invalid');
    const asked = await updates.readForDownload(productId, proven.licenseId, address);
    const owner = ownerOf(proven, asked?.license);
    if (!asked || typeof owner === 'string') throw new AppError('update_proof_invalid');
    const { release, file, isSuspended } = asked;
    const coveredAt = release && coveredAtOf(release);
    if (!release || !file || coveredAt === undefined) throw new AppError('file_not_found');
    const covering = coveringOf(owner.license, now());
    if (covering.status !== 'active') throw new AppError('license_not_usable');
    if (!coverageOf(covering)({ coveredAt, requiresFeatures: release.requiresFeatures })) throw new AppError('update_not_covered');
    if (release.status !== 'published' || isSuspended || !isReleased(file)) throw new AppError('file_not_available');
    return { file, license: owner.license };
  }

  return {
    /**
     * What is known of a file that may be downloaded now; it counts for nothing.
     *
     * @throws AppError update_proof_invalid, file_not_found, license_not_usable, update_not_covered, file_not_available
     */
    describeDownload: async (request: DownloadRequest): Promise<StoredFile> => (await findReleased(request)).file,

    /** Where the file can be read for a while. @throws AppError as above; rate_limited */
    async createDownload(request: DownloadRequest): Promise<string> {
      const { file, license } = await findReleased(request);
      if (!store) throw new AppError('file_not_available');
      await limitDownloads(license.id, license.activationLimit);
      const { storageKey: key, versionId, fileName, contentType } = file;
      return store.presignDownload({ key, versionId, fileName, contentType }, urlSeconds);
    },
  };
}
