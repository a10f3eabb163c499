import { html } from '../../../../shared/html.ts';
import { codeBlock, type Section } from './section.ts';

export const mint = `curl -X POST https://api.example.com/v1/products/prd_01KG9T3W6P9RA5Y8S4C7E1G2JK/test-keys \\
  -H "authorization: Bearer $TOKEN"`;

export const minted = `{
  "license_id": "lic_01KG9T6Z9S2VD81BW7F0H4K5NP",
  "license_key": "LIC1-3AHRZ-6DMV2-9GQY5-CKT18-FPX1N",
  "expires_at": "2026-05-01T09:00:00.000Z"
}`;

/** How an app is built before anything is sold. */
export const testKeys: Section = {
  id: 'test-keys',
  title: 'Test keys',
  body: html`<p>An app can be built before its product is on sale. The seller makes keys for tests of any own product, also of a draft that
nobody has reviewed, unless it is suspended. There is no body to send, and the key is shown this once.</p>
${codeBlock('Make a test key', mint)}
${codeBlock('Its reply, with status 201', minted)}
<ul>
<li><strong>It works like a key that was bought,</strong> with the product’s present terms: seats, features, leases and files for devices without network. It is no sale, and
tells nobody of anything.</li>
<li><strong>It lasts 90 days,</strong> and a product has at most 20 at a time: 400 <code>too_many_test_keys</code>. <code>GET</code> on the same address lists them, and
<code>POST …/test-keys/{license_id}/end</code> ends one early. An ended key answers <code>license_revoked</code>, an old one <code>license_expired</code>.</li>
<li><strong>It is marked.</strong> Answers and leases have <code>test: true</code>, which no other license has.</li>
<li><strong>An app that is sold refuses it.</strong> The clients answer <code>test_key_refused</code>, unless the app is built with <code>allowTestKeys</code>
(<code>allow_test_keys</code> in Python and Rust, <code>AllowTestKeys</code> in Go). Set it in your own builds alone.</li>
</ul>`,
};
