import type * as en from './purchase-en.ts';

/** What keeps a page from going on, and what to do about it. */
export const trouble: typeof en.trouble = {
  offline: 'オフラインです',
  offlineText: '通信環境をご確認ください。',
  offlineRetry: 'オフラインです。通信環境を確認して、もう一度お試しください。',
  unreachableRetry: 'サービスに接続できませんでした。通信環境を確認して、もう一度お試しください。',
  tooManyText: (time) => `お使いのネットワークからのアクセスが集中しています。${time}ほどで、また使えるようになります。`,
  tooManyRetry: (time) => `お使いのネットワークからのアクセスが集中しています。${time}ほどしてから、もう一度お試しください。`,
  unavailableRetry: '必要なサービスが応答していません。数分後にもう一度お試しください。',
  failedText: 'お客様の操作によるものではありません。ご購入の内容が失われることはありません。',
  failedRetry: 'サービス側で問題が発生しました。1分ほどしてから、もう一度お試しください。',
  requestNumber: (id) => `受付番号：${id}`,
  goesOn: '自動で接続を続けています。ご購入の内容が失われることはありません。',
  linkEnded: 'リンクが使えなくなったため、実行できませんでした。下のフォームから新しいリンクをお受け取りください。',
};

/** What a page asks for that was opened without the whole link. */
export const pastedLink: typeof en.pastedLink = {
  title: 'リンクが途中で切れていませんか',
  text: 'メールソフトによっては、リンクが「#」の前で切れることがあります。メールのリンクを最後までコピーして、ここに貼り付けてください。',
  label: 'メールのリンク',
  invalid: 'リンクを最後まで貼り付けてください。「#token=」のあとに長い英数字が続きます。',
  open: 'ご注文ページを開く',
};

/** Where to turn from a page that has nothing more to offer. */
export const help: typeof en.help = {
  title: 'お困りのとき',
  quote: 'このご購入についてお問い合わせの際は、注文番号をお知らせください。',
  contact: 'サービスの運営者',
  manage: '購入したものを確認する',
};

/** Where the link of a purchase was emailed to, and how to correct that. */
export const address: typeof en.address = {
  sent: (address) => `${address} にリンクをお送りしました。`,
  toSend: (address) => `準備ができ次第、${address} にリンクをお送りします。`,
  unknown: 'このご注文のメールアドレスがわからないため、リンクをお送りできませんでした。',
  unreachable: (address) => `${address} はメールの届かないアドレスのため、リンクをお送りできませんでした。アドレスを訂正してください。`,
  likely: (address) => `アドレスは ${address} ではありませんか？`,
  propose: 'このアドレスに訂正する',
  wrong: 'アドレスが違うときは、訂正できます',
  add: 'メールアドレスを登録する',
  hint: '訂正は1回だけできます。リンクは新しいアドレスに届き、これまでにお送りしたリンクは使えなくなります。',
  email: '正しいメールアドレス',
  send: 'このアドレスにリンクを送る',
  done: '新しいアドレスにリンクをお送りします。迷惑メールのフォルダーもご確認ください。',
  already: 'アドレスはすでに1回訂正されています。販売者のお問い合わせ先にご連絡ください。',
  notUsable: '返金済み、または支払いに異議申し立て中のため、アドレスは変更できません。販売者のお問い合わせ先にご連絡ください。',
  linkInvalid: 'アドレスを訂正できるのは、お支払いの直後に開いたページだけです。販売者のお問い合わせ先にご連絡ください。',
};

/** The rest of what the completion page says about a purchase. */
export const purchase: typeof en.purchase = {
  getFromFiles: '上のファイルをダウンロードして、インストールします。',
  getFromSite: '販売者のサイトからソフトウェアを入手して、インストールします。',
  getFromSupport: 'ソフトウェアの入手方法を、販売者にお問い合わせください。',
  site: 'ウェブサイト',
  buyAgain: '商品ページでもう一度購入する',
  lost: '支払いは、カード会社を通じて返還されました',
  lostText: '異議申し立てが認められたため、ライセンスは使えなくなりました。お心当たりがない場合は、販売者にお問い合わせください。',
  boughtBefore: {
    title: '二重のご購入ではありませんか',
    text: (time) => `同じメールアドレスで、${time}にもこの商品をご購入いただいています。`,
    support: '誤って購入されたときは、次のお問い合わせ先にご連絡ください。',
  },
  held: {
    title: 'このアップグレードは一時停止中です',
    refunded: {
      text: 'アップグレード元のご購入が返金されたため、アップグレードのキーは現在使えません。',
      paid: 'アップグレードの代金は{amount}です。この返金には含まれていません。',
    },
    disputed: {
      text: 'アップグレード元のご購入のお支払いに、カード会社を通じた異議申し立てがあるため、アップグレードのキーは現在使えません。異議申し立てが認められなかったときは、再び使えるようになります。',
      paid: 'アップグレードの代金は{amount}です。この異議申し立ての対象ではありません。',
    },
    support: 'アップグレードの返金のご相談やご質問は、次のお問い合わせ先にご連絡ください。',
  },
  receipt: '領収書を表示・印刷',
  linkExpired: 'リンクの有効期限が切れたため、ダウンロードできませんでした。新しいリンクをお受け取りください。',
  linkEnded: 'このリンクは使えなくなりました',
  linkEndedText: '新しいリンクに置き換えられた可能性があります。ご購入の内容は残っていますので、新しいリンクをお受け取りください。',
};

/** What the completion page says in Japanese about devices. */
export const devices: typeof en.devices = {
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
export const replaceKey: typeof en.replaceKey = {
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

/** What the page under the fixed address says in Japanese. */
export const manage: typeof en.manage = {
  title: '購入したものを確認する',
  lead: '購入時に入力したメールアドレスを入力してください。そのアドレスで購入したものそれぞれへのリンクを、メールでお送りします。',
  invalid: 'name@example.com のような形で、メールアドレスを入力してください。',
  error: 'エラー',
  send: 'リンクをメールで受け取る',
  gains: 'リンク先でできること',
  gainsList: [
    'ライセンスキーの確認とコピー',
    'ファイルのダウンロード',
    'ライセンスを使用中の端末の確認と、手元にない端末の解除',
    '漏れてしまったキーの再発行',
    '領収書の印刷',
  ],
  sent: 'メールをご確認ください',
  sentText: (hours) => `このアドレスでのご購入があれば、リンクをメールでお送りします。リンクは${hours}時間使えます。`,
  sentHints: [
    '数分たっても届かないときは、迷惑メールのフォルダーもご確認ください。',
    '別のアドレスで購入された可能性もあります。そのアドレスでもお試しください。',
    '1つのアドレスにお送りするのは、1時間に3通までです。',
  ],
  again: '別のアドレスで試す',
  stuck: '解決しないとき',
  askSeller: '販売者にお問い合わせください。お問い合わせ先は、購入時のメールと商品ページに記載されています。',
};
