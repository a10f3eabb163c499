import { type Html, html } from '../../../shared/html.ts';
import { codesTable } from './runtime-codes.ts';

/** A part of the guide, as the page and its table of contents show it. */
export interface Section {
  id: string;
  title: string;
  body: Html;
}

/** For people who build licensing into an app. */
export const guide: readonly Section[] = [
  {
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
<pre tabindex="0"><code>curl https://api.example.com/v1/licenses/activate \\
  -H 'content-type: application/json' \\
  -d '{
    "product_id": "prd_01KG9T3W6P9RA5Y8S4C7E1G2JK",
    "license_key": "LIC1-3AHRZ-6DMV2-9GQY5-CKT18-FPX1N",
    "device_fingerprint": "5f0c2f4e-8a53-4b0e-9a3d-2f6f1f0d7c11",
    "device_label": "Studio Mac"
  }'</code></pre>
<pre tabindex="0"><code>{
  "valid": true,
  "code": "activated",
  "checked_at": "2026-01-31T09:00:00.000Z",
  "license_id": "lic_01KG9T6Z9S2VD81BW7F0H4K5NP",
  "status": "active",
  "activation_limit": 3,
  "activation_count": 1,
  "features": ["export", "batch"],
  "issued_at": "2026-01-30T18:12:45.310Z",
  "device_activated": true
}</code></pre>
<p>Send the key as the user typed it. Letter case, spaces, dashes of any kind, and O for 0 or I and L for 1 make no
difference here, so do not correct or reject a key before you ask. Trim nothing from the fingerprint: it is compared to the letter.</p>
<p>Send the fingerprint with validate too, and activate when <code>valid</code> is true but <code>device_activated</code> is
false: someone freed this device’s seat, or the app’s data came from another device.</p>`,
  },
  {
    id: 'codes',
    title: 'What the answers mean',
    body: html`<p>A business “no” is an ordinary answer: status 200, <code>valid: false</code>, and the reason in <code>code</code>.
Decide whether to run by <code>valid</code>, and what to say by <code>code</code>. A code you do not know may come one day; go by <code>valid</code> then.</p>
${codesTable()}
<p><code>deactivate</code> answers in every state of the license; its <code>valid</code> tells whether the license itself may still be used.</p>
<p>Other statuses are not an answer about the license:</p>
<div class="scroll" tabindex="0" role="group" aria-label="Answers that are not about the license">
<table>
<thead><tr><th scope="col">Status and code</th><th scope="col">What it means</th><th scope="col">What your app does</th></tr></thead>
<tbody>
<tr><th scope="row">409 <code>activation_limit_exceeded</code></th><td>Every seat is taken by another device.</td><td>Ask the user to deactivate a device they no longer use. The seat of a lost device is freed by our admins, whom the seller’s support can ask; the license_id says which license it is.</td></tr>
<tr><th scope="row">400 <code>deactivation_not_allowed</code></th><td>The terms of this license do not let a seat be freed.</td><td>Say so. Do not offer it again for this license.</td></tr>
<tr><th scope="row">400, any other code</th><td>The request is malformed: a fault of the app, or a field left blank.</td><td>Do not lock and do not repeat it unchanged. Report it to yourself; <code>message</code> names the field.</td></tr>
<tr><th scope="row">413, 429, 500, 502, 503, 504, or no reply</th><td>We cannot be reached just now.</td><td>Go on as you did, and try again later; not before <code>Retry-After</code> where there is one.</td></tr>
<tr><th scope="row">Anything that is not JSON with a boolean <code>valid</code></th><td>It is not from us: a captive portal or a proxy.</td><td>The same as no reply.</td></tr>
</tbody>
</table></div>`,
  },
  {
    id: 'offline',
    title: 'When we cannot be reached',
    body: html`<p>Only <code>valid: false</code> is a no. An outage of ours, a hotel’s network or a firewall must never lock out someone who paid.</p>
<ul>
<li><strong>Start first, ask second.</strong> Start with the last answer you kept and validate in the background. Give a call five seconds, then leave it for later.</li>
<li><strong>Keep the last good answer:</strong> <code>checked_at</code>, <code>status</code>, <code>features</code>, <code>expires_at</code>. That is your offline license.</li>
<li><strong>Ask about once a day,</strong> at a moment drawn at random, so that your users do not all ask at the full hour. After a failure wait 1, 5 and 30 minutes, then an hour, each time with some chance added.</li>
<li><strong>Go on for 30 days after <code>checked_at</code>.</strong> For the first 14 say nothing. After that show, without stopping anyone, that the license could not be checked since that date and what to do about it. After 30 days ask to go online before new work is begun, but let work that is there be opened, saved and exported.</li>
<li><strong>People who work offline for months</strong> (ships, laboratories, clean rooms) are known to the seller. Let such a build be told another number than 30.</li>
<li><strong><code>expires_at</code> counts offline too;</strong> allow a day on either side for wrong clocks.</li>
<li><strong>Clocks go back.</strong> Keep the latest time you ever saw. If the clock is before it, count from that time and ask online when you can; do not punish: batteries die.</li>
<li><strong>A first activation needs us.</strong> If we cannot be reached then, keep the key, let the app run for a day or two, and activate when the network is back.</li>
</ul>
<pre tabindex="0"><code>async function mayRun(license, now) {
  const answer = await ask('/v1/licenses/validate', license, { timeoutSeconds: 5 });
  if (typeof answer?.valid === 'boolean') {
    if (answer.valid &amp;&amp; answer.device_activated === false) return activate(license);
    keep({ ...license, lastAnswer: answer });
    return answer.valid;
  }
  // No answer about the license: neither a no nor a new yes.
  const last = license.lastAnswer;
  if (!last?.valid) return false;
  if (last.expires_at &amp;&amp; now &gt; addDays(last.expires_at, 1)) return false;
  return latestTimeSeen(now) &lt; addDays(last.checked_at, 30);
}</code></pre>
<p>Remember a <code>valid: false</code> as well, and go on asking: refunds are reversed, disputes are won, and the next answer may be a yes.</p>`,
  },
  {
    id: 'fingerprints',
    title: 'Good fingerprints',
    body: html`<p>A seat belongs to a fingerprint. If it changes by itself, a paying user loses seats and writes to support; if two devices
share one, they share a seat.</p>
<ul>
<li><strong>Draw it at random once,</strong> with the system’s secure generator: a UUID version 4 is right. It may be up to 512 characters of anything but NUL.</li>
<li><strong>Do not build it from hardware.</strong> Network addresses, disk serials and processor ids change with a dock, a repair, a virtual machine or an update, collide in cloned images, and are personal data in many countries.</li>
<li><strong>Store it where updates and a reinstallation keep it:</strong> <code>~/Library/Application Support</code> or the keychain on macOS, <code>%LOCALAPPDATA%</code> (not the roaming profile) or <code>HKEY_CURRENT_USER</code> on Windows, <code>$XDG_STATE_HOME</code> on Linux, the app’s own storage on a phone.</li>
<li><strong>Keep it out of what is copied to other devices:</strong> cloud folders, synchronized settings, device-to-device migration, container and machine images. In a container or on a build machine give it in by configuration.</li>
<li><strong>One per device and user account</strong> is what most buyers expect. If all users of a machine are to share a seat, store it for the machine.</li>
<li><strong>Write it before you activate,</strong> and read it back. A device that activates and then fails to store its fingerprint takes a second seat at the next start.</li>
<li><strong>Deactivate at uninstall</strong> where you can; then a lost fingerprint costs nothing.</li>
</ul>
<p>We keep only a hash of it, keyed by the license key: it cannot be turned back, and the same device cannot be recognised across licenses.
Send a <code>device_label</code> that the user knows the device by: it is how a lost device is told from the others. Only the buyer and our admins ever see it.</p>`,
  },
  {
    id: 'care',
    title: 'With care',
    body: html`<ul>
<li>The license key is the buyer’s property and secret: keep it in the system’s key store, and out of logs, crash reports, analytics and addresses. Show its last four symbols only.</li>
<li>Use <code>features</code> to switch parts of the app on. They are those of the day of the sale; a later change of the product does not take them away.</li>
<li>Ignore fields you do not know. New ones may come within version 1; none will change its meaning or leave.</li>
<li>Check the server’s certificate as your platform does by default, and do not follow redirects to another host.</li>
<li>Nothing that runs on the user’s machine can be made safe against its owner. Spend your effort on never being in the way of the honest.</li>
<li>When you write to us, name the <code>X-Request-Id</code> of the reply. It tells us everything, and nothing about the user.</li>
</ul>`,
  },
];
