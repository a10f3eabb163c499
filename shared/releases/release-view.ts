import * as z from 'zod/mini';
import type { Needs } from '../context.ts';
import { idOf } from '../ids.ts';
import { reviewDueAt } from '../review-due.ts';
import { dateTime } from '../schemas.ts';
import { Artifact } from './artifacts/artifact.ts';
import { artifactsWithFiles, type ReleaseRecord, releaseFields } from './release.ts';
import { releaseWaitingSince } from './release-states.ts';

/** A release as its seller sees it. */
export const Release = z.object({
  ...releaseFields,
  artifacts: z.array(Artifact),
  /** Until when it is to be decided on, while it waits. */
  reviewDueAt: z.optional(dateTime),
});
export type Release = z.infer<typeof Release>;

/** A release as admins see it. */
export const ReleaseAdmin = z.extend(Release, { sellerId: idOf('seller') });
export type ReleaseAdmin = z.infer<typeof ReleaseAdmin>;

const releaseView = (c: Needs<'REVIEW_DUE_HOURS'>, release: ReleaseRecord) => ({
  ...release,
  artifacts: artifactsWithFiles(release),
  reviewDueAt: reviewDueAt(releaseWaitingSince(release), c.settings.REVIEW_DUE_HOURS),
});

export const toRelease = (c: Needs<'REVIEW_DUE_HOURS'>, release: ReleaseRecord): Release => Release.parse(releaseView(c, release));

export const toAdminRelease = (c: Needs<'REVIEW_DUE_HOURS'>, release: ReleaseRecord): ReleaseAdmin =>
  ReleaseAdmin.parse(releaseView(c, release));
