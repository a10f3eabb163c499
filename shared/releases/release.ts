import * as z from 'zod/mini';
import { AppError } from '../errors.ts';
import { idOf } from '../ids.ts';
import { betweenFields, dateTime, filledText, line, offsetTime, text } from '../schemas.ts';
import { Artifact, ArtifactFile, ArtifactRequest, type FullArtifact, StoredArtifact } from './artifact.ts';
import { Channel, isStable, version as sentVersion } from './version.ts';

/** How many releases a product may have, and how many of them that were never published. */
export const maxReleases = 2000;
export const maxUnpublished = 20;

export const releaseStatuses = ['draft', 'pending_review', 'approved', 'published', 'yanked'] as const;
export const ReleaseStatus = z.enum(releaseStatuses);
export type ReleaseStatus = z.infer<typeof ReleaseStatus>;

const percent = z.int().check(z.minimum(0), z.maximum(100));
/**
 * What a seller sends to make or edit a draft: `version` alone says which; the others may be left out where there is a
 * draft of that version, and what is given takes the place of what it has.
 */
export const ReleaseRequest = z
  .object({
    version: sentVersion,
    channel: z.optional(Channel),
    notes: z.optional(text(20_000)),
    critical: z.optional(z.boolean()),
    publishOnApproval: z.optional(z.boolean()),
    rolloutPercent: z.optional(percent),
    requiresFeatures: z.optional(z.array(line(64).check(z.minLength(1))).check(z.maxLength(10))),
    coveredAt: z.optional(offsetTime),
    artifacts: z.optional(z.array(ArtifactRequest).check(z.maxLength(40))),
  })
  .check(
    betweenFields(['version', 'channel'], ({ version, channel }) =>
      channel === undefined || (channel === 'stable') === isStable(version)
        ? undefined
        : 'must be stable for a version without prerelease, and another for one with',
    ),
  );
export type ReleaseRequest = z.infer<typeof ReleaseRequest>;

/** What a seller sends to publish, or to set how many get what is published. */
export const PublishReleaseRequest = z.object({
  rolloutPercent: z._default(percent, 100),
  expectedRevision: z.optional(z.int().check(z.minimum(0))),
});
export type PublishReleaseRequest = z.infer<typeof PublishReleaseRequest>;

/** Why a published release is taken back. */
export const yankReason = filledText(500);

const written = {
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

const state = {
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

/** A release as its seller sees it. */
export const Release = z.object({ ...state, ...written, artifacts: z.array(Artifact) });
export type Release = z.infer<typeof Release>;

/** A release as admins see it. */
export const ReleaseAdmin = z.extend(Release, { sellerId: idOf('seller') });
export type ReleaseAdmin = z.infer<typeof ReleaseAdmin>;

/** What the table holds of a release. */
export const ReleaseRecord = z.object({
  ...state,
  ...written,
  sellerId: idOf('seller'),
  artifacts: z.array(StoredArtifact),
  /** By the id of the file. */
  files: z.record(z.string(), ArtifactFile),
});
export type ReleaseRecord = z.infer<typeof ReleaseRecord>;

/** The artifacts together with what is kept of their files. */
export function fullArtifactsOf({ artifacts, files }: Pick<ReleaseRecord, 'artifacts' | 'files'>): FullArtifact[] {
  return artifacts.flatMap((artifact) => {
    const file = files[artifact.fileId];
    return file ? [{ ...artifact, ...file }] : [];
  });
}

export const toRelease = (release: ReleaseRecord): Release => Release.parse({ ...release, artifacts: fullArtifactsOf(release) });
export const toAdminRelease = (release: ReleaseRecord): ReleaseAdmin =>
  ReleaseAdmin.parse({ ...release, artifacts: fullArtifactsOf(release) });

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

/** A draft of a version that there was none of. @throws AppError invalid_request when something is missing */
export function newDraft(request: ReleaseRequest, place: Pick<ReleaseRecord, 'id' | 'productId' | 'sellerId'>, at: string): ReleaseRecord {
  const { version, channel, notes } = request;
  if (channel === undefined || notes === undefined) {
    const missing = Object.entries({ channel, notes }).filter(([, value]) => value === undefined);
    throw new AppError('invalid_request', missing.map(([name]) => `${name} is missing`).join('; '));
  }
  const blank = { critical: false, publishOnApproval: false, requiresFeatures: [], artifacts: [], files: {} };
  return edited({ ...place, ...blank, version, channel, notes, status: 'draft', createdAt: at, revision: 0 }, request);
}

/** The draft with what was sent in the place of what it had; what is kept of its files is not its seller's to say. */
export function edited(draft: ReleaseRecord, request: ReleaseRequest): ReleaseRecord {
  const { artifacts, ...fields } = request;
  const sent = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  const listed = artifacts?.map((artifact) =>
    StoredArtifact.parse({ ...artifact, ...(artifact.feeds && { feeds: [...new Set(artifact.feeds)] }) }),
  );
  return ReleaseRecord.parse({ ...draft, ...sent, ...(listed && { artifacts: listed }) });
}
