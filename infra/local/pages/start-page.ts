import { type Html, html } from '../../../shared/html.ts';
import type { ProductRecord } from '../../../shared/products/product.ts';
import { isOnSale } from '../../../shared/products/product-states.ts';
import { formatMoney } from '../../../shared/text/money.ts';
import { exampleApplication, exampleProduct } from '../../documents/site/parts/requests.ts';
import type { ReceivedRequest } from '../local-receiver.ts';
import type { Mail } from '../services/mail-files.ts';
import { localPage, moment, table } from './local-page.ts';
import { mailTable } from './mail-pages.ts';

/** What one queue holds, as `GET /__local/queues` tells it. */
export interface QueueCounts {
  name: string;
  waiting: number;
  in_flight: number;
  dead: number;
}

/** The console, and by which hints somebody signs in there. */
export interface ConsoleLinks {
  address: string;
  seller: string;
  /** Whether there is a seller yet, whom `seller` then names. */
  hasSeller: boolean;
  someoneNew: string;
  admin: string | undefined;
}

const shownMails = 5;
const shownEvents = 10;

/** Where a developer begins: everything that can be looked at in the stack that runs. */
export function startPage({
  products,
  mails,
  received,
  queues,
  paymentEndpoint,
  console: links,
  hasExamples,
  address,
}: {
  /** Newest first. */
  products: readonly ProductRecord[];
  mails: readonly Mail[];
  /** What the local receiver of events got. */
  received: readonly ReceivedRequest[];
  queues: readonly QueueCounts[];
  paymentEndpoint: string | undefined;
  console: ConsoleLinks | undefined;
  /** Whether examples can be made. */
  hasExamples: boolean;
  /** Where the stack answers. */
  address: string;
}): Html {
  return localPage({
    title: 'License service',
    main: html`<p>The whole service runs here.</p>
${links && consoleLinks(links)}
${hasExamples && examplesForm}
<p><code>npm run demo</code> tells the whole story in calls of the API: a seller, a product, a purchase. On another port than 3000: <code>PORT=4000 npm run demo</code>, the one that <code>npm start</code> was given.</p>
<h2>A seller’s first calls</h2>
<p>An application, a link to the payment provider’s onboarding, a product. <code>X-User-ID</code> stands in for a token; the replies say what is next.</p>
<pre><code>${firstCalls(address)}</code></pre>
${interfaces}
<h2>Pages for buyers</h2>
${products.length === 0 ? html`<p class="note">There is no product yet.</p>` : productTable(products)}
<ul>
<li><a href="/manage">/manage</a>: emails a buyer links to their purchases</li>
<li><a href="/activate">/activate</a>: activates a device without network</li>
</ul>
${products
  .filter(isOnSale)
  .slice(0, 1)
  .map((product) => feedsOf(product, address))}
<h2>Mails</h2>
${mailTable(mails, shownMails)}
${mails.length > shownMails && html`<p><a href="/__local/mails">All ${mails.length} mails</a></p>`}
<p class="note">As JSON: <a href="/__local/outbox">/__local/outbox</a></p>
${eventsOf(received)}
<h2>Payments</h2>
${paymentsOf(paymentEndpoint)}
<h2>Queues</h2>
${table(
  'Queues',
  ['Queue', 'Waiting', 'In flight', 'Dead'],
  queues.map(({ name, waiting, in_flight, dead }) => [name, waiting, in_flight, dead]),
)}
<p class="note">As JSON: <a href="/__local/queues">/__local/queues</a></p>`,
  });
}

const interfaces = html`<h2>Interface</h2>
<ul>
<li><a href="/docs">/docs</a>: the guide for app authors and the reference (<a href="/docs?lang=ja" hreflang="ja" lang="ja">日本語</a>)</li>
<li><a href="/docs/sellers">/docs/sellers</a>: the guide for sellers (<a href="/docs/sellers?lang=ja" hreflang="ja" lang="ja">日本語</a>)</li>
<li><a href="/docs/updates">/docs/updates</a>: the guide to updates (<a href="/docs/updates?lang=ja" hreflang="ja" lang="ja">日本語</a>)</li>
<li><a href="/openapi.json">/openapi.json</a>: the OpenAPI document</li>
</ul>`;

