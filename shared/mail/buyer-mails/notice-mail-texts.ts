import type { Locale } from '../../locale.ts';
import type { NoticeKind } from '../outbox/mail.ts';

/** What a notice says beside the facts. */
export interface NoticeTexts {
  subject(productName: string): string;
  /** `more`: what was added, or the product that it was upgraded to. */
  event(productName: string, more: string): string;
  /** What the amount of the order is called, where it is told. */
  amountName?: string;
  /** What follows from it for the buyer. */
  meaning: string;
  /** The same where the order only added to a license, which may be somebody else's. */
  meaningOfAddition?: string;
  /** Leads to the page that mails fresh links; a notice without it has no link at all. */
  link?: { why: string; label: string };
  notByYou: string;
}

export interface NoticeMailTexts {
  notices: Record<NoticeKind, NoticeTexts>;
  device: string;
  unnamedDevice: string;
  /** How many seats the license has with the addition, or without it again. */
  seatsInAll: string;
  updatesUntil: string;
  at: string;
}

const en: NoticeMailTexts = {
  notices: {
    device_released: {
      subject: (productName) => `A device was released: ${productName}`,
      event: (productName) => `A device was released from your license for ${productName}.`,
      meaning:
        'Its place is free for another device. To use the software on the released device again, enter your license key there. Only a few devices can be released within 30 days; your purchase page shows how many releases are left.',
      link: { why: 'To see your devices, get a link to your purchase page here:', label: 'Get a link to your purchase' },
      notByYou: 'If you did not release it, someone else can open your purchase page. Please write to the support address.',
    },
    key_replaced: {
      subject: (productName) => `Your license key was replaced: ${productName}`,
      event: (productName) => `Your license key for ${productName} was replaced.`,
      meaning:
        'The old key no longer works, and no device is active any more. Your new key is on your purchase page: enter it in the software on each of your devices.',
      link: { why: 'Get a link to your purchase page here:', label: 'Get a link to your purchase' },
      notByYou: 'If you did not replace it, someone else can open your purchase page. Please write to the support address.',
    },
    address_corrected: {
      subject: (productName) => `The email address of an order was changed: ${productName}`,
      event: (productName) => `The email address of an order for ${productName} was changed. It is no longer this one.`,
      meaning: 'Links to the purchase that were sent to this address no longer work, and no new ones will be sent here.',
      notByYou:
        'If you bought it and did not change the address, please write to the support address. If you bought nothing, this address was given by mistake, and you do not need to do anything.',
    },
    payment_refunded: {
      subject: (productName) => `Your purchase was refunded: ${productName}`,
      event: (productName) => `The full amount of your order for ${productName} was refunded.`,
      amountName: 'Refunded',
      meaning:
        'The money goes back the way you paid; until it shows there, a few days may pass. The license of this order has ended: its key no longer works, and its files can no longer be downloaded. To go on using the software, please buy it again.',
      meaningOfAddition:
        'The money goes back the way you paid; until it shows there, a few days may pass. What it paid for is no longer part of the license that it was added to.',
      notByYou: 'If you did not expect a refund, please write to the support address.',
    },
    dispute_lost: {
      subject: (productName) => `The dispute of your payment was decided: ${productName}`,
      event: (productName) => `The dispute of your payment for ${productName} was decided in the cardholder’s favour.`,
      amountName: 'Amount',
      meaning:
        'The card issuer pays the disputed money back. The license of this order has ended: its key no longer works, and its files can no longer be downloaded. To go on using the software, please buy it again.',
      meaningOfAddition:
        'The card issuer pays the disputed money back. What it paid for is no longer part of the license that it was added to.',
      notByYou: 'If you know of no dispute, please ask your card issuer, or write to the support address.',
    },
    addition_counts: {
      subject: (productName) => `More for your license: ${productName}`,
      event: (productName, added) => `Added to your license for ${productName}: ${added}.`,
      meaning: 'Your license key stays the same, and there is nothing that you need to do.',
      notByYou: 'If you do not know who paid for it, someone else can open your purchase page. Please write to the support address.',
    },
    addition_ends: {
      subject: (productName) => `Less for your license: ${productName}`,
      event: (productName, added) => `No longer part of your license for ${productName}: ${added}.`,
      meaning:
        'What was paid for it went back, or the payment is disputed; if a dispute ends in the seller’s favour, it counts again. Your license key stays the same, and devices that are active stay active.',
      notByYou: 'If you have questions, please write to the support address.',
    },
    license_upgraded: {
      subject: (productName) => `Your license was upgraded: ${productName}`,
      event: (productName, upgraded) => `Your license for ${productName} was upgraded to ${upgraded}.`,
      meaning:
        'The upgrade has a license key of its own; the link to it was mailed to whoever paid for the upgrade. Your license for the product that you have stays usable.',
      notByYou: 'If you do not know who upgraded it, someone else can open your purchase page. Please write to the support address.',
    },
    upgrade_held_refunded: {
      subject: (productName) => `Your upgrade is on hold: ${productName}`,
      event: (productName) => `Your upgrade to ${productName} is on hold.`,
      amountName: 'Amount paid',
      meaning:
        'The purchase that it was upgraded from was refunded, and an upgrade works only together with that purchase: its license key does not work now. Nothing of what was paid for the upgrade came back with that refund. To have it refunded, or if you think that this is a mistake, please write to the support address.',
      notByYou: 'If you know of no refund, please write to the support address.',
    },
    upgrade_held_disputed: {
      subject: (productName) => `Your upgrade is on hold: ${productName}`,
      event: (productName) => `Your upgrade to ${productName} is on hold.`,
      amountName: 'Amount paid',
      meaning:
        'The payment of the purchase that it was upgraded from is disputed with the card issuer, and an upgrade works only together with that purchase: its license key does not work now. It works again if the dispute ends in the seller’s favour. What was paid for the upgrade itself is not part of that dispute. If you have questions, please write to the support address.',
      notByYou: 'If you know of no dispute, please ask your card issuer, or write to the support address.',
    },
  },
  device: 'Device',
  unnamedDevice: 'without a name',
  seatsInAll: 'Seats in all',
  updatesUntil: 'Updates until',
  at: 'Time',
};

