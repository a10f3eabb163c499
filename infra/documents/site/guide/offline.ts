import { html } from '../../../../shared/html.ts';
import { messages } from '../../clients/license-client.ts';
import { type Section, table } from './section.ts';

const code = (name: string) => html`<code>${name}</code>`;

const promise = html`<p>A <dfn>lease</dfn> is our signed word that one device may run one license until a time. It comes with validate and activate
when <code>valid</code> is true, a fingerprint was sent, and the device has its seat. The app keeps it and checks it by itself, so that no outage
of ours, no hotel’s network and no firewall stops an app that was paid for.</p>
<h3>What a lease does not promise</h3>
<ul>
<li><strong>It cannot be taken back.</strong> A license that is revoked, refunded, disputed or suspended gets no new lease, and the last one runs
until it ends.</li>
<li><strong>Freeing a seat does not end it.</strong> The device that lost its seat may go on until its lease ends, while another takes the seat.</li>
<li><strong>It says nothing about the buyer,</strong> and it is of no use on another device, for another product, or with another service.</li>
<li><strong>It does not outlive the license:</strong> it ends with <code>expires_at</code> at the latest.</li>
</ul>`;

const checks = html`<h3>What an app checks</h3>
<p>The clients do all of this. Whoever writes another one does it in this order, and stops at the first fault:</p>
<ol>
<li><strong>Form.</strong> At most 65,536 characters, in exactly three parts of base64url without padding. Header and payload are JSON objects in which no
name occurs twice.</li>
<li><strong>Header.</strong> <code>alg</code> is exactly <code>ES256</code> and <code>typ</code> exactly <code>license-lease+jwt</code>. A header with
<code>jwk</code>, <code>jku</code>, <code>x5u</code>, <code>x5c</code> or <code>crit</code> is refused, whatever else it says.</li>
<li><strong>Key.</strong> The app pins at least two of our public keys in its build: the one that signs and the next. It takes the one that
<code>kid</code> names among those; what <code>/.well-known/jwks.json</code> says at run time grants no trust.</li>
<li><strong>Signature.</strong> ECDSA on P-256 with SHA-256, 64 bytes, over the first two parts as they came.</li>
<li><strong>Claims.</strong> <code>iss</code> is the address of this service, <code>aud</code> the product’s id. <code>dev</code> is the unpadded
base64url of SHA-256 over the license’s id (<code>sub</code>), a zero byte, and the fingerprint as it was sent. <code>nonce</code>, where one was sent, is the one of
this very request, so that nobody can play back an old answer. <code>test</code> is true in leases of <a href="#test-keys">test keys</a> alone.</li>
<li><strong>Time.</strong> The lease is good before <code>exp</code>, and from 300 seconds before <code>iat</code>, by <a href="#clock">the latest time seen</a>.</li>
</ol>
<p>An app that is worth forging a server for sets <code>requireLease</code>: then an answer <code>valid</code> counts only with a lease that these
checks pass. It needs a product whose <code>offline_days</code> is not 0.</p>`;

const outages = html`<h3>When we cannot be reached</h3>
<p>Only <code>valid: false</code> is a no. A failed call is neither a no nor a new yes, and never makes a lease last longer.</p>
<ul>
<li><strong>Start first, ask second.</strong> Decide by the lease, start, and check in the background.</li>
<li><strong>Ask about once a day,</strong> at a moment drawn at random, so that your users do not all ask at the full hour. Each good answer brings a
lease that lasts its whole time again.</li>
<li><strong>Say it before it is too late.</strong> When a lease has less than a third of its time left, show without stopping anyone until when the app runs.
After the end, let work that is there be opened, saved and exported.</li>
<li><strong>A first activation needs us,</strong> or a file from a device that reaches us. If we cannot be reached then, the client keeps what the user typed, and <code>check</code> tries it again.</li>
<li><strong>Remember a no, and go on asking:</strong> refunds are reversed, disputes are won, and the next answer may be a yes. The client keeps the key for this.</li>
</ul>
<h3 id="clock">The clock</h3>
<p>The app keeps the latest time it has seen: the larger of its own clock and the <code>iat</code> of its leases. A lease is measured by that time, so a clock
that is set back makes none last longer. Up to 300 seconds count as drift. When the clock is further back, the app asks online and goes on
as long as the lease lasts by the latest time seen; it never locks anyone out for the clock alone, because batteries die. A clock that once ran ahead would end a
lease too soon: the next answer of ours sets the time right again, and without network the next file that the app asked for.</p>`;

