import { expect, test } from '@jest/globals';
import { lineOf } from '../../../shared/text/addition-words.ts';

type Sold = Parameters<typeof lineOf>[0];
const sold: Sold = {
  kind: 'license',
  quantity: 1,
  productName: 'Photo 写真',
  productSummary: 'Edits photos.',
  activationLimit: 2,
  updatesDays: 365,
};

test.each<[Partial<Sold>, en: string, ja: string]>([
  [{}, 'Photo 写真 | Edits photos.', 'Photo 写真 | Edits photos.'],
  [{ productSummary: '' }, 'Photo 写真 | ', 'Photo 写真 | '],
  [
    { quantity: 3 },
    'Photo 写真 | 3 × 2 seats, one license key. Edits photos.',
    'Photo 写真 | 3 × 2 席（ライセンスキー 1 つ）。Edits photos.',
  ],
  [
    { quantity: 3, activationLimit: 1, productSummary: '' },
    'Photo 写真 | 3 × 1 seat, one license key',
    'Photo 写真 | 3 × 1 席（ライセンスキー 1 つ）',
  ],
  [
    { kind: 'seats', quantity: 3 },
    'Photo 写真: 3 seats | 3 in all, added to the license that you have.',
    'Photo 写真: 3 追加席 | 合計 3 席を、お持ちのライセンスに追加します。',
  ],
  [
    { kind: 'updates' },
    'Photo 写真: 365 days of updates | Lengthens the updates of the license that you have.',
    'Photo 写真: アップデート 365日分 | お持ちのライセンスのアップデート期間を延長します。',
  ],
  [
    { kind: 'upgrade', quantity: 2 },
    'Photo 写真 | Upgrade, with a new license key. 2 × 2 seats, one license key. Edits photos.',
    'Photo 写真 | アップグレード（新しいライセンスキー）。2 × 2 席（ライセンスキー 1 つ）。Edits photos.',
  ],
])('the page on which an order of %j is paid says of it: %s', (changes, en, ja) => {
  const lineIn = (locale: 'en' | 'ja') => {
    const { name, description } = lineOf({ ...sold, ...changes }, locale);
    return `${name} | ${description}`;
  };
  expect([lineIn('en'), lineIn('ja')]).toEqual([en, ja]);
});
