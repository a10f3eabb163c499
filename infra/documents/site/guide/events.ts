import { html } from '../../../../shared/html.ts';
import { causeRows, eventRows, exampleEvent, receivers } from './event-types.ts';
import { codeBlock, type Section, table } from './section.ts';

const endpoints = html`<p>For sellers whose own systems should know of sales, refunds and devices when they happen. The form is that of
<a href="https://www.standardwebhooks.com">Standard Webhooks</a>, for which there are libraries in most languages.</p>
<h3>Endpoints</h3>
<p><code>POST /v1/webhook-endpoints</code> with a <code>url</code> makes one, and <code>event_types</code> chooses what it hears; without them it hears everything. A seller
has at most 5. The reply shows the endpoint’s <code>secret</code> (<code>whsec_</code>…), <strong>this once</strong>: keep it where passwords are kept. The address is https on port 443 under a public
name; redirects are not followed.</p>
${codeBlock('What comes', exampleEvent)}
<p><code>timestamp</code> is when it happened, <code>webhook-timestamp</code> when it was sent.</p>
${table(
  'Types of events',
  ['type', 'When', 'data'],
  eventRows({
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
  }),
)}
<p>Events of orders say in <code>kind</code> what the order is for: <code>license</code>; <code>seats</code> or <code>updates</code>, an addition to the license of <code>parent_order_id</code>; or
<code>upgrade</code>. An addition issues no license, so no <code>license.issued</code> follows: <code>license.changed</code> says what its license has now. Whether that can be used just now says
<code>license_status</code> of its <code>order.paid</code>. <code>license.issued</code> of an upgrade names in <code>upgraded_from</code> what it was made from. <code>amount</code> is the whole of the order.</p>
${table(
  'Causes of license.changed',
  ['cause', 'What came before'],
  causeRows({
    addition_paid: 'An addition was paid.',
    addition_refunded: 'An addition was refunded in full, and counts no more.',
    addition_disputed: 'An addition is disputed, and does not count meanwhile.',
    addition_restored: 'An addition counts again, as after a dispute that you won.',
    seller_changed: 'You changed the license.',
  }),
)}
<p>Refusals of one license are told once a minute: <code>count</code> says how many there were since the last. Of its devices at most 60 events come in an hour; the next one says in <code>suppressed</code> how many did
not come. An endpoint hears what happens from its making on.</p>
<p><strong>data has ids, statuses, amounts and counts,</strong> and never a license key, an e-mail address, a device’s name or fingerprint, an address or a token. Ask for what
you need by the id. New types and fields may come: answer 2xx to those you do not know.</p>`;

const verification = html`<h3>Verify before you believe</h3>
<p>Anybody can post to your address. Take an event only if one of the signatures in <code>webhook-signature</code>, which spaces separate, is <code>v1,</code> and the base64 of
HMAC-SHA256 over <code>webhook-id</code>, a point, <code>webhook-timestamp</code>, a point, and the body as it came, byte for byte. The key is what the base64 behind <code>whsec_</code>
decodes to. Compare in constant time, and refuse what is more than 300 seconds away from your clock. These receivers do all of it:</p>
${receivers}
<p><code>POST /v1/webhook-endpoints/{endpoint_id}/rotate-secret</code> shows a new secret. For 24 hours both sign, so a receiver with either goes on; put the new one in
within that time.</p>`;

const attempts = html`<h3>Answer, repeats and order</h3>
<ul>
<li><strong>Answer 2xx within 10 seconds.</strong> Store the event, answer, and work on it afterwards. Any other answer, or none, is a failure.</li>
<li><strong>Repeats.</strong> After a failure the same event comes again after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h, each a little earlier or later; then it counts as
failed. An event may also come twice without a failure that you saw. All attempts have the same <code>webhook-id</code>: keep it, and drop what you have.</li>
<li><strong>Order.</strong> Events may come in another order than they happened. Go by <code>timestamp</code>, or ask for the present state.</li>
<li><strong>The end.</strong> The answer 410 disables the endpoint. So do five days of nothing but failures, and we write to your contact address. Nothing is sent then;
<code>PATCH /v1/webhook-endpoints/{endpoint_id}</code> with <code>enabled</code> true goes on.</li>
</ul>
<h3>Look, try and send again</h3>
<ul>
<li><code>GET /v1/webhook-endpoints/{endpoint_id}/deliveries</code> lists each event with its status, attempts, the last status code or error, and when it comes again. What your receiver replied is not kept.</li>
<li><code>POST /v1/webhook-endpoints/{endpoint_id}/test</code> sends a <code>test</code>, by the <code>event_ids</code> of the reply.</li>
<li><code>POST /v1/webhook-endpoints/{endpoint_id}/replay</code> sends again what happened <code>since</code> a time, or one event by <code>event_id</code>; <code>count</code> says how many. Events are kept for 30 days, also
while an endpoint is disabled.</li>
</ul>`;

/** How a seller's own systems hear what happens. */
export const events: Section = {
  id: 'events',
  title: 'Hear what happens',
  body: html`${endpoints}
${verification}
${attempts}`,
};
