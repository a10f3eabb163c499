import * as z from 'zod/mini';
import { type FileId, idOf, isId, type ProductId } from '../ids.ts';
import { Picture } from '../pictures/picture.ts';
import { ArtifactFile } from '../releases/artifacts/artifact.ts';
import { dateTime } from '../schemas.ts';

export const ProductFileStatus = z.enum(['upload_pending', 'pending_review', 'approved', 'rejected', 'disabled']);
export type ProductFileStatus = z.infer<typeof ProductFileStatus>;
export const ProductFileHashStatus = z.enum(['unverified', 'verified', 'mismatch', 'error']);
export const ProductFileScanStatus = z.enum(['not_scanned', 'clean', 'infected', 'error']);
export const ProductFileVisibility = z.enum(['private', 'buyer_visible']);
export const ProductFileScanTrustSource = z.enum(['none', 'scanner', 'manual']);
/** What a file is for: buyers download it, the product's page shows it, or a release is made of it. */
export const ProductFilePurpose = z.enum(['download', 'image', 'release']);
/** As files were that say nothing of it. */
const purpose = z._default(ProductFilePurpose, 'download');
export const storageProviders = ['objstore', 'metadata_only'] as const;

/** What was found out about a file's bytes, for seller and admin alike. */
const findings = {
  sha256Hex: z.optional(z.string()),
  verifiedSizeBytes: z.optional(z.int()),
  verifiedContentType: z.optional(z.string()),
  verifiedSha256Hex: z.optional(z.string()),
  hashError: z.optional(z.string()),
  scanEngine: z.optional(z.string()),
  scanSignatureVersion: z.optional(z.string()),
  scanResultSummary: z.optional(z.string()),
  scanError: z.optional(z.string()),
  scanTrustSource: z.optional(ProductFileScanTrustSource),
};

const times = {
  uploadedAt: z.optional(dateTime),
  verifiedAt: z.optional(dateTime),
  scannedAt: z.optional(dateTime),
  approvedAt: z.optional(dateTime),
  rejectedAt: z.optional(dateTime),
  rejectedReason: z.optional(z.string()),
};

const states = {
  hashStatus: ProductFileHashStatus,
  scanStatus: ProductFileScanStatus,
  status: ProductFileStatus,
  visibility: ProductFileVisibility,
};

/** What is kept of a file, and shown of it to its seller and to admins. */
export const fileFields = {
  owner: { productId: idOf('product'), sellerId: idOf('seller'), purpose },
  facts: { contentType: z.string(), sizeBytes: z.int(), ...states, ...findings },
  times,
};

/** What an engine said of one version of a file's object. */
export const ScanResult = z.object({
  /** The version of the object that was scanned. */
  versionId: z.string(),
  engine: z.string(),
  /** Whether the engine was on TRUSTED_SCANNERS when it said so. */
  trusted: z.boolean(),
  verdict: z.enum(['clean', 'infected', 'error']),
  signatureVersion: z.optional(z.string()),
  summary: z.optional(z.string()),
  /** Why there is no verdict, as a code. */
  error: z.optional(z.string()),
  at: dateTime,
});
export type ScanResult = z.infer<typeof ScanResult>;

/** What the table holds of a file. */
export const ProductFileRecord = z.object({
  id: idOf('file'),
  ...fileFields.owner,
  fileName: z.string(),
  ...fileFields.facts,
  ...times,
  /** Lower case. */
  sha256Hex: z.string(),
  scanTrustSource: ProductFileScanTrustSource,
  scanTrustedClean: z.boolean(),
  storageProvider: z.enum(storageProviders),
  createdAt: dateTime,
  /** When the URL of the one PUT ends. */
  uploadExpiresAt: dateTime,
  /** How it can be uploaded in parts, and until when, which is later. */
  parts: z.optional(z.object({ uploadId: z.string(), partSizeBytes: z.int(), expiresAt: dateTime })),
  /** The bucket and key of the object; absent where no file store is configured. */
  storageBucket: z.optional(z.string()),
  storageKey: z.optional(z.string()),
  /** The version of the object that was finalized: the one that is hashed, scanned and downloaded. */
  versionId: z.optional(z.string()),
  /** What is shown of a picture once its upload is verified. */
  picture: z.optional(Picture),
  /** Results that came before they count. */
  waitingScans: z.array(ScanResult),
  /** How often a scanner that reports by itself was waited for. */
  scanWaits: z.int(),
  /** When an admin last asked for another scan. */
  rescanAskedAt: z.optional(dateTime),
  /** It was infected when one was asked for: nobody vouches for it any more. */
  wasInfected: z.optional(z.boolean()),
  /** Its seller took it back: no admin can approve it. */
  withdrawnAt: z.optional(dateTime),
  /** Of a release's file that is verified: the other hashes that updaters ask for. */
  verifiedSha512Base64: z.optional(z.string()),
  verifiedSha1Hex: z.optional(z.string()),
  /** The version of the release that it is part of. */
  releaseVersion: z.optional(z.string()),
  /** When it left the last draft that it was part of. */
  leftReleaseAt: z.optional(dateTime),
  /** Its bytes are deleted for good. */
  bytesDeletedAt: z.optional(dateTime),
  revision: z.int(),
});
export type ProductFileRecord = z.infer<typeof ProductFileRecord>;

