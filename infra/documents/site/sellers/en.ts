import { html } from '../../../../shared/html.ts';
import { events } from '../guide/events.ts';
import { codeBlock, type Section, table } from '../guide/section.ts';
import { application, nextTasks, sale, submission } from './requests.ts';
import { sellingMore } from './selling-more-en.ts';
import { type StatusMeanings, statusTables } from './tables.ts';

const meanings: StatusMeanings = {
  applications: {
    draft: 'An admin needs to know more: `review_note` says what. Send the application again.',
    pending_review: 'An admin looks at the application. You can draft products meanwhile.',
    approved_limited: 'You may sell.',
    approved: 'You may sell.',
    rejected: 'Not accepted: `review_note` says why. You may apply again.',
    suspended: 'Stopped by an admin. What you sold keeps working; write to the operator.',
  },
  products: {
    draft: 'Yours alone. Nobody else sees it until you hand it in.',
    pending_review: 'An admin looks at it. Any change makes it a draft again.',
    approved: 'On sale. Change it as you like: buyers see the change once it is approved.',
    published: 'On sale.',
    unpublished: 'Not on sale.',
    rejected: '`rejection_reason` says why. Change it, and hand it in again.',
    suspended: 'Stopped by an admin. Licenses that were sold keep working.',
  },
  blockers: {
    seller_not_approved: 'Your application is not approved.',
    payment_not_ready: 'The payment account cannot take charges yet. Open the link of `account-link`, then `refresh`.',
    not_approved: 'The product was not handed in, or waits for its review, or was rejected.',
    suspended: 'An admin stopped the product.',
    out_of_stock: 'No imported code is left. Import more.',
  },
  files: {
    upload_pending: 'The upload was begun. Its URL ends after 15 minutes, in parts after 24 hours.',
    pending_review: 'Hashed and scanned, then looked at by an admin.',
    approved: 'Buyers can download it, where it is `buyer_visible`.',
    rejected: '`rejected_reason` says why. Upload another file.',
    disabled: 'Withdrawn by you, or stopped by an admin.',
  },
};

