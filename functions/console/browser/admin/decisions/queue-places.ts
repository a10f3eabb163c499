import type { ItemOf } from '../../api/reads.ts';

/** Something that waits for a decision. */
export type QueueItem = ItemOf<'listReviewQueue'>;

/** The screen on which it is decided. */
export function placeOf({
  kind,
  target_id,
  product_id = target_id,
  title,
}: Pick<QueueItem, 'kind' | 'target_id' | 'product_id' | 'title'>): string {
  if (kind === 'seller') return `/console/admin/sellers/${encodeURIComponent(target_id)}`;
  const product = `/console/admin/products/${encodeURIComponent(product_id)}`;
  return kind === 'release' ? `${product}/releases/${encodeURIComponent(title)}` : product;
}

/** What to decide on next: that which waits longest of what can be decided now, by who asks. */
export const nextOf = (items: readonly QueueItem[], decided: Pick<QueueItem, 'kind' | 'target_id'>): QueueItem | undefined =>
  items.find(({ kind, target_id, ready, own }) => ready && !own && !(kind === decided.kind && target_id === decided.target_id));
