import { type Html, html } from '../../../shared/html.ts';
import { additionSection, offersSection } from '../purchase/offers-section.ts';
import { hrefFor, type Reader } from '../reader.ts';
import { updatesSection } from '../releases/updates-section.ts';
import { emailForm, linkForm, outcomeMessages, resendForm, troubleStates } from './components.ts';
import { devicesSection, replaceKeySection } from './devices-view.ts';
import { renderPage, steps } from './layout.ts';
import { operatorContact } from './operator-view.ts';

/**
 * Every state of the completion page at once. Its script shows the parts whose
 * `data-when` names something that holds, and fills what `data-field` names, so
 * that it has no texts of its own. Until it runs the page shows that it is opening.
 */
export function renderCompletion(reader: Reader): Html {
  const texts = reader.texts.completion;
  return renderPage({
    reader,
    title: texts.title,
    path: '/complete',
    script: 'completion.js',
    main: html`<div class="completion" data-completion>
<p class="visually-hidden" role="status" data-announce></p>
<noscript><div class="message"><h1>${texts.title}</h1><p class="notice warn">${texts.needsScript}</p><p><a href="${hrefFor(reader, '/manage')}">${reader.texts.help.manage}</a></p></div></noscript>
<div data-when="just-bought" hidden>${steps(reader, 'key')}</div>
${states(reader)}
<section class="card" data-when="no-link link-invalid" aria-labelledby="pasted-link-title" hidden>
${linkForm(reader)}
</section>
${purchase(reader)}
<section class="card" data-when="no-link link-ended link-invalid" aria-labelledby="resend" data-fresh-link hidden>
<h2 id="resend">${reader.texts.resend.title}</h2>
${resendForm(reader)}
</section>
${help(reader)}
</div>`,
  });
}

function states(reader: Reader): Html {
  const { completion: texts, trouble } = reader.texts;
  const message = (when: string, title: string, text: string) => html`<section class="message" data-when="${when}" hidden>
<h1>${title}</h1><p>${text}</p>
</section>
`;
  return html`<section class="message" data-when="opening">
<h1>${texts.opening}</h1><progress aria-label="${texts.opening}"></progress>
</section>
<section class="message" data-when="waiting" hidden>
<h1>${texts.waiting}</h1><p>${texts.waitingText}</p><progress aria-label="${texts.waiting}" data-when="polling"></progress>
</section>
${message('waiting-days', texts.waitingDays, texts.waitingDaysText)}${troubleStates(reader)}
<p data-when="trouble-polling" hidden>${trouble.goesOn}</p>
<section class="notice warn" data-when="waiting-long" hidden>
<h2>${texts.waitingLong}</h2><ul>${texts.waitingLongText.map((text) => html`<li>${text}</li>`)}</ul>
</section>
<p data-when="stopped" hidden>${texts.stopped}</p>
<p data-when="waiting-long waiting-days trouble stopped" hidden><button class="button quiet" type="button" data-check-now>${texts.checkNow}</button></p>
${message('no-link', texts.noLink, texts.noLinkText)}${message('expired-before-shown', texts.linkExpired, texts.linkExpiredText)}${message('link-invalid', texts.linkInvalid, texts.linkInvalidText)}${message('checkout-ended', texts.checkoutEnded, texts.checkoutEndedText)}`;
}

/** What a page that cannot go on still has to offer: the order to quote, who can help, and where to go. */
function help(reader: Reader): Html {
  const texts = reader.texts.help;
  const contact = operatorContact(reader);
  return html`<section data-when="help" aria-labelledby="help" hidden><h2 id="help">${texts.title}</h2>
<dl class="facts">
<div data-when="order-known" hidden><dt>${reader.texts.completion.order}</dt><dd><span data-field="known-order"></span><p class="small">${texts.quote}</p></dd></div>
${contact !== undefined && html`<div><dt>${texts.contact}</dt><dd>${contact}</dd></div>`}
</dl>
<p class="key-actions"><a class="button quiet" data-when="product-known" data-product hidden>${reader.texts.backToProduct}</a><a class="button quiet" href="${hrefFor(reader, '/manage')}">${texts.manage}</a></p>
</section>`;
}

const statuses = ['active', 'suspended', 'expired', 'refunded', 'disputed', 'revoked', 'held', 'none'] as const;

