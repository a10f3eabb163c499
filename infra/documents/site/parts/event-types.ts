import { type Html, html } from '../../../../shared/html.ts';
import type { Locale } from '../../../../shared/locale.ts';
import {
  type LicenseChangeCause,
  licenseChangeCauses,
  type SellerEventType,
  sellerEventData,
  sellerEventTypes,
} from '../../../../shared/seller-events/seller-event.ts';
import { wireName } from '../../../../shared/wire.ts';
import { sample } from '../languages.ts';
import { codeBlock, wordTable } from '../section.ts';

type Meanings<Word extends string> = Readonly<Record<Word, Readonly<Record<Locale, string>>>>;

const typeMeanings: Meanings<SellerEventType> = {
  'license.issued': { en: 'A buyer has a license.', ja: '購入者にライセンスが発行された。' },
  'license.status_changed': {
    en: 'A license is usable no more, or again.',
    ja: 'ライセンスが使えなくなった、または再び使えるようになった。',
  },
  'license.changed': { en: 'Its limit or its end of updates is another.', ja: '枠の数か、アップデートの期限が変わった。' },
  'order.paid': { en: 'A payment arrived.', ja: '支払いが届いた。' },
  'order.refunded': { en: 'All of the amount or a part of it went back.', ja: '代金の全部または一部が返金された。' },
  'order.disputed': { en: 'The buyer disputes the payment with the card issuer.', ja: '購入者がカード会社に異議を申し立てた。' },
  'order.dispute_closed': { en: 'The card issuer decided.', ja: 'カード会社の判断が出た。' },
  'activation.created': { en: 'A device took a seat.', ja: '端末が枠を使い始めた。' },
  'activation.released': { en: 'Devices lost their seats.', ja: '端末の枠が空いた。' },
  'activation.refused': { en: 'A device got no seat.', ja: '端末が枠を得られなかった。' },
  'product.reviewed': { en: 'We decided on a product.', ja: '商品の審査結果が出た。' },
  'product_file.reviewed': { en: 'We decided on a file.', ja: 'ファイルの審査結果が出た。' },
  'release.reviewed': { en: 'We decided on a release.', ja: 'リリースの審査結果が出た。' },
  'release.published': { en: 'A release is out for the first time.', ja: 'リリースが初めて公開された。' },
  'release.yanked': { en: 'A release was taken back.', ja: 'リリースの配信が取りやめられた。' },
  test: { en: 'You asked for it.', ja: '試しに送るよう求められた。' },
};

/** Each type with its words and the fields that its data may have. */
export function eventTypes(locale: Locale): Html {
  const { label, when } = { en: { label: 'Types of events', when: 'When' }, ja: { label: 'イベントの種類', when: '起きたこと' } }[locale];
  const dataOf = (type: SellerEventType) =>
    html`${Object.keys(sellerEventData[type].shape).map((name, index) => html`${index > 0 && ', '}<code>${wireName(name)}</code>`)}`;
  return wordTable(
    label,
    ['type', when, 'data'],
    sellerEventTypes.map((type) => [type, typeMeanings[type][locale], dataOf(type)]),
  );
}

const causeMeanings: Meanings<LicenseChangeCause> = {
  addition_paid: { en: 'An addition was paid.', ja: '追加の代金が支払われた。' },
  addition_refunded: { en: 'An addition was refunded in full, and counts no more.', ja: '追加の代金が全額返金され、追加がなくなった。' },
  addition_disputed: {
    en: 'An addition is disputed, and does not count meanwhile.',
    ja: '追加の支払いに異議が申し立てられ、その間は追加が数えられない。',
  },
  addition_restored: {
    en: 'An addition counts again, as after a dispute that you won.',
    ja: '異議が認められなかったときなど、追加が再び数えられるようになった。',
  },
  seller_changed: { en: 'You changed the license.', ja: '販売者がライセンスを変更した。' },
};

/** Each `cause` of `license.changed` with its words. */
export function changeCauses(locale: Locale): Html {
  const { label, before } = {
    en: { label: 'Causes of license.changed', before: 'What came before' },
    ja: { label: 'license.changedの理由', before: '起きたこと' },
  }[locale];
  return wordTable(
    label,
    ['cause', before],
    licenseChangeCauses.map((cause) => [cause, causeMeanings[cause][locale]]),
  );
}

/** Receivers that run as they stand. */
export const receivers: Html = html`${(
  [
    ['TypeScript', 'receiver.ts'],
    ['Python', 'receiver.py'],
  ] as const
).map(
  ([language, file]) => html`<details class="language">
<summary>${language}: <code>${file}</code></summary>
${codeBlock(file, sample(file))}
</details>
`,
)}`;

/** An event as it comes. */
export const exampleEvent = `POST /license-events HTTP/1.1
content-type: application/json
webhook-id: evt_01KG9T3W6P9RA5Y8S4C7E1G2JK_q7Xm2VbA
webhook-timestamp: 1769846400
webhook-signature: v1,bm8gc2lnbmF0dXJlLCBqdXN0IGFuIGV4YW1wbGUgIQ==

{"type":"order.paid","timestamp":"2026-01-31T08:00:00.000Z","data":{"order_id":"ord_01KG9T3W6P9RA5Y8S4C7E1G2JM","product_id":"prd_01KG9T3W6P9RA5Y8S4C7E1G2JK","status":"paid","amount":9800,"currency":"USD","kind":"license","quantity":2}}`;
