import { html } from '../../../../shared/html.ts';
import type { Section } from '../guide/section.ts';
import { feedSamples } from './feed-samples.ts';

/** Where the updater of an app asks for updates, and how it proves its license. */
export const feeds: Section = {
  id: 'feeds',
  title: 'Point your updater here',
  body: html`<p>Each updater reads its own form, and is offered only what this license covers. Who asks is proven in one of two ways:</p>
<ul>
<li><strong>By the lease</strong> that the client keeps, in the header <code>X-License-Lease</code>; the address has <code>-</code> where the ticket would be. It goes on when we answer a download with a redirect to the file store, which ignores it. A lease of a license with a hundred features may be longer than the headers of a request can be: take a ticket then.</li>
<li><strong>By a ticket</strong>, for updaters that send no headers: <code>validate</code> or <code>activate</code> with <code>"update_feed": true</code> answers <code>update_feed_url</code>, the address before the form, for 24 hours. Keep it like a password, and ask for a new one at each start.</li>
</ul>
${feedSamples}
<ul>
<li><strong><code>X-Update-Code</code></strong> of every answer says why there is an update or none. A failed proof and a refunded license get nothing to offer, and no error that would frighten the user.</li>
<li><strong>A channel offers what is steadier too:</strong> stable, rc, beta, alpha, dev. electron-updater asks for <code>latest.yml</code>, or for <code>beta.yml</code> once its <code>channel</code> is <code>beta</code>.</li>
<li><strong>Tell the running version</strong> where the form has a place for it: <code>?current=1.0.0</code> in check, appcast and electron, and with <code>?os=13.2</code> what the system cannot run is left out. Without it older versions may be offered.</li>
<li><strong>Not covered:</strong> check answers <code>upgrade</code> and appcasts have an item without a download, with a link to what is new.</li>
<li><strong>Downloads stay.</strong> The last covered version can be downloaded at its address for as long as the license is good, by <code>GET</code> with Range, or <code>HEAD</code> for its size.</li>
<li><strong>Often enough:</strong> asking once a day, at a time of the device’s own, is plenty. A license that asks every second, or downloads far more often than it has seats, is answered 429 with <code>Retry-After</code>.</li>
</ul>`,
};