const ja: NoticeMailTexts = {
  notices: {
    device_released: {
      subject: (productName) => `端末の登録を解除しました：${productName}`,
      event: (productName) => `「${productName}」のライセンスから、端末1台の登録を解除しました。`,
      meaning:
        '空いた分は、ほかの端末で使えます。解除した端末でもう一度使うときは、ライセンスキーを入力してください。30日間に解除できる台数には限りがあります。残りの回数は、ご注文ページで確認できます。',
      link: { why: '端末を確認するには、次のページでご注文ページへのリンクをお受け取りください。', label: 'リンクを受け取る' },
      notByYou: 'お心当たりがないときは、ほかの人がご注文ページを開ける状態になっています。お問い合わせ先にご連絡ください。',
    },
    key_replaced: {
      subject: (productName) => `ライセンスキーを交換しました：${productName}`,
      event: (productName) => `「${productName}」のライセンスキーを交換しました。`,
      meaning:
        '以前のキーは使えなくなり、すべての端末の登録が解除されました。新しいキーはご注文ページにあります。お使いになる端末のソフトウェアに、新しいキーを入力してください。',
      link: { why: '次のページで、ご注文ページへのリンクをお受け取りください。', label: 'リンクを受け取る' },
      notByYou: 'お心当たりがないときは、ほかの人がご注文ページを開ける状態になっています。お問い合わせ先にご連絡ください。',
    },
    address_corrected: {
      subject: (productName) => `ご注文のメールアドレスが変更されました：${productName}`,
      event: (productName) => `「${productName}」のご注文のメールアドレスが、このアドレスから別のアドレスに変更されました。`,
      meaning:
        'このアドレスにお送りしたご注文ページへのリンクは使えなくなりました。今後、新しいリンクがこのアドレスに届くことはありません。',
      notByYou:
        'ご購入されたご本人で、変更にお心当たりがないときは、お問い合わせ先にご連絡ください。購入した覚えがないときは、誤ってこのアドレスが入力されたものです。そのままで問題ありません。',
    },
    payment_refunded: {
      subject: (productName) => `返金のお知らせ：${productName}`,
      event: (productName) => `「${productName}」のご注文の代金を、全額返金しました。`,
      amountName: '返金額',
      meaning:
        '返金は、お支払いに使われた方法で行われます。ご利用明細に反映されるまで、数日かかることがあります。返金にともない、このご注文のライセンスは終了しました。ライセンスキーは使えなくなり、ファイルもダウンロードできません。引き続きお使いになるには、改めてご購入ください。',
      meaningOfAddition:
        '返金は、お支払いに使われた方法で行われます。ご利用明細に反映されるまで、数日かかることがあります。返金にともない、この追加は、追加先のライセンスから取り消されました。',
      notByYou: '返金にお心当たりがないときは、お問い合わせ先にご連絡ください。',
    },
    dispute_lost: {
      subject: (productName) => `お支払いへの異議申し立ての結果：${productName}`,
      event: (productName) => `「${productName}」のお支払いへの異議申し立てが、カード会社に認められました。`,
      amountName: 'ご注文の金額',
      meaning:
        '代金はカード会社から返金されます。これにともない、このご注文のライセンスは終了しました。ライセンスキーは使えなくなり、ファイルもダウンロードできません。引き続きお使いになるには、改めてご購入ください。',
      meaningOfAddition: '代金はカード会社から返金されます。これにともない、この追加は、追加先のライセンスから取り消されました。',
      notByYou: '異議申し立てにお心当たりがないときは、カード会社にお問い合わせいただくか、お問い合わせ先にご連絡ください。',
    },
    addition_counts: {
      subject: (productName) => `ライセンスへの追加のお知らせ：${productName}`,
      event: (productName, added) => `「${productName}」のライセンスに、次の追加がありました：${added}`,
      meaning: 'ライセンスキーはそのままで、お手続きの必要はありません。',
      notByYou:
        'どなたがお支払いになったかお心当たりがないときは、ほかの人がご注文ページを開ける状態になっています。お問い合わせ先にご連絡ください。',
    },
    addition_ends: {
      subject: (productName) => `ライセンスへの追加の取り消しのお知らせ：${productName}`,
      event: (productName, added) => `「${productName}」のライセンスへの次の追加が、取り消されました：${added}`,
      meaning:
        '代金が返金されたか、お支払いへの異議申し立てがありました。異議申し立てが認められなかったときは、再び追加されます。ライセンスキーはそのままで、登録済みの端末は引き続きお使いになれます。',
      notByYou: 'ご不明な点は、お問い合わせ先にご連絡ください。',
    },
    license_upgraded: {
      subject: (productName) => `アップグレードのお知らせ：${productName}`,
      event: (productName, upgraded) => `「${productName}」のライセンスが、「${upgraded}」にアップグレードされました。`,
      meaning:
        'アップグレードには新しいライセンスキーがあり、そのリンクは、お支払いになった方にお送りしています。これまでのライセンスも、引き続きお使いになれます。',
      notByYou:
        'どなたがアップグレードしたかお心当たりがないときは、ほかの人がご注文ページを開ける状態になっています。お問い合わせ先にご連絡ください。',
    },
    upgrade_held_refunded: {
      subject: (productName) => `アップグレードの一時停止のお知らせ：${productName}`,
      event: (productName) => `「${productName}」へのアップグレードを、一時的に停止しました。`,
      amountName: 'アップグレードの代金',
      meaning:
        'アップグレード元のご購入が返金されたため、アップグレードのライセンスキーは現在使えません。この返金に、アップグレードの代金は含まれていません。アップグレードの返金をご希望のとき、またはお心当たりがないときは、お問い合わせ先にご連絡ください。',
      notByYou: '返金にお心当たりがないときは、お問い合わせ先にご連絡ください。',
    },
    upgrade_held_disputed: {
      subject: (productName) => `アップグレードの一時停止のお知らせ：${productName}`,
      event: (productName) => `「${productName}」へのアップグレードを、一時的に停止しました。`,
      amountName: 'アップグレードの代金',
      meaning:
        'アップグレード元のご購入のお支払いに異議申し立てがあったため、アップグレードのライセンスキーは現在使えません。異議申し立てが認められなかったときは、再び使えるようになります。アップグレードの代金は、この異議申し立ての対象ではありません。ご不明な点は、お問い合わせ先にご連絡ください。',
      notByYou: '異議申し立てにお心当たりがないときは、カード会社にお問い合わせいただくか、お問い合わせ先にご連絡ください。',
    },
  },
  device: '端末',
  unnamedDevice: '名前なし',
  seatsInAll: '席数の合計',
  updatesUntil: 'アップデートの期限',
  at: '日時',
};

export const noticeMailTexts: Record<Locale, NoticeMailTexts> = { ja, en };
