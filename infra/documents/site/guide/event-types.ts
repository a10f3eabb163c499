import { type Html, html } from '../../../../shared/html.ts';
import {
  type LicenseChangeCause,
  licenseChangeCauses,
  type SellerEventType,
  sellerEventData,
  sellerEventTypes,
} from '../../../../shared/seller-events/seller-event.ts';
import { wireName } from '../../../../shared/wire.ts';
import { sample } from '../languages.ts';
import { codeBlock } from './section.ts';

/** Each type with its words and the fields that its data may have. */
export const eventRows = (words: Readonly<Record<SellerEventType, string>>): (Html | string)[][] =>
  sellerEventTypes.map((type) => [
    html`<code>${type}</code>`,
    words[type],
    html`${Object.keys(sellerEventData[type].shape).map((name, index) => html`${index > 0 && ', '}<code>${wireName(name)}</code>`)}`,
  ]);

/** Each `cause` of `license.changed` with its words. */
export const causeRows = (words: Readonly<Record<LicenseChangeCause, string>>): (Html | string)[][] =>
  licenseChangeCauses.map((cause) => [html`<code>${cause}</code>`, words[cause]]);

/** Receivers that run as they stand. */
export const receivers = (
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
);

/** An event as it comes. */
export const exampleEvent = `POST /license-events HTTP/1.1
content-type: application/json
webhook-id: evt_01KG9T3W6P9RA5Y8S4C7E1G2JK_q7Xm2VbA
webhook-timestamp: 1769846400
webhook-signature: v1,bm8gc2lnbmF0dXJlLCBqdXN0IGFuIGV4YW1wbGUgIQ==

{"type":"order.paid","timestamp":"2026-01-31T08:00:00.000Z","data":{"order_id":"ord_01KG9T3W6P9RA5Y8S4C7E1G2JM","product_id":"prd_01KG9T3W6P9RA5Y8S4C7E1G2JK","status":"paid","amount":9800,"currency":"USD","kind":"license","quantity":2}}`;
