import { type Html, html, type Part } from '../../../shared/html.ts';
import { hrefFor, type Reader } from '../reader.ts';
import { renderPage } from './layout.ts';
import { troubleStates } from './trouble-view.ts';

/** The receipt of a purchase, to print. Like the completion page it is filled by its script and holds nothing before. */
export function renderReceipt(reader: Reader): Html {
  const say = reader.say.receipt;
  return renderPage({
    reader,
    title: say.title,
    path: '/receipt',
    script: 'receipt.js',
    main: html`<div class="completion" data-receipt-page>
<p class="visually-hidden" role="status" data-announce></p>
<noscript><div class="message"><h1>${say.title}</h1><p class="notice warn">${say.needsScript}</p></div></noscript>
<section class="message" data-when="opening">
<h1>${say.opening}</h1><progress aria-label="${say.opening}"></progress>
</section>
${troubleStates(reader)}
<p data-when="trouble" hidden><button class="button quiet" type="button" data-again>${reader.say.errors.tryAgain}</button></p>
<section class="message" data-when="no-link" hidden>
<h1>${say.noLink}</h1><p>${say.noLinkText}</p><p><a class="button quiet" href="${hrefFor(reader, '/manage')}">${reader.say.help.manage}</a></p>
</section>
${sheet(reader)}
</div>`,
  });
}

function sheet(reader: Reader): Html {
  const say = reader.say.receipt;
  return html`<div class="receipt-page" data-when="receipt" hidden>
<p class="receipt-actions"><button class="button" type="button" data-print>${say.print}</button><a class="button quiet" href="${hrefFor(reader, '/complete')}" data-keeps-link>${say.back}</a></p>
<article class="receipt" data-title-paid="${say.title}" data-title-free="${say.confirmation}" data-title-qualified="${say.qualified}">
<h1 data-when="plain" hidden>${say.title}</h1><h1 data-when="qualified" hidden>${say.qualified}</h1><h1 data-when="free" hidden>${say.confirmation}</h1>
<p class="receipt-test">${say.testMode}</p>
<div class="receipt-to"><label for="receipt-name">${say.to}</label><input id="receipt-name" type="text" maxlength="200" autocomplete="off" aria-describedby="receipt-name-hint"><span>${say.honorific}</span></div>
<p class="small receipt-hint" id="receipt-name-hint">${say.toHint}</p>
<p class="receipt-amount"><span class="small">${say.amount}</span> <strong data-field="amount" data-pattern="${say.withTax('{amount}', '{currency}')}" data-yen="${say.withTax('{amount}', 'JPY')}" data-free="${say.free}"></strong></p>
<p class="receipt-stamp" data-when="refunded-in-full" hidden>${say.stamp}</p>
<p data-when="paid" hidden>${say.forWhat}</p>
<p data-when="paid" hidden>${say.received}</p><p data-when="refunded-in-part" hidden><strong data-field="then-refunded" data-pattern="${say.thenRefunded('{amount}')}"></strong></p><p data-when="refunded-in-full" hidden><strong>${say.thenRefundedAll}</strong></p><p data-when="lost" hidden><strong>${say.thenLost}</strong></p><p data-when="free" hidden>${say.nothingPaid}</p>
<p class="notice warn" data-when="disputed" hidden>${say.disputed}</p>
<dl class="facts">
${row(say.paidAt, 'paid-on', 'paid')}${row(say.orderedAt, 'ordered-on', 'free')}${row(say.order, 'order-id')}${soldRow(reader)}${row(say.quantity, 'quantity', 'several invoice')}${row(say.unitPrice, 'unit-price', 'unit-price')}${row(say.discount, 'discount', 'discount')}<div data-when="paid" hidden><dt>${say.method}</dt><dd>${say.methodText}</dd></div>
${row(say.refunded, 'refunded', 'refunded')}${row(say.remaining, 'remaining', 'refunded')}${row(ratesOf(reader), 'total-at-rate', 'invoice')}${row(say.tax, 'tax', 'invoice')}</dl>
<section aria-labelledby="issuer"><h2 id="issuer">${say.issuer}</h2>
<p class="receipt-issuer prose" data-field="issuer" dir="auto" lang=""></p>
${inPlaceOf(reader)}<dl class="facts">
${row(say.registrationNumber, 'registration-number', 'invoice')}${row(say.consignor, 'consignor', 'by-operator')}${row(say.address, 'address', 'address')}${row(say.contact, 'contact')}</dl>
</section>
${givenBack(reader)}
<p class="small" data-when="no-invoice" hidden><span data-when="paid">${say.noInvoice}</span></p>
</article>
</div>`;
}

const row = (name: Part, field: string, when = 'receipt') =>
  html`<div data-when="${when}" hidden><dt>${name}</dt><dd class="prose" data-field="${field}" dir="auto"></dd></div>\n`;

/** What was sold, marked where the reduced rate holds for it. */
const soldRow = ({ say: { receipt: say } }: Reader) =>
  html`<div><dt>${say.product}</dt><dd><span data-field="product-name" dir="auto" lang=""></span><span data-field="added"></span> <span data-when="rate-8" hidden>${say.reduced}</span></dd></div>\n`;

/** For whom the operator issues it. */
const inPlaceOf = ({ say: { receipt: say } }: Reader) =>
  html`<p class="small" data-when="by-operator" data-field="in-place-of" data-pattern="${say.inPlaceOf('{seller}')}" hidden></p>\n`;

const ratesOf = ({ say: { receipt: say } }: Reader) =>
  html`<span data-when="rate-10">${say.atRate(10)}</span><span data-when="rate-8">${say.atReducedRate(8)}</span><span data-when="rate-0">${say.untaxed}</span>`;

/** What was given back of it: a document of its own, complete by itself, on the same sheet. */
function givenBack(reader: Reader): Html {
  const say = reader.say.receipt;
  return html`<section class="receipt-back" data-when="given-back" aria-labelledby="given-back" hidden><h2 id="given-back"><span data-when="qualified">${say.qualifiedReturn}</span><span data-when="plain">${say.plainReturn}</span></h2>
<dl class="facts">
${row(say.givenBackOn, 'given-back-on')}${row(say.paidAt, 'paid-on')}${soldRow(reader)}${row(ratesOf(reader), 'given-back')}${row(say.tax, 'tax-given-back')}${row(say.issuer, 'issuer')}${row(say.registrationNumber, 'registration-number')}${row(say.consignor, 'consignor', 'by-operator')}</dl>
${inPlaceOf(reader)}</section>`;
}
