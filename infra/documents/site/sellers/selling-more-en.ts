import { html } from '../../../../shared/html.ts';
import { codeBlock, type Section, table } from '../guide/section.ts';
import { discount, invoiceNumber, offers } from './requests.ts';

const terms = html`<p>A product can sell more than one license at its price. What it offers is part of the product: a change of a product on sale waits for its review, and what was sold keeps its terms. Discount codes stand beside the product, and nobody reviews them.</p>
${table(
  'What can be sold besides one license',
  ['What', 'Where you say so', 'What the buyer gets'],
  [
    ['Several in one order', html`<code>max_quantity</code>`, 'One license with one key, for as many devices as all of them together.'],
    ['A lower price', html`<code>POST /v1/products/{product_id}/discounts</code>`, 'The same license, for those who have the code.'],
    [
      'More seats, later',
      html`<code>addition_prices</code>: <code>seat</code>`,
      'The license that there is takes more devices. Its key stays.',
    ],
    [
      'Updates for longer',
      html`<code>addition_prices</code>: <code>updates</code>`,
      html`<code>updates_days</code> more for the license that there is.`,
    ],
    [
      'Another product for less',
      html`<code>upgrades_from</code>`,
      'A license and a key of their own for the new product. The old license stays usable.',
    ],
  ],
)}
${codeBlock('A product for teams, and one that its owners get for less', offers)}`;

const quantity = html`<h3>Several in one order</h3>
<p>With <code>max_quantity</code> over 1 the product’s page asks how many. One order makes one license: its <code>activation_limit</code> is the product’s times the <code>quantity</code>, at most 100,000. A product with imported codes sells one at a time. <code>unit_amount</code> is what one cost after the discount, <code>amount</code> the whole; our fee is taken of the whole, once.</p>
<p>If you open checkouts from a shop of your own with <code>POST /v1/public/products/{slug}/checkout</code>: an older version of this service does not know <code>quantity</code>, and sells one. Go by the <code>quantity</code> of the reply, and take a reply without it as one. <code>POST /v1/public/products/{slug}/quote</code> says beforehand what a checkout would cost.</p>`;

const codes = html`<h3>Discount codes</h3>
<p>A code takes <code>percent_off</code> or <code>amount_off</code> off the price of one, rounded down to what the currency can charge; with <code>max_redemptions</code> for that many orders, and between <code>starts_at</code> and <code>ends_at</code>. A link with the code, <code>/p/{slug}?code=SPRING-20</code>, shows the old and the new price. It holds for first purchases: additions and upgrades take no code. Nothing of a discount can be changed; end it, and make another. Its code is never free again. A discount in one currency does not hold while the product is sold in another.</p>
${codeBlock('Make a code, see how it fares, end it', discount)}
<ul>
<li><strong>Carts hold limited codes.</strong> Whoever opens a checkout with a code that has <code>max_redemptions</code> holds one (<code>reserved</code>) for as long as the checkout can be paid, which nobody has to do. What is not paid comes back within 45 minutes. So a limited code can look used up while it is not.</li>
<li><strong>A code of 100 % can be used up by a script.</strong> Free orders need no card, so nothing slows one down. Give such codes to few, set <code>max_redemptions</code>, and never publish one.</li>
<li><strong>Refunds give no redemption back.</strong> An order that was ever paid counts as <code>redeemed</code>. In a rare case, a payment that is heard of very late, there can be more than <code>max_redemptions</code>; no buyer who paid goes without a license.</li>
</ul>`;

const additions = html`<h3>Additions and upgrades</h3>
<p>Buyers find both on the page of their purchase, to which <code>/manage</code> leads, at today’s price and in today’s currency of the product. The license must be usable, and the product, for upgrades the new one, on sale. An addition is an order of its own (<code>kind</code> <code>seats</code> or <code>updates</code>) that names the license’s order in <code>parent_order_id</code> and has no license. An upgrade is an order of the new product (<code>kind</code> <code>upgrade</code>, with <code>upgraded_from</code>), sold once for a license, at the upgrade’s price times the <code>quantity</code> of the order that it is made from.</p>
<p><strong>Who pays for an addition need not own the license.</strong> A colleague with the link may pay; they get a receipt and see what they added, and never the key, the devices or the files. The license’s owner is told by a mail without a link. Search by the license key finds the license’s order and its additions.</p>
${table(
  'What changes a license, and what does not',
  ['What happens', 'The license'],
  [
    [
      'An addition is paid',
      html`More seats, or <code>updates_days</code> more from the end of its updates on; from the payment, if they had ended.`,
    ],
    [
      'An addition is refunded in full, or disputed',
      'What it added is gone, and comes back when you win the dispute. No device loses its seat; new ones find none.',
    ],
    [
      'Any order is refunded in part',
      html`<strong>No seat and no date changes.</strong> To take seats back too, lower the limit with <code>PATCH /v1/orders/{order_id}/license</code>.`,
    ],
    ['You set another limit', 'That holds now. What is added or refunded later moves it up or down from there.'],
    ['You lower the limit', 'No device loses its seat; new ones find none until enough were released.'],
    [
      'An upgrade is paid',
      'The old license stays as it is. The new one has the seats of its own product, times the quantity; added seats and limits that you set are not carried over.',
    ],
    ['The order that was upgraded from is refunded in full, or disputed', 'The upgrade’s license stops too, and comes back with it.'],
    ['The old license is suspended or revoked', 'The upgrade’s license does not follow.'],
    ['You change the product', html`Nothing changes for what was sold. <code>issued_at</code> never moves.`],
  ],
)}
<p><strong>The fee.</strong> A refund goes back from your account. Our fee on what you refund is the operator’s to give back: ask them, the service does not do it by itself.</p>`;

const invoices = html`<h3 id="invoices">Invoices for Japan’s consumption tax</h3>
<p>Give your number as an issuer of qualified invoices, and say in <code>tax_percent</code> of each product what tax is within its prices: 10, 8 or 0. From then on the receipt of a paid order in JPY is a simplified qualified invoice (適格簡易請求書): issuer and number, day, what was sold, total, rate, and the tax within the total. After refunds and lost disputes it has a qualified return invoice (適格返還請求書) over all that went back. You read the same as <code>invoice</code> in <code>GET /v1/orders/{order_id}</code>.</p>
${codeBlock('Give your number', invoiceNumber)}
<ul>
<li>An order keeps number, names and rate as they were when its checkout was opened. Orders before, free ones, and those in other currencies have a plain receipt. At a rate of 0 the receipt names your number and no tax.</li>
<li>Where the operator issues invoices for its sellers (媒介者交付特例), receipts name the operator as the issuer, and you as the one for whom it issues. <strong>Giving your number is your notice to the operator that you are registered.</strong></li>
<li>The form of the number is checked, and not whether it is yours or still valid. When your registration ends, take it away: send <code>""</code>.</li>
</ul>`;

/** What sellers sell besides one license at its price, and what that does and does not do. */
export const sellingMore: Section = {
  id: 'selling-more',
  title: 'Selling more',
  body: html`${terms}
${quantity}
${codes}
${additions}
${invoices}`,
};