const copies = html`<h3>Virtual machines and cloned disks</h3>
<p>The fingerprint and the lease are part of what is copied. To us a clone is the same device: it uses the same seat, its lease verifies, and
freeing the seat frees it for all copies.</p>
<ul>
<li><strong>Images that many machines start from:</strong> make them before the app first runs, or delete its state from them
(<code>license.json</code>). Each machine then draws its own fingerprint and takes its own seat.</li>
<li><strong>Containers and build machines</strong> lose their state at each start and would take a seat each time. Keep the state on a volume, one for each that
may run at once, and deactivate at the end where there is none.</li>
<li><strong>A snapshot that is restored</strong> brings back an older lease and an older latest time. The lease still ends when it says; online, the next check
renews it, or activates again if the seat was freed meanwhile.</li>
<li><strong>A disk that moved to another computer</strong> is the same device, which is what its owner expects.</li>
</ul>
<p>If clones are how your product would be abused, choose a small <code>offline_days</code>. Do not take hardware into the fingerprint:
<a href="#fingerprints">it locks out the honest</a>.</p>`;

const choosing = html`<h3>How to choose offline_days</h3>
<p>Each product has it, from 0 to 90. It is how long an app runs without us, and also <strong>how long a refunded copy may run on</strong> that stays away
from us. A license keeps the number of the day of its sale.</p>
${table(
  'How to choose offline_days',
  ['offline_days', 'For', 'A copy that was refunded just after its last check'],
  [
    [
      '0',
      'What is sold by the hour or works with a server anyway. No lease is given: an outage of ours stops the app.',
      'stops at the next start',
    ],
    ['3', 'Expensive tools in offices that are always online.', 'runs at most 3 days more: a weekend of ours or of the network'],
    [
      '14',
      'Most apps. This is what a product has unless you say otherwise.',
      'runs at most two weeks more, about as long as most refund terms',
    ],
    ['30', 'Laptops in the field, musicians on tour, schools in the holidays.', 'runs at most a month more'],
    ['90', 'Ships and stations that reach a network now and then.', 'runs at most three months more'],
  ],
)}`;

const airGapped = html`<h3>Devices without network</h3>
<p>A device that never reaches us takes a seat through one that does. The product says for how many days such a lease lasts, in
<code>offline_file_days</code> (0 to 366); with 0, which is what a product has unless you say otherwise, it is not offered: 403 <code>offline_not_offered</code>.</p>
<ol>
<li>The app shows what <code>makeRequestCode</code> returns (<code>make_request_code</code> in Python and Rust): text that begins with <code>LAR1.</code> to copy, or as a QR code. It stays the same until a lease was imported.</li>
<li>The user opens <code>https://api.example.com/activate</code> on any device, enters key and request code, and downloads <code>license.lease</code>.</li>
<li>The app takes the text of this file with <code>importLease</code>. The lease is good for this device alone.</li>
</ol>
<p>Before it ends, do the same again; the device keeps its seat. Nothing takes such a file back, so choose the days as you would for a refunded copy.</p>`;

const rotation = html`<h3>When our keys change</h3>
<p>The list at <code>/.well-known/jwks.json</code> begins with the key that signs; the next one is there months before it signs. Fetch the list for each release of
your app, look at what changed, and build all of it in. An app that is older than the key that signs still runs: online it goes by our
answers, and it keeps no lease that it cannot verify, so without network it runs until its last one ends. Keys that signed a lease which is still good stay in the list.</p>`;

const sentences = html`<h3>What to show the user</h3>
<p>The clients of all languages say the same. Show <code>message</code> as it is, or translate it by <code>code</code>; a code that you do not know may come one day.
The client puts the day of <code>until</code> and the address of the page for buyers into the sentences that name them.</p>
${table(
  'What to show the user for each code',
  ['code', 'message'],
  Object.entries(messages).map(([name, sentence]) => [code(name), sentence]),
)}`;

/** What leases are, and how an app lives without network. */
export const offline: Section = {
  id: 'offline',
  title: 'Offline',
  body: html`${promise}
${checks}
${outages}
${copies}
${choosing}
${airGapped}
${rotation}
${sentences}`,
};