function purchase(reader: Reader): Html {
  const { completion: texts, purchase: more } = reader.texts;
  const notice = (when: string, kind: string, title: string, text: string, next?: Html) =>
    html`<div class="notice ${kind}" data-when="${when}" hidden><h2>${title}</h2><p>${text}</p>${next}</div>\n`;
  const buyAgain = html`<p class="key-actions"><a class="button quiet" data-buy-again data-pattern="${hrefFor(reader, '/p/{slug}')}">${more.buyAgain}</a></p>`;
  return html`<div data-when="purchase" hidden>
<h1 data-when="thanks" hidden>${texts.thanks}</h1><h1 data-when="thanks-for-addition" hidden>${reader.texts.addition.thanks}</h1><h1 data-when="revisit" hidden>${texts.purchase}</h1>
<div class="lead bought"><div data-picture></div><p><strong data-field="product-name" dir="auto" lang=""></strong></p></div>
${notice('license-none', 'warn', texts.issuing, texts.issuingText)}${notice('license-refunded', 'bad', texts.refunded, texts.refundedText, buyAgain)}${notice('held-by-dispute', 'bad', texts.disputed, texts.disputedText)}${heldNotice(reader, 'source-refunded', more.held.refunded)}${heldNotice(reader, 'source-disputed', more.held.disputed)}${notice('payment-lost', 'bad', more.lost, more.lostText)}${notice('license-revoked', 'bad', texts.revoked, texts.revokedText)}${notice('license-suspended', 'warn', texts.suspended, texts.suspendedText)}${notice('license-expired', 'warn', texts.expired, texts.expiredText)}${notice('expired-while-shown', 'warn', texts.linkExpired, texts.linkExpiredText)}${notice('ended-while-shown', 'warn', more.linkEnded, more.linkEndedText)}<div class="notice warn" data-when="bought-before" hidden><h2>${more.boughtBefore.title}</h2><p data-field="bought-before" data-pattern="${more.boughtBefore.text('{time}')}"></p><p>${more.boughtBefore.support} <a class="address" data-field="support"></a></p></div>
<p class="notice" data-when="partly-refunded" hidden>${texts.partlyRefunded}</p>
${additionSection(reader)}
<section class="key-card" data-when="licensed" aria-labelledby="key">
<div data-when="key">
<h2 id="key" tabindex="-1">${texts.key}</h2>
<p class="key" data-field="license-key" translate="no"></p>
<p class="key-actions"><button class="button" type="button" data-copy>${texts.copy}</button><span class="outcome" role="status"><span data-outcome="copied" hidden>${texts.copied}</span><span data-outcome="copy-by-hand" hidden>${texts.copyByHand}</span><span data-outcome="replaced" hidden>${reader.texts.replaceKey.done}</span></span></p>
</div>
<dl class="key-facts">
<div><dt>${texts.status}</dt><dd>${statuses.map((status) => html`<span class="status ${status}" data-when="license-${status}" hidden>${texts.statuses[status]}</span>`)}</dd></div>
<div data-when="devices"><dt>${texts.seats}</dt><dd data-field="seats" data-pattern="${texts.seatsOf('{used}', '{limit}')}"></dd></div>
</dl>
<p class="refresh"><button class="text-button" type="button" data-refresh>${texts.refresh}</button> <span data-refresh-outcome>${outcomeMessages(reader.texts, { refreshed: texts.refreshed })}</span></p>
</section>
${mailedTo(reader)}
<p data-when="came-from-license" hidden><button class="button quiet" type="button" data-to-license>${reader.texts.addition.toLicense}</button></p>
${files(reader)}
${updatesSection(reader)}
<section data-when="license-active" aria-labelledby="how-to"><h2 id="how-to">${texts.howTo}</h2>
<ol class="how-to"><li data-when="files releases">${more.getFromFiles}</li><li data-when="no-files-but-site" hidden>${more.getFromSite} <a class="address" data-field="site"></a></li><li data-when="no-files-no-site" hidden>${more.getFromSupport} <a class="address" data-field="support"></a></li>
<li>${texts.pasteKey}</li>
<li>${texts.takesSeat} <a href="${hrefFor(reader, '/manage')}">${texts.backHere}</a></li></ol>
<p class="small">${texts.keepSafe}</p>
</section>
${devicesSection(reader)}
${offersSection(reader)}
${replaceKeySection(reader)}
${details(reader)}
</div>`;
}

/** That what an upgrade was upgraded from holds it, with what was paid for the upgrade itself and whom to write to. */
function heldNotice({ texts }: Reader, when: string, { text, paid }: { text: string; paid: string }): Html {
  const { title, support } = texts.purchase.held;
  return html`<div class="notice bad" data-when="${when}" hidden><h2>${title}</h2><p>${text}</p><p data-when="source-paid" data-field="paid-for-upgrade" data-pattern="${paid}" hidden></p><p>${support} <a class="address" data-field="support"></a></p></div>
`;
}

