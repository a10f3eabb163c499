import { html } from '../../../../shared/html.ts';
import { languages } from '../languages.ts';
import type { Section } from './section.ts';
import { clientFiles, fileLink, stepsIn } from './steps.ts';

const stepsOf = stepsIn({
  locale: 'en',
  needs: (needs) => `Needs: ${needs}`,
  fetch: 'Fetch the client and the keys',
  build: 'Build',
  start: 'Start it without a key, with the key, and once more',
  says: 'What it says',
  startOffline: 'Turn the network off, and start it',
  saysOffline: 'What it says then',
  about: (client) => html`What <code>${client}</code> says of proxies, certificates and threads`,
  firstLines: (client) => `The first lines of ${client}`,
});

/** From an empty folder to an app that runs without network. */
export const start: Section = {
  id: 'start',
  title: 'Start in ten minutes',
  body: html`<p>A client is one file that you copy into your app and may read in ten minutes. It makes and keeps the fingerprint, makes the three
calls, keeps our signed lease, and decides by it when we cannot be reached. It loads nothing else of ours. Clients and samples are under MIT-0:
ship them with your app, changed or not, without naming us.</p>
<ol>
<li>Have the product’s id at hand (<code>prd_…</code>), and a license key: buy the product once, or build the app to take
<a href="#test-keys">test keys</a>.</li>
<li>Fetch the client and our public keys into an empty folder. Of each key a client reads <code>kid</code>, <code>x</code> and <code>y</code>.
<strong>Keep <code>jwks.json</code> among your sources</strong>: the app trusts the keys it was built with and none that it is sent later, so a
build that fetches them each time trusts whoever answers then.</li>
<li>Write the app of your language below with your product’s id, and start it with the key.</li>
</ol>
${languages.map(stepsOf)}
<p>Each call returns a status. Run if <code>allowed</code> is true, show <code>message</code>, switch features on by <code>features</code>, and
call <code>check</code> again soon when <code>askOnline</code> is true: then the client decided without us. <code>check</code> may wait for half a minute
where the network is bad, so start with <code>checkOffline</code>, and check beside the user interface. <code>watch</code> then checks once a day and
when the device wakes up. A refused key stops no license that the device has: <code>code</code> says what was refused, and <code>allowed</code> stays true. After an
answer of ours <code>seats</code>, <code>limit</code> and <code>expiresAt</code> say how many devices have a seat, of how many, and when the license itself ends, if it does.</p>
<p>The files: ${clientFiles.map((name) => html`${fileLink(name)}, `)}${fileLink('license-client.js')}. In another language, verify with
${fileLink('lease-vectors.json')}: good leases and forged ones, each with the verdict that every client of ours gives.</p>`,
};