export const sellerSections: readonly Section[] = [
  {
    id: 'first-sale',
    title: 'From application to first sale',
    body: html`<p><code>GET /v1/overview</code> tells at each step how far you are. Its <code>tasks</code> are always the same six, in their order: those whose <code>state</code> is <code>todo</code> or <code>action</code> are yours to do, <code>waiting</code> is somebody else’s turn, and <code>blocked</code> needs an earlier one. <code>attention</code> names what went wrong or runs out, the newest first: an application or a product that was returned, a file that was rejected or failed, what the payment provider wants, codes that run short, an endpoint that we disabled. What a review came to is mailed to your contact address too.</p>
${codeBlock('What is yours to do', nextTasks)}
<ol>
<li><strong>Apply.</strong> An admin decides; the table below says what each status means.</li>
<li><strong>Connect payments.</strong> <code>POST /v1/sellers/payment/account-link</code> answers with a page of the payment provider. When you come back, <code>POST /v1/sellers/payment/refresh</code>: <code>payment_charges_enabled</code> must be <code>true</code>. You need not wait for the approval.</li>
<li><strong>Draft a product</strong> with <code>POST /v1/products</code>. Its page will be at <code>url</code>.</li>
<li><strong>Upload its files</strong>, if it has any, and let an app try it with <a href="/docs?lang=en#test-keys">test keys</a>.</li>
<li><strong>Hand it in</strong> with <code>POST /v1/products/{product_id}/submit-review</code>. Once it is approved and <code>on_sale</code> is <code>true</code>, send people to <code>url</code>.</li>
</ol>
${codeBlock('Apply', application)}
${codeBlock('Draft a product, and hand it in', submission)}
<p>See your product as buyers will: <code>POST /v1/products/{product_id}/preview</code> answers a <code>preview_url</code>, good for 15 minutes, also of an edit that waits (<code>version</code>). Nothing can be bought there.</p>
<p>Two people, or two tabs, may edit one product: send the <code>revision</code> that you read as <code>expected_revision</code> when you change the product or hand it in. If it changed meanwhile, nothing is written and the answer is <code>stale_revision</code>: read it again, and decide anew.</p>
<p>Your addresses change without a new application: send <code>contact_email</code> or <code>support_email</code> with <code>PATCH /v1/sellers/me</code>.</p>
<p>A field whose name the service does not know is ignored, and named in the reply’s header <code>X-Ignored-Fields</code>: look there for misspelt names.</p>`,
  },
  { id: 'statuses', title: 'What each status means', body: statusTables(meanings, 'en') },
  {
    id: 'prices',
    title: 'Prices and currencies',
    body: html`<p><code>price_amount</code> is in the smallest unit of the currency: <code>4800</code> in JPY is ¥4,800, in USD $48.00. Prices include tax. Zero is allowed: the buyer then pays nothing and gets a license all the same. Some currencies are charged in steps, and the <code>message</code> of a refusal names the step.</p>
<p>The buyer pays you: the charge goes to your account at the payment provider, less the fee of this service. Orders keep the price and the terms of the moment at which they were made, whatever you change later.</p>
<p>A license is used for as long as the buyer likes. <code>updates_days</code> says for how many days it is owed updates: 365 is a year, 0 the version of the day alone, 36,500 (the default) without end. The product’s page and the order say it before the purchase, and the license has the date as <code>updates_until</code>. How apps go by it stands in the <a href="/docs/updates?lang=en">guide to updates</a>.</p>`,
  },
  sellingMore,
  {
    id: 'files',
    title: 'Files and review',
    body: html`<p>Three requests for each file: <code>upload-intent</code> with <code>filename</code>, <code>content_type</code>, <code>size_bytes</code> and <code>sha256_hex</code>; a PUT of the bytes to the <code>upload_url</code> that it answers, with exactly its <code>required_headers</code>; <code>…/files/{product_file_id}/finalize</code> with the same size and hash. The service hashes and scans what arrived, and an admin approves it. At most 20 files of a product are live at once. Pictures for the page have <code>"purpose": "image"</code>.</p>
<p>A large file goes up in parts, and a line that breaks costs you one of them: <code>upload-intent</code> with <code>part_size_bytes</code> (8 to 64 MiB) answers <code>parts</code> too, and you have 24 hours. Ask <code>POST …/files/{product_file_id}/parts</code> for the URLs of up to 16 parts at a time, each by its <code>part_number</code> and <code>sha256_hex</code>, and PUT them in any order; <code>GET</code> of the same address lists what is stored, so that you go on where you stopped. Then <code>finalize</code>, as before.</p>
<p>A product on sale can be edited: <code>pending</code> shows what differs and waits. Hand it in; what is on sale stays as it was until an admin approves the change.</p>`,
  },
  {
    id: 'releases',
    title: 'New versions',
    body: html`<p>A release is a version of your app with its notes and files. Draft it with <code>POST /v1/products/{product_id}/releases</code>, and hand it in with <code>…/submit</code>, which names everything that it lacks. An admin approves it with its files, and you publish it, to all devices or to a share of them. A published one that is broken is taken back with <code>…/yank</code>, for good. None of this changes the product, or what it is sold for.</p>
<p>Buyers find every version that their license covers on their page, anybody reads what changed on the page of the product’s releases, and apps with an updater are offered what is covered. How, and how your build machine hands releases in, stands in the <a href="/docs/updates?lang=en#ci">guide to updates</a>.</p>`,
  },
  {
    id: 'refunds',
    title: 'Refunds and disputes',
    body: html`<p><strong>Refunds are made at the payment provider</strong>, in your account there; this service has no request for it. The provider tells us, and within moments:</p>
<ul>
<li><strong>The whole amount was refunded:</strong> the order is <code>refunded</code>, the license no longer usable, its key no longer shown, and the buyer gets one mail that says so.</li>
<li><strong>A part was refunded:</strong> the order is <code>partially_refunded</code>, and the license keeps working, with all its seats and updates.</li>
<li><strong>An addition was refunded:</strong> what it added is gone; the license <a href="#selling-more">keeps the rest</a>.</li>
<li><strong>The buyer’s bank disputes the charge:</strong> the license stops at once. If you win, it works again; if you lose, it counts as refunded. Answer disputes at the provider, in time.</li>
</ul>
<p>A license that was activated offline, or holds a lease, runs until that ends.</p>`,
  },
  {
    id: 'buyers',
    title: 'When a buyer writes to you',
    body: html`<p>Find the sale with <code>POST /v1/orders/search</code>, by license key, address or order id. <code>GET /v1/orders/{order_id}</code> shows the license, how its mail fared, and the devices as “device 1”, “device 2”: never the buyer’s address, nor the key. What happened to the sale since, in order, is at <code>GET /v1/orders/{order_id}/history</code>: payment, mails, devices that came and went, and who did what.</p>
${codeBlock('Find the sale, look at it, send fresh links', sale)}
${table(
  'What buyers ask for, and what to do',
  ['They say', 'You do'],
  [
    [
      '“I lost the key, or the mail.”',
      html`Send them to <code>/manage</code>: it mails fresh links to the address they paid with. Or <code>POST /v1/orders/{order_id}/resend-link</code>.`,
    ],
    [
      '“I have a new computer, and no seat is free.”',
      html`Buyers release devices themselves on their page, to which <code>/manage</code> leads. Or <code>POST …/activations/{activation_id}/release</code>.`,
    ],
    [
      '“I mistyped my address.”',
      html`<code>POST /v1/orders/{order_id}/buyer-email-request</code>. An admin decides, since whoever has the address has the license.`,
    ],
    [
      '“I need one more seat.”',
      html`Where you <a href="#selling-more">sell seats</a>, they buy it on their page. To give it: <code>PATCH /v1/orders/{order_id}/license</code> with <code>activation_limit</code>.`,
    ],
    [
      '“I would like updates for longer.”',
      html`Where you <a href="#selling-more">sell them</a>, on their page. To give them: <code>PATCH /v1/orders/{order_id}/license</code> with a later <code>updates_until</code>.`,
    ],
    [
      '“My key is on the internet.”',
      html`They replace it on their page. To stop it at once: <code>POST …/license/suspend</code>, later <code>reinstate</code>.`,
    ],
    ['“I want my money back.”', html`Refund it at the payment provider; <a href="#refunds">what follows</a> happens by itself.`],
    [
      'Nothing, but the sale looks wrong',
      html`Look at <code>GET /v1/orders/{order_id}/history</code>. <code>POST …/license/suspend</code> stops the license at the app’s next call; nothing is lost, and <code>reinstate</code> brings it back. To end it for good, write to the operator: an admin revokes it.`,
    ],
  ],
)}`,
  },
  {
    id: 'imports',
    title: 'Codes of your own',
    body: html`<p>A product with <code>"license_issuance_mode": "imported_csv"</code> sells codes that you import: a CSV in UTF-8 with a header row and a column <code>code</code>, to <code>POST /v1/products/{product_id}/code-batches</code>. Each code is sold once; one that you imported before is a duplicate and is left out. <code>errors</code> names each rejected row, with its line in the file. <code>GET …/code-stock</code> tells how many are left; a paid order that finds none waits, and gets its code with the next import.</p>`,
  },
  events,
];
