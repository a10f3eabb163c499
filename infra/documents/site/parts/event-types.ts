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
import { codeBlock, table } from '../section.ts';

const types: Readonly<Record<Locale, { label: string; headings: readonly string[]; words: Readonly<Record<SellerEventType, string>> }>> = {
  en: {
    label: 'Types of events',
    headings: ['type', 'When', 'data'],
    words: {
      'license.issued': 'A buyer has a license.',
      'license.status_changed': 'A license is usable no more, or again.',
      'license.changed': 'Its limit or its end of updates is another.',
      'order.paid': 'A payment arrived.',
      'order.refunded': 'All of the amount or a part of it went back.',
      'order.disputed': 'The buyer disputes the payment with the card issuer.',
      'order.dispute_closed': 'The card issuer decided.',
      'activation.created': 'A device took a seat.',
      'activation.released': 'Devices lost their seats.',
      'activation.refused': 'A device got no seat.',
      'product.reviewed': 'We decided on a product.',
      'product_file.reviewed': 'We decided on a file.',
      'release.reviewed': 'We decided on a release.',
      'release.published': 'A release is out for the first time.',
      'release.yanked': 'A release was taken back.',
      test: 'You asked for it.',
    },
  },
  ja: {
    label: 'イベントの種類',
    headings: ['type', '起きたこと', 'data'],
    words: {
      'license.issued': '購入者にライセンスが発行された。',
      'license.status_changed': 'ライセンスが使えなくなった、または再び使えるようになった。',
      'license.changed': '枠の数か、アップデートの期限が変わった。',
      'order.paid': '支払いが届いた。',
      'order.refunded': '代金の全部または一部が返金された。',
      'order.disputed': '購入者がカード会社に異議を申し立てた。',
      'order.dispute_closed': 'カード会社の判断が出た。',
      'activation.created': '端末が枠を使い始めた。',
      'activation.released': '端末の枠が空いた。',
      'activation.refused': '端末が枠を得られなかった。',
      'product.reviewed': '商品の審査結果が出た。',
      'product_file.reviewed': 'ファイルの審査結果が出た。',
      'release.reviewed': 'リリースの審査結果が出た。',
      'release.published': 'リリースが初めて公開された。',
      'release.yanked': 'リリースの配信が取りやめられた。',
      test: '試しに送るよう求められた。',
    },
  },
};

/** Each type with its words and the fields that its data may have. */
export function eventTypes(locale: Locale): Html {
  const { label, headings, words } = types[locale];
  return table(
    label,
    headings,
    sellerEventTypes.map((type) => [
      html`<code>${type}</code>`,
      words[type],
      html`${Object.keys(sellerEventData[type].shape).map((name, index) => html`${index > 0 && ', '}<code>${wireName(name)}</code>`)}`,
    ]),
  );
}

const causes: Readonly<
  Record<Locale, { label: string; headings: readonly string[]; words: Readonly<Record<LicenseChangeCause, string>> }>
> = {
  en: {
    label: 'Causes of license.changed',
    headings: ['cause', 'What came before'],
    words: {
      addition_paid: 'An addition was paid.',
      addition_refunded: 'An addition was refunded in full, and counts no more.',
      addition_disputed: 'An addition is disputed, and does not count meanwhile.',
      addition_restored: 'An addition counts again, as after a dispute that you won.',
      seller_changed: 'You changed the license.',
    },
  },
  ja: {
    label: 'license.changedの理由',
    headings: ['cause', '起きたこと'],
    words: {
      addition_paid: '追加の代金が支払われた。',
      addition_refunded: '追加の代金が全額返金され、追加がなくなった。',
      addition_disputed: '追加の支払いに異議が申し立てられ、その間は追加が数えられない。',
      addition_restored: '異議が認められなかったときなど、追加が再び数えられるようになった。',
      seller_changed: '販売者がライセンスを変更した。',
    },
  },
};

/** Each `cause` of `license.changed` with its words. */
export function changeCauses(locale: Locale): Html {
  const { label, headings, words } = causes[locale];
  return table(
    label,
    headings,
    licenseChangeCauses.map((cause) => [html`<code>${cause}</code>`, words[cause]]),
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
