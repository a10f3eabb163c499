import type { addition as additionEn, choice as choiceEn, offers as offersEn } from './order-en.ts';

/** What is said where a buyer chooses how many, or has a discount code. */
export const choice: typeof choiceEn = {
  quantityHint: (most) => `1から${most}まで`,
  code: '割引コード',
  change: '合計を更新する',
  changeTitle: '数量・割引コード',
  formerPrice: '割引前の価格：',
  badQuantity: (most) => `数量は1から${most}までの整数で入力してください。下の内容は数量1です。`,
  badTotal: '一度にお支払いいただける金額を超えています。下の内容は数量1です。',
  badCode: 'この割引コードは、現在この商品には使えません。下の金額は割引前のものです。',
  codeLimited:
    'お使いのネットワークからの割引コードの確認が集中しています。下の金額は割引前のものです。1分ほどしてから、もう一度お試しください。',
  unitPrice: '単価',
  discount: '割引',
  discountBy: (amount, code) => `${amount}（コード ${code}）`,
  ownersPayLess: '対象の商品をお持ちの方は、割安で購入できる場合があります。',
  findMine: 'ご注文ページからアップグレードする',
  registrationNumber: '登録番号（インボイス）',
};

/** What can be bought for a license, on the page of its purchase. */
export const offers: typeof offersEn = {
  title: 'このライセンスに追加する',
  text: '次に開く決済サービス（Stripe）のページで、カードでお支払いいただきます。お支払いの方には領収書をお出しします。',
  seats: '端末の追加',
  seatPrice: (price) => `1台につき${price}（税込）。キーは変わりません。`,
  seatsLabel: '追加する台数',
  seatsInvalid: '1から100までの整数で入力してください。',
  total: '合計（税込）',
  updates: 'アップデートの延長',
  updatesText: (days) => `アップデートの期間を${days}延長します（現在の期限から。期限を過ぎているときはお支払いの日から）。`,
  upgrade: (product) => `${product}へのアップグレード`,
  upgradeSeats: (seats, own) => `${seats}で使えます（現在のライセンスは${own}）。`,
  devices: { one: '1台', many: (count) => `${count}台` },
  upgradeText: '新しいキーをお渡しします。現在のライセンスはそのまま使えます。追加した台数や、販売者が変更した上限は引き継がれません。',
  terms: '商品の条件',
  buy: '手続きへ進む',
  notUsable: 'ライセンスが現在使えないため、追加できません。販売者にお問い合わせください。',
  notOffered: 'このライセンスには、現在提供していません。',
  already: 'このライセンスは、すでにこの商品へアップグレードされています。',
  priceChanged: '価格が変更されました。新しい合計をご確認のうえ、もう一度押してください。',
  tooMany: 'このライセンスに追加できる上限を超えています。少なくしてお試しください。',
};

/** What was bought for a license, on the page of whoever paid. */
export const addition: typeof additionEn = {
  thanks: 'ありがとうございます。お支払いを確認しました。',
  added: 'ライセンスに追加したもの',
  text: '追加した内容は、ライセンスに反映されています。キーと端末は、ライセンスのご注文ページで確認できます。',
  refundedText: '全額を返金したため、ライセンスに追加した内容は無効になりました。',
  disputedText: '異議申し立てが続いている間、ライセンスに追加した内容は無効です。',
  lostText: 'ライセンスに追加した内容は無効になりました。',
  toLicense: 'ライセンスのページに戻る',
};