/** Where the link went, for the payer; correcting that is offered as long as the service allows it. */
function mailedTo({ texts }: Reader): Html {
  const { address } = texts;
  const { sent, toSend, unknown, unreachable, likely, propose, wrong, add, hint, email, send, done, already, notUsable, linkInvalid } =
    address;
  const own = { sent: done, email_already_corrected: already, license_not_usable: notUsable, completion_token_invalid: linkInvalid };
  return html`<div class="mailed-to" data-when="payer" hidden>
<p data-when="mail-sent" data-field="mail-sent" data-pattern="${sent('{address}')}" hidden></p><p data-when="mail-to-send" data-field="mail-to-send" data-pattern="${toSend('{address}')}" hidden></p><p data-when="mail-unknown" hidden>${unknown}</p>
<p class="notice warn" data-when="mail-unreachable" data-field="mail-unreachable" data-pattern="${unreachable('{address}')}" hidden></p>
<p class="notice warn" data-when="likely-address" hidden><span data-field="likely-address" data-pattern="${likely('{address}')}"></span> <button class="text-button" type="button" data-propose>${propose}</button></p>
<p data-when="corrected" tabindex="-1" data-corrected hidden>${done}</p>
<details data-correction data-when="correctable"><summary><span data-when="mail-sent mail-to-send mail-unreachable">${wrong}</span><span data-when="mail-unknown" hidden>${add}</span></summary>
${emailForm(texts, { name: 'correct', label: email, send, hint, own })}
</details>
</div>`;
}

function files(reader: Reader): Html {
  const { completion: texts, purchase: more } = reader.texts;
  const own = {
    preparing: texts.preparing,
    started: texts.started,
    license_not_usable: texts.notUsable,
    file_not_available: texts.notAvailable,
    file_not_found: texts.notAvailable,
    update_not_covered: reader.texts.releases.notCovered,
    completion_token_expired: more.linkExpired,
  };
  return html`<section data-when="files" aria-labelledby="files" hidden><h2 id="files">${texts.files}</h2>
<ul class="files" data-files></ul>
<template data-file-row><li class="file">
<div class="file-text"><p class="file-name" data-field="file-name" dir="auto" lang=""></p>
<p class="small" data-field="file-size"></p>
<p class="small hash"><abbr title="SHA-256">SHA-256</abbr> <code data-field="file-hash" translate="no"></code></p></div>
<div class="file-action"><button class="button" type="button" data-download data-name-pattern="${texts.downloadName('{file}')}">${texts.download}</button></div>
<p class="file-outcome">${outcomeMessages(reader.texts, own)}</p>
</li></template>
</section>`;
}

function details(reader: Reader): Html {
  const { completion: texts, purchase: more, product, terms, choice, receipt } = reader.texts;
  const row = (name: string, field: string, when = 'purchase') =>
    html`<div data-when="${when}" hidden><dt>${name}</dt><dd class="prose" data-field="${field}" dir="auto"></dd></div>\n`;
  const sellerTextRow = (name: string, field: string, when = 'purchase') =>
    html`<div data-when="${when}" hidden><dt>${name}</dt><dd class="prose" data-field="${field}" dir="auto" lang=""></dd></div>\n`;
  return html`<section aria-labelledby="order"><h2 id="order">${texts.details}</h2>
<dl class="facts">
${row(texts.order, 'order-id')}${row(terms.quantity, 'quantity', 'several')}${row(choice.unitPrice, 'unit-price', 'unit-price')}${row(receipt.discount, 'discount', 'discount')}${row(texts.amount, 'amount')}${row(receipt.refunded, 'amount-refunded', 'some-refunded')}${row(texts.paidAt, 'paid-at')}${row(texts.issuedAt, 'issued-at', 'license')}${row(texts.updatesUntil, 'updates-until', 'updates-end')}
${sellerTextRow(texts.seller, 'seller')}${sellerTextRow(terms.address, 'seller-address', 'seller-address')}${sellerTextRow(terms.contact, 'seller-contact', 'seller-contact')}<div data-when="seller-site" hidden><dt>${more.site}</dt><dd><a class="address" data-field="site"></a></dd></div>
<div><dt>${texts.support}</dt><dd><a class="address" data-field="support"></a></dd></div>
${sellerTextRow(product.refunds, 'refund-policy')}${sellerTextRow(product.environment, 'environment')}</dl>
<p class="key-actions"><a class="button quiet" href="${hrefFor(reader, '/receipt')}" data-keeps-link>${more.receipt}</a></p>
<p class="small" data-when="link-lasts" data-field="link-until" data-pattern="${texts.linkUntil('{time}')}"></p>
</section>`;
}
