import type { PurchaseMailTexts } from './purchase-mail-texts.ts';

export const ja: PurchaseMailTexts = {
  subject: (productName) => `ご購入ありがとうございます：${productName}`,
  greeting: (productName) => `「${productName}」をお買い上げいただき、ありがとうございます。ご注文が完了しました。`,
  whatToDo: '次のリンクを開くと、ライセンスキーの確認とファイルのダウンロードができます。',
  openPurchase: 'ご購入ページを開く',
  copyInstead: 'ボタンで開けないときは、次のアドレスをブラウザーに貼り付けてください。',
  lasts: (hours) =>
    `リンクの有効期間は、このメールの送信から${hours}時間です。期限が過ぎたあとにリンクを開くと、新しいリンクをこのメールアドレスにお送りできます。`,
  keepPrivate: 'このリンクを知っている人は、だれでもライセンスキーを見られます。ほかの人に転送しないでください。',
  product: '商品',
  seller: '販売者',
  support: 'お問い合わせ先',
  notYou:
    'このメールは、購入時に入力されたメールアドレスにお送りしています。お心当たりがないときは、販売者のお問い合わせ先にご連絡ください。',
  links: {
    subject: (purchases, productName) =>
      purchases === 1 ? `ご購入ページの新しいリンク：${productName}` : `ご購入ページの新しいリンク（${purchases}件）`,
    greeting: (purchases) =>
      purchases === 1
        ? 'ライセンスキーの確認とファイルのダウンロードができる、新しいリンクをお送りします。'
        : `ライセンスキーの確認とファイルのダウンロードができる、${purchases}件のご購入の新しいリンクをお送りします。`,
    boughtOn: 'ご購入日',
    last: (hours) =>
      `リンクの有効期間は、このメールの送信から${hours}時間です。期限が過ぎたあとにリンクを開くと、新しいリンクをこのメールアドレスにお送りできます。`,
    keepPrivate: 'リンクを知っている人は、だれでもライセンスキーを見られます。このメールをほかの人に転送しないでください。',
    notYou:
      'このメールは、新しいリンクの請求にこのメールアドレスが入力されたためお送りしています。お心当たりがないときは、そのままで問題ありません。',
  },
};
