import type { ItemOf } from '../../api/reads.ts';

/** A release as admins see it. */
export type ReviewedRelease = ItemOf<'listReleasesForReview'>;

/** What a release is compared with: that of the product which was published last before it; undefined for the first. */
export function previousRelease(
  { id, published_at: before = '9' }: Pick<ReviewedRelease, 'id' | 'published_at'>,
  published: readonly ReviewedRelease[],
): ReviewedRelease | undefined {
  const timeOf = ({ published_at = '' }: ReviewedRelease) => published_at;
  const earlier = published.filter((release) => release.id !== id && timeOf(release) !== '' && timeOf(release) < before);
  return earlier.toSorted((a, b) => (timeOf(a) < timeOf(b) ? 1 : -1))[0];
}
