import type { Locale } from '../locale.ts';

/** What an addition adds: seats, or days of updates. */
export interface AddedItem {
  kind: 'seats' | 'updates';
  quantity: number;
  /** By how many days one lengthens the updates. */
  updatesDays: number;
}

/** What the page on which an order is paid says of it: a name, and what stands below; nothing where there is nothing to say. */
export interface LineTexts {
  name: string;
  description: string;
}

/** What a line is made of. */
interface Sold {
  kind: 'license' | 'upgrade' | AddedItem['kind'];
  quantity: number;
  productName: string;
  productSummary: string;
  /** How many devices one license is for. */
  activationLimit: number;
  updatesDays: number;
}

/** What an addition adds, as it stands behind the product's name. */
export function describeAdded({ kind, quantity, updatesDays }: AddedItem, locale: Locale): string {
  if (kind === 'seats') return locale === 'ja' ? `${quantity} 追加席` : `${quantity} ${quantity === 1 ? 'seat' : 'seats'}`;
  return locale === 'ja' ? `アップデート ${updatesDays}日分` : `${updatesDays} ${updatesDays === 1 ? 'day' : 'days'} of updates`;
}

/** In which language `describeAdded` said something. */
export const languageOfDescription = (words: string): Locale => (/[\p{Script=Han}\p{Script=Katakana}]/u.test(words) ? 'ja' : 'en');

/** The line of an order on the provider's page, which shows quantity and the price of one itself. */
export function lineOf(sold: Sold, locale: Locale): LineTexts {
  const { kind, quantity, productName, productSummary, activationLimit, updatesDays } = sold;
  const isJa = locale === 'ja';
  if (kind === 'seats' || kind === 'updates') {
    const name = `${productName}: ${describeAdded({ kind, quantity, updatesDays }, locale)}`;
    return { name, description: additionNotes[kind](quantity)[locale] };
  }
  const seats = isJa
    ? `${quantity} × ${activationLimit} 席`
    : `${quantity} × ${activationLimit} ${activationLimit === 1 ? 'seat' : 'seats'}`;
  const said = [
    kind === 'upgrade' && (isJa ? 'アップグレード（新しいライセンスキー）' : 'Upgrade, with a new license key'),
    quantity > 1 && (isJa ? `${seats}（ライセンスキー 1 つ）` : `${seats}, one license key`),
    productSummary,
  ];
  return { name: productName, description: said.filter(Boolean).join(isJa ? '。' : '. ') };
}

/** What an addition is to the license; that the number in the name is not multiplied once more. */
const additionNotes = {
  seats: (quantity: number) => ({
    ja: `合計 ${quantity} 席を、お持ちのライセンスに追加します。`,
    en: `${quantity} in all, added to the license that you have.`,
  }),
  updates: () => ({
    ja: 'お持ちのライセンスのアップデート期間を延長します。',
    en: 'Lengthens the updates of the license that you have.',
  }),
};
