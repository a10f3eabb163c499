import { html } from '../../../../shared/html.ts';
import { codeBlock, type Section } from './section.ts';

export const request = `curl https://api.example.com/v1/licenses/activate \\
  -H 'content-type: application/json' \\
  -d '{
    "product_id": "prd_01KG9T3W6P9RA5Y8S4C7E1G2JK",
    "license_key": "LIC1-3AHRZ-6DMV2-9GQY5-CKT18-FPX1N",
    "device_fingerprint": "5f0c2f4e-8a53-4b0e-9a3d-2f6f1f0d7c11",
    "device_label": "Studio Mac",
    "nonce": "uWkKJ0O5sVnb1QmQ4T3d0g"
  }'`;

export const reply = `{
  "valid": true,
  "code": "activated",
  "checked_at": "2026-01-31T09:00:00.000Z",
  "license_id": "lic_01KG9T6Z9S2VD81BW7F0H4K5NP",
  "status": "active",
  "activation_limit": 3,
  "activation_count": 1,
  "features": ["export", "batch"],
  "issued_at": "2026-01-30T18:12:45.310Z",
  "device_activated": true,
  "lease": "eyJhbGciOiJFUzI1NiIsInR5cCI6ImxpY2Vuc2UtbGVhc2Urand0Iiwia2lkIjoi…"
}`;

export const calls: Section = {
  id: 'three-calls',
  title: 'Three calls',
  body: html`<p>Your app needs no account and no secret. It sends the product’s id, the license key that the buyer typed, and a
fingerprint of the device, and it gets an answer that is always about this one license.</p>
<div class="scroll" tabindex="0" role="group" aria-label="The three calls">
<table>
<thead><tr><th scope="col">When</th><th scope="col">Call</th><th scope="col">What happens</th></tr></thead>
<tbody>
<tr><td>The user enters a key for the first time</td><td><code>POST /v1/licenses/activate</code></td><td>The device takes a seat. The same device again changes nothing, so repeat it freely after a lost reply.</td></tr>
<tr><td>At start-up, and about once a day while the app runs</td><td><code>POST /v1/licenses/validate</code></td><td>Nothing changes. You learn whether the license may still be used, and whether this device has its seat.</td></tr>
<tr><td>The user signs out, uninstalls, or moves to another device</td><td><code>POST /v1/licenses/deactivate</code></td><td>The seat is free for another device. Repeating it does no harm.</td></tr>
</tbody>
</table></div>
${codeBlock('Request', request)}
${codeBlock('Reply', reply)}
<p>Send the key as the user typed it. Letter case, spaces, dashes of any kind, and O for 0 or I and L for 1 make no
difference here, so do not correct or reject a key before you ask. Trim nothing from the fingerprint: it is compared to the letter.</p>
<p>Send the fingerprint with validate too, and activate when <code>valid</code> is true but <code>device_activated</code> is
false: someone freed this device’s seat, or the app’s data came from another device.</p>
<p><code>nonce</code> and <code>lease</code> are for times without us: see <a href="#offline">Offline</a>. Both may be left out of an app that asks each time.</p>`,
};
