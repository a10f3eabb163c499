import { notDone } from '../../words/not-done.ts';

const en = {
  groups: {
    offer: 'What is sold',
    price: 'Price, support and refunds',
    law: 'What the law wants (Japan)',
    license: 'License',
    more: 'More than one, and more later',
  },
  lawHint: 'Shown on the page of the product. Left empty, it says that they are told on request.',
  label: { ja: 'Japanese', en: 'English' },
  labelOf: (feature: string, language: string) => `${feature} in ${language}`,
  seat: 'Price of another device',
  unsold: 'Empty: not sold.',
  moreUpdates: 'Price of more updates',
  moreUpdatesHint: 'For as many days as after the sale. Empty: not sold.',
  create: 'Create draft',
  notCreated: notDone('The product was not created.'),
  waits: 'This product is on sale. What you save is shown to buyers once it is handed in and approved.',
};

const ja: typeof en = {
  groups: {
    offer: '販売するもの',
    price: '価格・サポート・返金',
    law: '特定商取引法に基づく表記',
    license: 'ライセンス',
    more: '複数購入・追加・アップグレード',
  },
  lawHint: '商品ページに表示されます。空欄の場合は「ご請求があれば遅滞なく開示します」と表示されます。',
  label: { ja: '日本語', en: '英語' },
  labelOf: (feature, language) => `${feature}（${language}）`,
  seat: '追加1台の価格',
  unsold: '空欄の場合は販売しません。',
  moreUpdates: 'アップデート延長の価格',
  moreUpdatesHint: '延長は上の期間の分です。空欄の場合は販売しません。',
  create: '下書きを作成',
  notCreated: '商品は作成されませんでした。',
  waits: 'この商品は公開中です。保存した変更は、審査で承認されてから購入者に表示されます。',
};

export const texts = LANGUAGE === 'ja' ? ja : en;
