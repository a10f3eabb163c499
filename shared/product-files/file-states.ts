import { AppError } from '../errors.ts';
import type { Picture } from '../pictures/picture.ts';
import { isStored, type ProductFileRecord, type ProductFileStatus, type ScanResult } from './product-file.ts';

export const fileReviewDecisions = ['approve', 'manual_clean', 'mark_manual_clean', 'reject', 'disable'] as const;
export type FileReviewDecision = (typeof fileReviewDecisions)[number];

/**
 * State × decision: `yes` is allowed, `visibility` changes only who sees the file, `no` is refused.
 * Hash and trust are conditions besides. See "Review decisions" in states.md.
 */
export const fileReviewTable = {
  upload_pending: { approve: 'no', manual_clean: 'no', mark_manual_clean: 'no', reject: 'no', disable: 'no' },
  pending_review: { approve: 'yes', manual_clean: 'yes', mark_manual_clean: 'yes', reject: 'yes', disable: 'yes' },
  approved: { approve: 'visibility', manual_clean: 'no', mark_manual_clean: 'no', reject: 'yes', disable: 'yes' },
  rejected: { approve: 'no', manual_clean: 'no', mark_manual_clean: 'no', reject: 'no', disable: 'no' },
  disabled: { approve: 'yes', manual_clean: 'no', mark_manual_clean: 'no', reject: 'yes', disable: 'no' },
} as const satisfies Record<ProductFileStatus, Record<FileReviewDecision, 'yes' | 'visibility' | 'no'>>;

/** How long a release's file may be in no release until it is withdrawn. See "Files of releases" in shared/publishing/README.md */
export const maxUnusedSeconds = 7 * 24 * 3600;

/** Since when a release's file is in no release; undefined while it is in one. */
export function unusedSince({ releaseVersion, leftReleaseAt, uploadedAt, createdAt }: ProductFileRecord): string | undefined {
  if (releaseVersion !== undefined) return undefined;
  const [latest] = [leftReleaseAt ?? '', uploadedAt ?? createdAt].toSorted().reverse();
  return latest;
}

/** Since when the file waits for an admin; undefined when it does not. */
export const fileWaitingSince = ({ status, uploadedAt, createdAt }: Pick<ProductFileRecord, 'status' | 'uploadedAt' | 'createdAt'>) =>
  status === 'pending_review' ? (uploadedAt ?? createdAt) : undefined;

/** The states from which a seller can withdraw a file. */
const withdrawable: readonly ProductFileStatus[] = ['upload_pending', 'pending_review', 'approved'];

const conflict = () => new AppError('file_state_conflict');

export interface FileReview {
  decision: FileReviewDecision;
  visibility?: ProductFileRecord['visibility'] | undefined;
  rejectedReason?: string | undefined;
  at: string;
}

/**
 * The file after an admin's decision; the same object if nothing changes. State, hash and trust are checked in this
 * order.
 *
 * @throws AppError file_state_conflict, file_not_verified, file_not_trusted_clean
 */
export function fileAfterReview(file: ProductFileRecord, review: FileReview): ProductFileRecord {
  const { decision, visibility, rejectedReason, at } = review;
  const outcome = fileReviewTable[file.status][decision];
  if (outcome === 'no') throw conflict();
  switch (decision) {
    case 'manual_clean':
    case 'mark_manual_clean':
      return markedClean(file);
    case 'approve':
      return outcome === 'visibility'
        ? withVisibility(file, visibility ?? file.visibility)
        : approved(file, visibility ?? 'buyer_visible', at);
    case 'reject':
      return { ...file, status: 'rejected', visibility: 'private', rejectedAt: at, rejectedReason };
    case 'disable':
      return { ...file, status: 'disabled', visibility: 'private' };
  }
}

function approved(file: ProductFileRecord, visibility: ProductFileRecord['visibility'], at: string): ProductFileRecord {
  if (file.withdrawnAt !== undefined) throw conflict();
  if (file.hashStatus !== 'verified') throw new AppError('file_not_verified');
  if (!file.scanTrustedClean) throw new AppError('file_not_trusted_clean');
  return { ...file, status: 'approved', visibility, approvedAt: at };
}

/**
 * The file as the approval of its release leaves it, the same one when buyers see it already.
 *
 * @throws AppError file_state_conflict, file_not_verified, file_not_trusted_clean
 */
