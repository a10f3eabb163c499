import type { address as addressEn, help as helpEn, purchase as purchaseEn, trouble as troubleEn } from './buyer-en.ts';

/** What keeps a page from going on, and what to do about it. */
export const trouble: typeof troubleEn = {
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

/** Where to turn from a page that has nothing more to offer. */
export const help: typeof helpEn = {
  title: 'お困りのとき',
  quote: 'このご購入についてお問い合わせの際は、注文番号をお知らせください。',
  contact: 'サービスの運営者',
  manage: '購入したものを確認する',
};

/** Where the link of a purchase was emailed to, and how to correct that. */
export const address: typeof addressEn = {
  sent: (address) => `${address} にリンクをお送りしました。`,
  toSend: (address) => `準備ができ次第、${address} にリンクをお送りします。`,
  unknown: 'このご注文のメールアドレスがわからないため、リンクをお送りできませんでした。',
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
export const purchase: typeof purchaseEn = {
  getFromFiles: '上のファイルをダウンロードして、インストールします。',
  getFromSite: '販売者のサイトからソフトウェアを入手して、インストールします。',
  getFromSupport: 'ソフトウェアの入手方法を、販売者にお問い合わせください。',
  site: 'ウェブサイト',
  buyAgain: '商品ページでもう一度購入する',
  lost: '支払いは、カード会社を通じて返還されました',
  lostText: '異議申し立てが認められたため、ライセンスは使えなくなりました。お心当たりがない場合は、販売者にお問い合わせください。',
  receipt: '領収書を表示・印刷',
  linkExpired: 'リンクの有効期限が切れたため、ダウンロードできませんでした。新しいリンクをお受け取りください。',
  linkEnded: 'このリンクは使えなくなりました',
  linkEndedText: '新しいリンクに置き換えられた可能性があります。ご購入の内容は残っていますので、新しいリンクをお受け取りください。',
};