const eventsOf = (received: readonly ReceivedRequest[]) => html`<h2>Events</h2>
<p>An endpoint of a seller at <code>/__local/receiver/…</code> of this address is a receiver to look at. With <code>?status=500</code> or <code>?delay=15000</code> it fails.</p>
${receivedTable(received)}
<p class="note">As JSON: <a href="/__local/receiver">/__local/receiver</a></p>`;

const examplesForm = html`<form method="post" action="/__local/examples"><p><button>Make examples</button> <span class="note">Sellers, products in every state, files, releases and sales; takes a few seconds.</span></p></form>`;

const consoleLinks = ({ address, seller, hasSeller, someoneNew, admin }: ConsoleLinks) => html`<h2>Console</h2>
<p>Where sellers and admins work. Nobody has a password here:</p>
<ul>
<li><a href="${address}?login_hint=${encodeURIComponent(seller)}">be the seller</a>: products, files, sales${!hasSeller && ' (there is one after the examples)'}</li>
<li><a href="${address}?login_hint=${encodeURIComponent(someoneNew)}">be someone new</a>: apply to sell</li>
${admin !== undefined && html`<li><a href="${address}/admin?login_hint=${encodeURIComponent(admin)}">be the admin</a>: decide on what waits for review</li>`}
</ul>`;

/** One command a line, to be pasted into a shell. */
function firstCalls(address: string): string {
  const post = (path: string, body?: object) => {
    const sent = body && ` -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`;
    return `curl -X POST ${address}${path} -H 'X-User-ID: alice'${sent ?? ''}`;
  };
  const calls = [post('/v1/sellers', exampleApplication), post('/v1/sellers/payment/account-link'), post('/v1/products', exampleProduct)];
  return calls.join('\n');
}

const paymentsOf = (endpoint: string | undefined) =>
  endpoint === undefined
    ? html`<p>They go to the provider that <code>PAYMENT_SECRET_KEY</code> or <code>PAYMENT_API_BASE</code> names.</p>`
    : html`<p>At <a href="${endpoint}">the fake payment provider</a>: pay, refund, dispute, and delay or repeat its webhooks.</p>`;

const productTable = (products: readonly ProductRecord[]) =>
  table(
    'Products',
    ['Product', 'Price', 'State'],
    products.map((product) => [
      isOnSale(product) ? html`<a href="/p/${encodeURIComponent(product.slug)}">${product.name}</a>` : product.name,
      formatMoney(product.priceAmount, product.currency, 'en'),
      product.status,
    ]),
  );

/** What each updater is given, for one product. */
function feedsOf({ id, name, slug }: ProductRecord, address: string): Html {
  const base = `${address}/v1/updates/${id}/-`;
  const feeds: [string, string][] = [
    ['An app by itself', `${base}/check/stable/windows/x64?current=1.0.0`],
    ['Sparkle, WinSparkle', `${base}/appcast/stable/macos/arm64?current=1.0.0`],
    ['Tauri', `${base}/tauri/stable/{{target}}/{{arch}}/{{current_version}}?bundle={{bundle_type}}`],
    ['electron-updater', `${base}/electron?current=1.0.0`],
    ['Velopack', `${base}/velopack/stable/windows/x64`],
  ];
  return html`<h2>Updates</h2>
<p>The feeds of ${name}, whose <a href="/p/${encodeURIComponent(slug)}/releases">releases</a> everybody sees. A lease goes with them as <code>X-License-Lease</code>. An updater without headers gets a ticket in the place of <code>-</code>: the <code>update_feed_url</code> that an app is told when it activates or validates with <code>"update_feed": true</code>.</p>
${table(
  'Feeds',
  ['Updater', 'Address'],
  feeds.map(([updater, feed]) => [updater, html`<code>${feed}</code>`]),
)}`;
}

/** The newest requests that the local receiver got. */
function receivedTable(received: readonly ReceivedRequest[]): Html {
  if (received.length === 0) return html`<p class="note">Nothing was sent to it yet.</p>`;
  const rows = received.map(({ path, received_at, status, headers, body }) => [
    typeOf(body),
    headers['webhook-id'] ?? '',
    path,
    status,
    moment(received_at),
  ]);
  return table('Events', ['Type', 'webhook-id', 'Path', 'Answered', 'Received'], rows.reverse().slice(0, shownEvents));
}

function typeOf(body: string): string {
  try {
    const { type } = JSON.parse(body);
    return typeof type === 'string' ? type : 'no event';
  } catch {
    return 'no event';
  }
}