export function fileAfterReleaseApproval(file: ProductFileRecord, at: string): ProductFileRecord {
  if (file.status !== 'pending_review' && file.status !== 'approved') throw conflict();
  const next = approved(file, 'buyer_visible', file.approvedAt ?? at);
  return file.status === 'approved' && file.visibility === 'buyer_visible' ? file : next;
}

/** The file after its release ended, whatever its state; the same object if it is already unusable. */
export function fileAfterReleaseEnd(file: ProductFileRecord, at: string): ProductFileRecord {
  if (file.status === 'rejected' || (file.status === 'disabled' && file.withdrawnAt !== undefined)) return file;
  return { ...file, status: 'disabled', visibility: 'private', withdrawnAt: at };
}

const withVisibility = (file: ProductFileRecord, visibility: ProductFileRecord['visibility']) =>
  visibility === file.visibility ? file : { ...file, visibility };

function markedClean(file: ProductFileRecord): ProductFileRecord {
  const isInfected = file.wasInfected === true || file.scanStatus === 'infected';
  const possible = (file.hashStatus === 'unverified' || file.hashStatus === 'verified') && !isInfected;
  if (!possible) throw conflict();
  return file.scanTrustSource === 'manual' ? file : { ...file, scanTrustedClean: true, scanTrustSource: 'manual' };
}

/** The file after its seller withdrew it; the same one when it is withdrawn already. @throws AppError file_state_conflict */
export function fileAfterWithdrawal(file: ProductFileRecord, at: string): ProductFileRecord {
  if (file.withdrawnAt !== undefined && file.status === 'disabled') return file;
  if (!withdrawable.includes(file.status)) throw conflict();
  return { ...file, status: 'disabled', visibility: 'private', withdrawnAt: at };
}

/** The file once its upload was found to be as declared, bound to this version of its object. See "Uploads" in bytes.md. */
export function fileAfterUpload(file: ProductFileRecord, upload: { versionId: string; uploadedAt: string }): ProductFileRecord {
  // The store's clock counts whole seconds and may be behind the function's; no upload is older than its file.
  const [, uploadedAt] = [upload.uploadedAt, file.createdAt].sort();
  return withDueScans({ ...file, versionId: upload.versionId, uploadedAt, status: 'pending_review', visibility: 'private' });
}

/** Of a release's file, for updaters that ask for them. */
export interface ExtraHashes {
  sha512Base64?: string | undefined;
  sha1Hex?: string | undefined;
}

/** What reading the whole object found. */
export type HashOutcome =
  | ({ hashStatus: 'verified'; sizeBytes: number; contentType: string; sha256Hex: string; picture?: Picture | undefined } & ExtraHashes)
  | { hashStatus: 'mismatch' | 'error'; hashError: string; rejectedReason?: string | undefined };

/** The file after its object was read; scan results that waited for a verified hash count now. */
export function fileAfterHash(file: ProductFileRecord, outcome: HashOutcome, at: string): ProductFileRecord {
  if (outcome.hashStatus !== 'verified') {
    const { hashStatus, hashError, rejectedReason } = outcome;
    return withDueScans(rejectUnread({ ...file, hashStatus, hashError }, rejectedReason, at));
  }
  const { sizeBytes, contentType, sha256Hex, sha512Base64, sha1Hex, picture } = outcome;
  return withDueScans({
    ...file,
    hashStatus: 'verified',
    verifiedSizeBytes: sizeBytes,
    verifiedContentType: contentType,
    verifiedSha256Hex: sha256Hex,
    verifiedAt: at,
    ...(sha512Base64 !== undefined && { verifiedSha512Base64: sha512Base64 }),
    ...(sha1Hex !== undefined && { verifiedSha1Hex: sha1Hex }),
    ...(picture && { picture }),
  });
}

/** Rejects a file that no admin needs to review, unless it was already decided on. */
function rejectUnread(file: ProductFileRecord, rejectedReason: string | undefined, at: string): ProductFileRecord {
  if (rejectedReason === undefined || file.status !== 'pending_review') return file;
  return { ...file, status: 'rejected', rejectedAt: at, rejectedReason };
}

/** The most scan results that are kept until they count; an upload URL makes one version, and few engines scan it. */
const maxWaitingScans = 20;

