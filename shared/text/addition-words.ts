import type { Locale } from '../locale.ts';

/** What an addition adds: seats, or days of updates. */
export interface Added {
  kind: 'seats' | 'updates';
  quantity: number;
  /** By how many days one lengthens the updates. */
  updatesDays: number;
}

/** What an addition adds, as it stands behind the product's name. */
export function addedInWords({ kind, quantity, updatesDays }: Added, locale: Locale): string {
  if (kind === 'seats') return locale === 'ja' ? `${quantity} 追加席` : `${quantity} ${quantity === 1 ? 'seat' : 'seats'}`;
  return locale === 'ja' ? `アップデート ${updatesDays}日分` : `${updatesDays} ${updatesDays === 1 ? 'day' : 'days'} of updates`;
}
