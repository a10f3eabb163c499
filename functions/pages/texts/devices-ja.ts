import type { devices as devicesEn, replaceKey as replaceKeyEn } from './devices-en.ts';

/** What the completion page says in Japanese about devices. */
export const devices: typeof devicesEn = {
  title: '端末',
  loading: '端末の一覧を読み込んでいます…',
  none: 'このライセンスを使用中の端末はまだありません。',
  unnamed: (id) => `名前のない端末（${id}）`,
  since: (date) => `${date} から使用中`,
  more: 'さらに表示',
  release: '解除する',
  releaseName: (device) => `${device} を解除する`,
  ask: (device) => `${device} を解除しますか？`,
  askText: 'すぐに別の端末で使えるようになります。解除した端末のアプリは、次にライセンスを確認するときに、もう一度キーの入力を求めます。',
  confirm: '解除する',
  cancel: 'キャンセル',
  working: '解除しています…',
  released: (device) => `${device} を解除しました。`,
  movesLeft: (count) => `このページで30日以内に解除できる残りの台数：${count}台`,
  noMoves: '現在、このページではこれ以上解除できません。',
  nextMove: (date) => `${date} 以降に、もう1台解除できます。`,
  neverMoves: 'このページでは端末を解除できません。アプリでライセンスを解除するか、販売者にお問い合わせください。',
  notAllowed: 'このライセンスの条件では、端末を解除できません。販売者にお問い合わせください。',
  notFound: 'この端末はもう一覧にありません。',
};

/** What it says about replacing a key. */
export const replaceKey: typeof replaceKeyEn = {
  title: 'キーがほかの人に知られてしまったとき',
  text: '新しいキーに交換できます。その前に、次の点をご確認ください。',
  warnings: [
    '古いキーはすぐに使えなくなり、元に戻すことはできません。',
    'すべての端末で、新しいキーを入力し直す必要があります。',
    '交換できるのは30日に1回です。',
  ],
  start: 'キーを交換する',
  ask: 'キーを交換しますか？',
  askText: '古いキーは、すべての端末で使えなくなります。',
  confirm: '交換する',
  working: 'キーを交換しています…',
  done: 'キーを交換しました。古いキーは使えません。新しいキーを端末に入力してください。',
  notHere: 'この商品のキーは、ここでは交換できません。販売者のお問い合わせ先にご連絡ください。',
  exhausted: '30日以内にキーを交換済みです。販売者のお問い合わせ先にご連絡ください。',
  notUsable: 'キーを交換できるのは、ライセンスが有効な間だけです。',
};
