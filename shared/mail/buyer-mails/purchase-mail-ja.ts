import type { PurchaseMailTexts } from './purchase-mail-texts.ts';

export const ja: PurchaseMailTexts = {
  subject: (productName, isFree) => `${isFree ? 'ライセンスのご案内' : 'ご購入ありがとうございます'}：${productName}`,
  greeting: (productName, isFree) =>
    isFree
      ? `「${productName}」をお選びいただき、ありがとうございます。ご注文が完了しました。`
      : `「${productName}」をお買い上げいただき、ありがとうございます。ご注文が完了しました。`,
  whatToDo: '次のリンクを開くと、ライセンスキーの確認とファイルのダウンロードができます。',
  openPurchase: 'ご注文ページを開く',
  linkLifetime: (hours) =>
    `リンクの有効期間は、このメールの送信から${hours}時間です。期限が過ぎたあとは、リンク先のページで新しいリンクをこのメールアドレスに送信できます。`,
  keepPrivate: 'このリンクを知っている人は、だれでもライセンスキーを見られます。このメールをほかの人に転送しないでください。',
  notForYou:
    'このメールは、ご注文時に入力されたメールアドレスにお送りしています。お心当たりがない場合は、販売者のお問い合わせ先にご連絡ください。',
  addition: {
    greeting: (productName, added) =>
      `「${productName}」への追加（${added}）をお買い上げいただき、ありがとうございます。ご注文が完了しました。`,
    whatToDo: '次のリンクを開くと、領収書を確認できます。',
    openReceipt: '領収書を開く',
    keepPrivate: 'このリンクを知っている人は、だれでもご注文の内容を見られます。このメールをほかの人に転送しないでください。',
    unusable:
      '追加先のライセンスは、現在お使いになれない状態です。再びお使いになれるようになると、お買い上げの内容が反映されます。ご不明な点は、お問い合わせ先にご連絡ください。',
  },
  facts: {
    product: '商品',
    price: '価格',
    quantity: '数量',
    priceEach: '単価',
    total: '合計',
    discount: '割引',
    takenOff: (amount) => `${amount}（差し引き済み）`,
    free: '無料',
    taxIncluded: (price) => `${price}（税込）`,
    order: '注文番号',
    paidOn: 'お支払い日',
    orderedOn: 'ご注文日',
    day: (at, timeZone) =>
      `${new Intl.DateTimeFormat('ja', { dateStyle: 'long', timeZone }).format(at)}${timeZone === 'Asia/Tokyo' ? '' : `（${timeZone}）`}`,
    seller: '販売者',
    site: 'ウェブサイト',
    support: 'お問い合わせ先',
  },
  links: {
    subject: (orders, productName) =>
      orders === 1 ? `ご注文ページの新しいリンク：${productName}` : `ご注文ページの新しいリンク（${orders}件）`,
    greeting: (orders) =>
      orders === 1
        ? 'ライセンスキーの確認とファイルのダウンロードができる、新しいリンクをお送りします。'
        : `ライセンスキーの確認とファイルのダウンロードができる、${orders}件のご注文の新しいリンクをお送りします。`,
    greetingOfOrders: (orders) =>
      orders === 1 ? 'ご注文の新しいリンクをお送りします。' : `${orders}件のご注文の新しいリンクをお送りします。`,
    last: (hours) =>
      `リンクの有効期間は、このメールの送信から${hours}時間です。期限が過ぎたあとは、リンク先のページで新しいリンクをこのメールアドレスに送信できます。`,
    keepPrivate: 'リンクを知っている人は、だれでもライセンスキーを見られます。このメールをほかの人に転送しないでください。',
    notForYou:
      'このメールは、新しいリンクの送信先としてこのメールアドレスが入力されたためお送りしています。お心当たりがない場合は、このメールを破棄してください。',
  },
};
