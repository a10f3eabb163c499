import { html } from '../../../../shared/html.ts';
import { type Section, table } from '../guide/section.ts';
import { coveredSamples } from './samples.ts';

/** How an app finds out, also without network, whether its license covers the build that runs. */
export const covered: Section = {
  id: 'covered',
  title: 'Is this build covered?',
  body: html`<p>A license is used for as long as its owner likes; updates may end. A product’s <code>updates_days</code> says for how many days after its issue a license is owed them, and
<code>updates_until</code> of the license is the end. Without an end the field is absent. <strong>No answer of ours and no client stops an app for it:</strong> <code>valid</code> and <code>allowed</code> say what they
said before. Whether a newer build runs all the same is for you to decide, and the client tells you what you need for it.</p>
${table(
  'Where updates_until is',
  ['Where', 'Form'],
  [
    ['Replies to apps, the buyer’s page, the seller’s orders', html`A time, such as <code>2027-01-31T09:00:00.000Z</code>.`],
    ['Leases of both kinds', html`A claim, in whole seconds since 1970, rounded down. A lease in which it is anything else is malformed.`],
    [
      'The status of a client',
      html`<code>updatesUntil</code> (<code>updates_until</code> in Python and Rust, <code>UpdatesUntil</code> in Go), in seconds since 1970: from the service where it has just answered, else from the kept lease.`,
    ],
  ],
)}
<p>Write the time of the release into the build, in seconds since 1970, and ask for it. A build of the very second of the end is covered still.</p>
${coveredSamples}
<ul>
<li><strong>Never lock out what was covered once.</strong> The last covered version works for ever; offer it, and the way to more updates, in the place of an error.</li>
<li><strong>Give the release the same time,</strong> as its <code>covered_at</code>: then feed and app agree.</li>
<li><strong>The end moves later only.</strong> A seller may extend it; a lease keeps what it was made with until the next one, and a device without network until the next file.</li>
</ul>`,
};
