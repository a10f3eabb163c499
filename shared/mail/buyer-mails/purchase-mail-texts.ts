const en = {
  subject: (productName: string, isFree: boolean) => `${isFree ? 'Your license' : 'Your purchase'}: ${productName}`,
  greeting: (productName: string, isFree: boolean) =>
    `Thank you for ${isFree ? 'choosing' : 'buying'} ${productName}. Your order is complete.`,
  whatToDo: 'Open this link to see your license key and download your files.',
  boughtBefore: (at: string) =>
    `This product was bought with this address before, on ${at}. If you did not mean to buy it twice, please write to the support address.`,
  openPurchase: 'Open your order',
  linkLifetime: (hours: number) =>
    `The link works for ${hours} hours after this email was sent. If you open it later, you can have a new one sent to this address.`,
  /** For those whose mail program cuts the token off. */
  cutLink: 'If the page asks for your link, copy the whole link from this email, to its last character, and paste it there.',
  keepPrivate: "Anyone who has this link can see your license key, so please don't forward this email.",
  notForYou:
    "You're receiving this email because this address was given for the order. If that wasn't you, please tell the seller at the support address.",
  /** What the mail of an addition says in the place of the above: it leads to a receipt, and to no key. */
  addition: {
    greeting: (productName: string, added: string) => `Thank you for buying ${added} for ${productName}. Your order is complete.`,
    whatToDo: 'Open this link to see your receipt.',
    openReceipt: 'Open your receipt',
    keepPrivate: "Anyone who has this link can see your order, so please don't forward this email.",
    /** Where the license cannot be used now. */
    unusable:
      'The license that it was bought for cannot be used now. What you bought counts as soon as it can be used again. If you have questions, please write to the support address.',
  },
  facts: {
    product: 'Product',
    price: 'Price',
    quantity: 'Quantity',
    priceEach: 'Price each',
    total: 'Total',
    discount: 'Discount',
    takenOff: (amount: string) => `${amount}, taken off already`,
    free: 'Free',
    taxIncluded: (price: string) => `${price} (tax included)`,
    order: 'Order number',
    paidOn: 'Paid on',
    orderedOn: 'Ordered on',
    day: (at: Date, timeZone: string) =>
      `${new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone }).format(at)} (${timeZone === 'Asia/Tokyo' ? 'Japan time' : timeZone})`,
    seller: 'Seller',
    site: 'Website',
    support: 'Support',
  },
  links: {
    subject: (orders: number, productName: string) =>
      orders === 1 ? `Your new link: ${productName}` : `Your new links to ${orders} orders`,
    greeting: (orders: number) =>
      orders === 1
        ? 'Here is the new link you asked for, to your license key and files.'
        : `Here are the new links you asked for, to the license keys and files of your ${orders} orders.`,
    /** Where some of them are additions. */
    greetingOfOrders: (orders: number) =>
      orders === 1
        ? 'Here is the new link you asked for, to your order.'
        : `Here are the new links you asked for, to your ${orders} orders.`,
    last: (hours: number) =>
      `A link works for ${hours} hours after this email was sent. If you open it later, you can have a new one sent to this address.`,
    keepPrivate: "Anyone who has a link can see the license key behind it, so please don't forward this email.",
    notForYou:
      "You're receiving this email because someone entered this address to ask for new links. If that wasn't you, you can ignore this email.",
  },
};

const ja: typeof en = {
  subject: (productName, isFree) => `${isFree ? 'ライセンスのご案内' : 'ご購入ありがとうございます'}：${productName}`,
  greeting: (productName, isFree) =>
    isFree
      ? `「${productName}」をお選びいただき、ありがとうございます。ご注文が完了しました。`
      : `「${productName}」をお買い上げいただき、ありがとうございます。ご注文が完了しました。`,
  whatToDo: '次のリンクを開くと、ライセンスキーの確認とファイルのダウンロードができます。',
  boughtBefore: (at) =>
    `このメールアドレスでは、${at}にも同じ商品をご購入いただいています。二重のご購入にお心当たりがないときは、お問い合わせ先にご連絡ください。`,
  openPurchase: 'ご注文ページを開く',
  linkLifetime: (hours) =>
    `リンクの有効期間は、このメールの送信から${hours}時間です。期限が過ぎたあとは、リンク先のページで新しいリンクをこのメールアドレスに送信できます。`,
  cutLink: '開いたページでリンクの入力を求められたときは、このメールのリンクを最後までコピーして、そこに貼り付けてください。',
  keepPrivate: 'このリンクを知っている人は、だれでもライセンスキーを見られます。このメールをほかの人に転送しないでください。',
  notForYou:
    'このメールは、ご注文のメールアドレスとして入力されたアドレスにお送りしています。お心当たりがない場合は、販売者のお問い合わせ先にご連絡ください。',
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

/** The texts of the mail about one purchase, and of the mail with fresh links to all of them. */
export const purchaseMailTexts = { ja, en };
