import * as z from 'zod/mini';
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

const releaseView = (release: ReleaseRecord, reviewDueHours: number) => ({
  ...release,
  artifacts: artifactsWithFiles(release),
  reviewDueAt: reviewDueAt(releaseWaitingSince(release), reviewDueHours),
});

export const toRelease = (release: ReleaseRecord, { reviewDueHours }: { reviewDueHours: number }): Release =>
  Release.parse(releaseView(release, reviewDueHours));

export const toAdminRelease = (release: ReleaseRecord, { reviewDueHours }: { reviewDueHours: number }): ReleaseAdmin =>
  ReleaseAdmin.parse(releaseView(release, reviewDueHours));