/**
 * The file after a scan result, whenever it comes; the same one when the result adds nothing.
 * The order and the number of times in which results come do not matter. See "Scan results" in states.md.
 */
export function fileAfterScan(file: ProductFileRecord, result: ScanResult): ProductFileRecord {
  if (isOutdated(file, result)) return file;
  if (isDue(file, result)) return withResult(file, result);
  const waits = file.versionId === undefined || file.versionId === result.versionId;
  const known = file.waitingScans.some((other) => sameResult(other, result));
  const full = file.waitingScans.length >= maxWaitingScans && result.verdict !== 'infected';
  if (!waits || known || full) return file;
  return { ...file, waitingScans: [...file.waitingScans, result] };
}

/** The file as if no scan of it had ended yet, but that what was infected stays known. See "Another scan" in states.md. @throws AppError file_state_conflict */
export function fileAfterRescanRequest(file: ProductFileRecord, at: string): ProductFileRecord {
  const isFailed = file.scanStatus === 'error' || file.scanStatus === 'infected';
  if (!isFailed || !isStored(file) || file.hashStatus !== 'verified' || file.bytesDeletedAt !== undefined) throw conflict();
  const wasInfected = file.wasInfected === true || file.scanStatus === 'infected';
  return {
    ...file,
    scanStatus: 'not_scanned',
    scanEngine: undefined,
    scanSignatureVersion: undefined,
    scanResultSummary: undefined,
    scanError: undefined,
    scannedAt: undefined,
    // A scanner that reports by itself did so at the upload, and does again when it is asked.
    scanWaits: 1,
    rescanAskedAt: at,
    ...(wasInfected && { wasInfected }),
  };
}

/** A result from before the file was to be scanned anew is of the scan that was doubted; `infected` is always heard. */
const isOutdated = ({ rescanAskedAt = '' }: ProductFileRecord, { verdict, at }: ScanResult): boolean =>
  verdict !== 'infected' && at < rescanAskedAt;

/** A result counts once its version is finalized and verified; `infected` does not wait for the hash. */
function isDue(file: ProductFileRecord, result: ScanResult): boolean {
  if (!isStored(file) || file.versionId !== result.versionId) return false;
  return file.hashStatus === 'verified' || result.verdict === 'infected';
}

/** Counts what is due of the results that waited; those of other versions are dropped. */
function withDueScans(file: ProductFileRecord): ProductFileRecord {
  const ofVersion = file.waitingScans.filter((result) => result.versionId === file.versionId);
  const still = ofVersion.filter((result) => !isDue(file, result));
  return ofVersion.filter((result) => isDue(file, result)).reduce(withResult, { ...file, waitingScans: still });
}

function withResult(file: ProductFileRecord, result: ScanResult): ProductFileRecord {
  if (!outweighs(file, result)) return file;
  const { verdict, engine, trusted, signatureVersion, summary, error, at } = result;
  const recorded: ProductFileRecord = {
    ...file,
    scanStatus: verdict,
    scanEngine: engine,
    scanSignatureVersion: signatureVersion,
    scanResultSummary: summary,
    scanError: error,
    scannedAt: at,
  };
  if (verdict === 'infected') return takenDown({ ...recorded, scanTrustedClean: false, scanTrustSource: 'none' });
  return verdict === 'clean' && trusted ? { ...recorded, scanTrustedClean: true, scanTrustSource: 'scanner' } : recorded;
}

const takenDown = (file: ProductFileRecord): ProductFileRecord =>
  file.status === 'approved' ? { ...file, status: 'disabled', visibility: 'private' } : file;

/** Infected outweighs trusted clean, that outweighs any other clean, and that a failure. */
function outweighs(file: ProductFileRecord, result: ScanResult): boolean {
  const present = weightOf(file.scanStatus, file.scanTrustSource === 'scanner');
  return weightOf(result.verdict, result.trusted) > present;
}

function weightOf(verdict: ProductFileRecord['scanStatus'], trusted: boolean): number {
  if (verdict === 'infected') return 4;
  if (verdict === 'clean') return trusted ? 3 : 2;
  return verdict === 'error' ? 1 : 0;
}

const sameResult = (a: ScanResult, b: ScanResult) =>
  a.versionId === b.versionId && a.engine === b.engine && a.verdict === b.verdict && a.trusted === b.trusted;