/** A file whose upload was found whole and bound to one version of its object. */
export type StoredFile = ProductFileRecord & { storageBucket: string; storageKey: string; versionId: string };

export function isStored(file: ProductFileRecord): file is StoredFile {
  return file.storageBucket !== undefined && file.storageKey !== undefined && file.versionId !== undefined;
}

/** The ids by which a job or a report names a file. */
export interface FileIds {
  productId: ProductId;
  fileId: FileId;
}

export const fileIds = ({ productId, id }: Pick<ProductFileRecord, 'productId' | 'id'>): FileIds => ({ productId, fileId: id });

/** The key of a file's object holds the file's ids, so that a scanner's report on the object leads back to the file. */
export const storageKeyOf = ({ productId, fileId }: FileIds) => `files/${productId}/${fileId}`;

/** The inverse of `storageKeyOf`; undefined for any other key. */
export function fileOfStorageKey(key: string): FileIds | undefined {
  const [, productId = '', fileId = ''] = /^files\/([^/]+)\/([^/]+)$/.exec(key) ?? [];
  return isId('product', productId) && isId('file', fileId) ? { productId, fileId } : undefined;
}

/** When the last URL signed for a file's upload expires. */
export const uploadEndsAt = ({ parts, uploadExpiresAt }: Pick<ProductFileRecord, 'parts' | 'uploadExpiresAt'>): string =>
  parts?.expiresAt ?? uploadExpiresAt;

/**
 * A file's entry in the index of its product's live files, by its id; `until` is when the upload of one that is
 * not finalized ends.
 */
export const LiveFile = z.object({ until: z.optional(dateTime) });
export type LiveFile = z.infer<typeof LiveFile>;

/** The entry of a file that may still reach buyers by itself; undefined of any other. See "Live files" in bytes.md. */
export function liveFileOf(file: ProductFileRecord): LiveFile | undefined {
  if (file.purpose === 'release') return undefined;
  if (file.status === 'upload_pending') return { until: uploadEndsAt(file) };
  return file.status === 'pending_review' || file.status === 'approved' ? {} : undefined;
}

/** Whether an entry counts toward the most live files of its product. */
export const isLiveEntry = ({ until }: LiveFile, now: Date) => until === undefined || until > now.toISOString();

/** Whether the file can never be used again: rejected, withdrawn, or never finalized. See "Discarded bytes" in bytes.md. */
export function isDead(file: ProductFileRecord): boolean {
  if (file.status === 'rejected') return true;
  return file.status === 'disabled' && (file.withdrawnAt !== undefined || file.versionId === undefined);
}

/** How much of its seller's storage the file takes: what was declared, until its bytes are deleted. */
export function reservedBytes({ storageKey, bytesDeletedAt, sizeBytes }: ProductFileRecord): number {
  return storageKey === undefined || bytesDeletedAt !== undefined ? 0 : sizeBytes;
}

/** Whether a buyer may download the file by itself, as far as the file itself is concerned. See "Downloads" in README.md. */
export function isDownloadable(file: ProductFileRecord): file is StoredFile {
  return isOffered(file) && file.purpose === 'download';
}

/** Whether the file of a release may be downloaded, as far as the file itself is concerned. */
export function isDownloadableRelease(file: ProductFileRecord): file is StoredFile {
  return isOffered(file) && file.purpose === 'release';
}

export type PictureFile = StoredFile & { picture: NonNullable<ProductFileRecord['picture']> };

/** Whether anyone may see the file on the page of its product, as far as the file itself is concerned. */
export function isShownPicture(file: ProductFileRecord): file is PictureFile {
  return isOffered(file) && file.purpose === 'image' && file.picture !== undefined;
}

/** Whether the file shows on the product's preview, which buyers do not see: from the verification of its upload until it is rejected. */
export function isPreviewedPicture(file: ProductFileRecord): file is PictureFile {
  if (isShownPicture(file)) return true;
  const waits = file.status === 'pending_review' && file.hashStatus === 'verified' && file.scanStatus !== 'infected';
  return waits && isStored(file) && file.purpose === 'image' && file.picture !== undefined;
}

function isOffered(file: ProductFileRecord): file is StoredFile {
  return (
    isStored(file) &&
    file.status === 'approved' &&
    file.visibility === 'buyer_visible' &&
    file.hashStatus === 'verified' &&
    file.scanTrustedClean
  );
}

/** What the release that a file is part of keeps of it. */
export function artifactFileOf(file: ProductFileRecord): ArtifactFile {
  const { fileName, contentType, sizeBytes, sha256Hex, verifiedSha512Base64: sha512Base64, verifiedSha1Hex: sha1Hex } = file;
  return ArtifactFile.parse({ fileName, contentType, sizeBytes, sha256Hex, sha512Base64, sha1Hex, available: isOffered(file) });
}
