import * as z from 'zod/mini';
import { idOf } from '../ids.ts';
import { dateTime } from '../schemas.ts';
import { ArtifactFile, type ArtifactWithFile, StoredArtifact } from './artifacts/artifact.ts';
import { Channel } from './versions/version.ts';

/** How many releases a product may have, and how many of them that were never published. */
export const maxReleases = 2000;
export const maxUnpublished = 20;
/** Of how many artifacts a release may be made. */
export const maxArtifacts = 40;

export const releaseStatuses = ['draft', 'pending_review', 'approved', 'published', 'yanked'] as const;
export const ReleaseStatus = z.enum(releaseStatuses);
export type ReleaseStatus = z.infer<typeof ReleaseStatus>;

const sellerFields = {
  version: z.string(),
  channel: Channel,
  /** CommonMark as written; shown with HTML as text. */
  notes: z.string(),
  critical: z.boolean(),
  publishOnApproval: z.boolean(),
  rolloutPercent: z.optional(z.int()),
  requiresFeatures: z.array(z.string()),
  coveredAt: z.optional(dateTime),
};

const stateFields = {
  id: idOf('release'),
  productId: idOf('product'),
  status: ReleaseStatus,
  createdAt: dateTime,
  /** Counts every change of the release, that of what is available included. */
  revision: z.int(),
  submittedAt: z.optional(dateTime),
  publishedAt: z.optional(dateTime),
  yankedAt: z.optional(dateTime),
  yankReason: z.optional(z.string()),
  rejectionReason: z.optional(z.string()),
};

/** What is kept of a release, and shown of it to its seller and to admins. */
export const releaseFields = { ...stateFields, ...sellerFields };

/** What notes became as HTML, and which writer made it. */
export const RenderedNotes = z.object({ html: z.string(), writer: z.int() });
export type RenderedNotes = z.infer<typeof RenderedNotes>;

/** What the table holds of a release. */
export const ReleaseRecord = z.object({
  ...releaseFields,
  sellerId: idOf('seller'),
  /** When an admin rejected it; until it is handed in again. */
  rejectedAt: z.optional(dateTime),
  artifacts: z.array(StoredArtifact),
  /** Since it was submitted; of a draft perhaps of notes that it had before. */
  renderedNotes: z.optional(RenderedNotes),
  /** By the id of the file. */
  files: z.record(z.string(), ArtifactFile),
});
export type ReleaseRecord = z.infer<typeof ReleaseRecord>;

/** The artifacts together with what is kept of their files. */
export function artifactsWithFiles({ artifacts, files }: Pick<ReleaseRecord, 'artifacts' | 'files'>): ArtifactWithFile[] {
  return artifacts.flatMap((artifact) => {
    const file = files[artifact.fileId];
    return file ? [{ ...artifact, ...file }] : [];
  });
}

/** What anyone may know of a published release. */
export const PublicRelease = z.object({
  version: z.string(),
  channel: Channel,
  notes: z.string(),
  publishedAt: dateTime,
  critical: z.boolean(),
});
export type PublicRelease = z.infer<typeof PublicRelease>;

/** From when on a license must be owed updates to have it; undefined of what was never published. */
export const coveredAtOf = ({ coveredAt, publishedAt }: Pick<ReleaseRecord, 'coveredAt' | 'publishedAt'>): string | undefined =>
  publishedAt === undefined ? undefined : (coveredAt ?? publishedAt);
