import type { PurchaseMailTexts } from './purchase-mail-texts.ts';

export const ja: PurchaseMailTexts = {
  subject: (productName) => `ご購入ありがとうございます：${productName}`,
  resentSubject: (productName) => `ご購入ページの新しいリンク：${productName}`,
  greeting: (productName) => `「${productName}」をお買い上げいただき、ありがとうございます。ご注文が完了しました。`,
  resentGreeting: (productName) => `「${productName}」のご購入ページの新しいリンクをお送りします。`,
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
};
