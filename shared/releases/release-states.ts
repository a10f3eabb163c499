import { AppError } from '../errors.ts';
import type { ReleaseRecord, ReleaseStatus } from './release.ts';

/** What each move makes of a release in each state; `no` is refused, the same state changes nothing. See "States" in README.md */
export const releaseTransitions = {
  submit: { draft: 'pending_review', pending_review: 'pending_review', approved: 'no', published: 'no', yanked: 'no' },
  withdraw: { draft: 'draft', pending_review: 'draft', approved: 'draft', published: 'no', yanked: 'no' },
  reject: { draft: 'draft', pending_review: 'draft', approved: 'draft', published: 'no', yanked: 'no' },
  approve: { draft: 'no', pending_review: 'approved', approved: 'approved', published: 'published', yanked: 'no' },
  publish: { draft: 'no', pending_review: 'no', approved: 'published', published: 'published', yanked: 'no' },
  yank: { draft: 'no', pending_review: 'no', approved: 'no', published: 'yanked', yanked: 'yanked' },
} as const satisfies Record<string, Record<ReleaseStatus, ReleaseStatus | 'no'>>;
export type ReleaseTransition = keyof typeof releaseTransitions;

/** The state that the move leads to. @throws AppError release_state_conflict */
export function releaseStatusAfter(move: ReleaseTransition, status: ReleaseStatus): ReleaseStatus {
  const next = releaseTransitions[move][status];
  if (next === 'no') throw new AppError('release_state_conflict');
  return next;
}

/** Since when the release waits for an admin; undefined when it does not. */
export const releaseWaitingSince = ({ status, submittedAt, createdAt }: Pick<ReleaseRecord, 'status' | 'submittedAt' | 'createdAt'>) =>
  status === 'pending_review' ? (submittedAt ?? createdAt) : undefined;

/** Only a draft may be edited or deleted. @throws AppError release_state_conflict */
export function requireDraft({ status }: Pick<ReleaseRecord, 'status'>): void {
  if (status !== 'draft') throw new AppError('release_state_conflict');
}

export interface TransitionDetails {
  at: string;
  rolloutPercent?: number | undefined;
  reason?: string | undefined;
}

/**
 * The release after a move; the same one where it changes nothing. An approval that is to publish is an approval
 * followed by a publication.
 *
 * @throws AppError release_state_conflict
 */
export function releaseAfterTransition(
  release: ReleaseRecord,
  move: ReleaseTransition,
  { at, rolloutPercent, reason }: TransitionDetails,
): ReleaseRecord {
  const status = releaseStatusAfter(move, release.status);
  if (move === 'publish') return published(release, rolloutPercent ?? release.rolloutPercent ?? 100, at);
  if (status === release.status) return release;
  switch (move) {
    case 'submit':
      return { ...release, status, submittedAt: at, rejectionReason: undefined, rejectedAt: undefined };
    case 'reject':
      return { ...release, status, rejectionReason: reason, rejectedAt: at };
    case 'yank':
      return { ...release, status, yankedAt: at, yankReason: reason };
    default:
      return { ...release, status };
  }
}

/** At its first publication a release gets its time, which stays; later ones set how many get it, where they say so. */
function published(release: ReleaseRecord, rolloutPercent: number, at: string): ReleaseRecord {
  if (release.status === 'published' && release.rolloutPercent === rolloutPercent) return release;
  return { ...release, status: 'published', rolloutPercent, publishedAt: release.publishedAt ?? at };
}
