import { describe, expect, test } from '@jest/globals';
import { lineOf } from '../../../shared/text/addition-words.ts';

const line = (kind: Parameters<typeof lineOf>[0]['kind'], quantity: number, change = {}) => {
  const sold = {
    kind,
    quantity,
    productName: 'Photo 写真',
    productSummary: 'Edits photos.',
    activationLimit: 2,
    updatesDays: 365,
    ...change,
  };
  return [lineOf(sold, 'en'), lineOf(sold, 'ja')].map(({ name, description }) => [name, description]);
};

describe('what the page on which an order is paid says of it', () => {
  test('one license is the product', () => {
    expect(line('license', 1)).toEqual([
      ['Photo 写真', 'Edits photos.'],
      ['Photo 写真', 'Edits photos.'],
    ]);
    expect(line('license', 1, { productSummary: '' })[0]).toEqual(['Photo 写真', '']);
  });

  test('several are one key for so many seats', () => {
    expect(line('license', 3)).toEqual([
      ['Photo 写真', '3 × 2 seats, one license key. Edits photos.'],
      ['Photo 写真', '3 × 2 席（ライセンスキー 1 つ）。Edits photos.'],
    ]);
    expect(line('license', 3, { activationLimit: 1, productSummary: '' })[0]).toEqual(['Photo 写真', '3 × 1 seat, one license key']);
  });

  test('an addition is named by what it adds, and says to what', () => {
    expect(line('seats', 3)).toEqual([
      ['Photo 写真: 3 seats', '3 in all, added to the license that you have.'],
      ['Photo 写真: 3 追加席', '合計 3 席を、お持ちのライセンスに追加します。'],
    ]);
    expect(line('updates', 1)).toEqual([
      ['Photo 写真: 365 days of updates', 'Lengthens the updates of the license that you have.'],
      ['Photo 写真: アップデート 365日分', 'お持ちのライセンスのアップデート期間を延長します。'],
    ]);
  });

  test('an upgrade is said to be one', () => {
    expect(line('upgrade', 2)).toEqual([
      ['Photo 写真', 'Upgrade, with a new license key. 2 × 2 seats, one license key. Edits photos.'],
      ['Photo 写真', 'アップグレード（新しいライセンスキー）。2 × 2 席（ライセンスキー 1 つ）。Edits photos.'],
    ]);
  });
});
