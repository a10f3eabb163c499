import { type Html, type HtmlValue, html } from '../../../shared/html.ts';
import { hrefFor, type Reader } from '../reader.ts';
import { linkForm, troubleStates } from './components.ts';
import { renderPage } from './layout.ts';

/** The receipt of a purchase, to print. Like the completion page it is filled by its script and holds nothing before. */
export function renderReceipt(reader: Reader): Html {
  const texts = reader.texts.receipt;
  return renderPage({
    reader,
    title: texts.title,
    path: '/receipt',
    script: 'receipt.js',
    main: html`<div class="completion" data-receipt-page>
<p class="visually-hidden" role="status" data-announce></p>
<noscript><div class="message"><h1>${texts.title}</h1><p class="notice warn">${texts.needsScript}</p></div></noscript>
<section class="message" data-when="opening">
<h1>${texts.opening}</h1><progress aria-label="${texts.opening}"></progress>
</section>
${troubleStates(reader)}
<p data-when="trouble" hidden><button class="button quiet" type="button" data-again>${reader.texts.errors.tryAgain}</button></p>
<section class="message" data-when="no-link" hidden>
<h1>${texts.noLink}</h1><p>${texts.noLinkText}</p><p><a class="button quiet" href="${hrefFor(reader, '/manage')}">${reader.texts.help.manage}</a></p>
</section>
<section class="card" data-when="no-link" aria-labelledby="pasted-link-title" hidden>
${linkForm(reader)}
</section>
${sheet(reader)}
</div>`,
  });
}

function sheet(reader: Reader): Html {
  const { receipt: texts, completion, terms, choice } = reader.texts;
  return html`<div class="receipt-page" data-when="receipt" hidden>
<p class="receipt-actions"><button class="button" type="button" data-print>${texts.print}</button><a class="button quiet" href="${hrefFor(reader, '/complete')}" data-keeps-link>${texts.back}</a></p>
<article class="receipt" data-title-paid="${texts.title}" data-title-free="${texts.confirmation}" data-title-qualified="${texts.qualified}">
<h1 data-when="plain" hidden>${texts.title}</h1><h1 data-when="qualified" hidden>${texts.qualified}</h1><h1 data-when="free" hidden>${texts.confirmation}</h1>
<p class="receipt-test">${texts.testMode}</p>
<div class="receipt-to"><label for="receipt-name">${texts.to}</label><input id="receipt-name" type="text" maxlength="200" autocomplete="off" aria-describedby="receipt-name-hint"><span>${texts.honorific}</span></div>
<p class="small receipt-hint" id="receipt-name-hint">${texts.toHint}</p>
<p class="receipt-amount"><span class="small">${completion.amount}</span> <strong data-field="amount" data-pattern="${texts.withTax('{amount}', '{currency}')}" data-yen="${texts.withTax('{amount}', 'JPY')}" data-free="${texts.free}"></strong></p>
<p class="receipt-stamp" data-when="refunded-in-full" hidden>${texts.stamp}</p>
<p data-when="paid" hidden>${texts.forWhat}</p>
<p data-when="paid" hidden>${texts.received}</p><p data-when="refunded-in-part" hidden><strong data-field="then-refunded" data-pattern="${texts.thenRefunded('{amount}')}"></strong></p><p data-when="refunded-in-full" hidden><strong>${texts.thenRefundedAll}</strong></p><p data-when="lost" hidden><strong>${texts.thenLost}</strong></p><p data-when="free" hidden>${texts.nothingPaid}</p>
<p class="notice warn" data-when="disputed" hidden>${texts.disputed}</p>
<dl class="facts">
${row(texts.paidAt, 'paid-on', 'paid')}${row(texts.orderedAt, 'ordered-on', 'free')}${row(completion.order, 'order-id')}${soldRow(reader)}${row(terms.quantity, 'quantity', 'several invoice')}${row(choice.unitPrice, 'unit-price', 'unit-price')}${row(texts.discount, 'discount', 'discount')}<div data-when="paid" hidden><dt>${texts.method}</dt><dd>${texts.methodText}</dd></div>
${row(texts.refunded, 'refunded', 'refunded')}${row(texts.remaining, 'remaining', 'refunded')}${row(ratesOf(reader), 'total-at-rate', 'invoice')}${row(texts.tax, 'tax', 'invoice')}</dl>
<section aria-labelledby="issuer"><h2 id="issuer">${texts.issuer}</h2>
<p class="receipt-issuer prose" data-field="issuer" dir="auto" lang=""></p>
${inPlaceOf(reader)}<dl class="facts">
${row(texts.registrationNumber, 'registration-number', 'invoice')}${row(texts.consignor, 'consignor', 'by-operator')}${row(terms.address, 'address', 'address')}${row(terms.contact, 'contact')}</dl>
</section>
${givenBack(reader)}
<p class="small" data-when="no-invoice" hidden><span data-when="paid">${texts.noInvoice}</span></p>
</article>
</div>`;
}

const row = (name: HtmlValue, field: string, when = 'receipt') =>
  html`<div data-when="${when}" hidden><dt>${name}</dt><dd class="prose" data-field="${field}" dir="auto"></dd></div>\n`;

/** What was sold, marked where the reduced rate holds for it. */
const soldRow = ({ texts: { receipt: texts, checkout } }: Reader) =>
  html`<div><dt>${checkout.product}</dt><dd><span data-field="product-name" dir="auto" lang=""></span><span data-field="added"></span> <span data-when="rate-8" hidden>${texts.reduced}</span></dd></div>\n`;

/** For whom the operator issues it. */
const inPlaceOf = ({ texts: { receipt: texts } }: Reader) =>
  html`<p class="small" data-when="by-operator" data-field="in-place-of" data-pattern="${texts.inPlaceOf('{seller}')}" hidden></p>\n`;

const ratesOf = ({ texts: { receipt: texts } }: Reader) =>
  html`<span data-when="rate-10">${texts.atRate(10)}</span><span data-when="rate-8">${texts.atReducedRate(8)}</span><span data-when="rate-0">${texts.untaxed}</span>`;

/** What was given back of it: a document of its own, complete by itself, on the same sheet. */
function givenBack(reader: Reader): Html {
  const texts = reader.texts.receipt;
  return html`<section class="receipt-back" data-when="given-back" aria-labelledby="given-back" hidden><h2 id="given-back"><span data-when="qualified">${texts.qualifiedReturn}</span><span data-when="plain">${texts.plainReturn}</span></h2>
<dl class="facts">
${row(texts.givenBackOn, 'given-back-on')}${row(texts.paidAt, 'paid-on')}${soldRow(reader)}${row(ratesOf(reader), 'given-back')}${row(texts.tax, 'tax-given-back')}${row(texts.issuer, 'issuer')}${row(texts.registrationNumber, 'registration-number')}${row(texts.consignor, 'consignor', 'by-operator')}</dl>
${inPlaceOf(reader)}</section>`;
}
