import { type Html, html } from '../../../shared/html.ts';
import { additionSection, offersSection } from '../purchase/offers-section.ts';
import { hrefFor, type Reader } from '../reader.ts';
import { updatesSection } from '../releases/updates-section.ts';
import { devicesSection, replaceKeySection } from './devices-view.ts';
import { renderPage, steps } from './layout.ts';
import { operatorContact } from './operator-view.ts';
import { emailForm, outcomes, resendForm } from './parts.ts';
import { troubleStates } from './trouble-view.ts';

/**
 * Every state of the completion page at once. Its script shows the parts whose
 * `data-when` names something that holds, and fills what `data-field` names, so
 * that it has no texts of its own. Until it runs the page shows that it is opening.
 */
export function renderCompletion(reader: Reader): Html {
  const say = reader.say.completion;
  return renderPage({
    reader,
    title: say.title,
    path: '/complete',
    script: 'completion.js',
    main: html`<div class="completion" data-completion>
<p class="visually-hidden" role="status" data-announce></p>
<noscript><div class="message"><h1>${say.title}</h1><p class="notice warn">${say.needsScript}</p><p><a href="${hrefFor(reader, '/manage')}">${reader.say.help.manage}</a></p></div></noscript>
<div data-when="just-bought" hidden>${steps(reader, 'key')}</div>
${states(reader)}
${purchase(reader)}
<section class="card" data-when="no-link link-ended link-invalid" aria-labelledby="resend" data-fresh-link hidden>
<h2 id="resend">${reader.say.resend.title}</h2>
${resendForm(reader)}
</section>
${help(reader)}
</div>`,
  });
}

function states(reader: Reader): Html {
  const { completion: say, trouble } = reader.say;
  const message = (when: string, title: string, text: string) => html`<section class="message" data-when="${when}" hidden>
<h1>${title}</h1><p>${text}</p>
</section>
`;
  return html`<section class="message" data-when="opening">
<h1>${say.opening}</h1><progress aria-label="${say.opening}"></progress>
</section>
<section class="message" data-when="waiting" hidden>
<h1>${say.waiting}</h1><p>${say.waitingText}</p><progress aria-label="${say.waiting}" data-when="polling"></progress>
</section>
${troubleStates(reader)}
<p data-when="trouble-polling" hidden>${trouble.goesOn}</p>
<section class="notice warn" data-when="waiting-long" hidden>
<h2>${say.waitingLong}</h2><ul>${say.waitingLongText.map((text) => html`<li>${text}</li>`)}</ul>
</section>
<p data-when="stopped" hidden>${say.stopped}</p>
<p data-when="waiting-long trouble stopped" hidden><button class="button quiet" type="button" data-check-now>${say.checkNow}</button></p>
${message('no-link', say.noLink, say.noLinkText)}${message('expired-before-shown', say.linkExpired, say.linkExpiredText)}${message('link-invalid', say.linkInvalid, say.linkInvalidText)}${message('checkout-ended', say.checkoutEnded, say.checkoutEndedText)}`;
}

/** What a page that cannot go on still has to offer: the order to quote, who can help, and where to go. */
function help(reader: Reader): Html {
  const say = reader.say.help;
  const contact = operatorContact(reader);
  return html`<section data-when="help" aria-labelledby="help" hidden><h2 id="help">${say.title}</h2>
<dl class="facts">
<div data-when="order-known" hidden><dt>${reader.say.completion.order}</dt><dd><span data-field="known-order"></span><p class="small">${say.quote}</p></dd></div>
${contact !== undefined && html`<div><dt>${say.contact}</dt><dd>${contact}</dd></div>`}
</dl>
<p class="key-actions"><a class="button quiet" data-when="product-known" data-product hidden>${say.product}</a><a class="button quiet" href="${hrefFor(reader, '/manage')}">${say.manage}</a></p>
</section>`;
}

const statuses = ['active', 'suspended', 'expired', 'refunded', 'disputed', 'revoked', 'none'] as const;

function purchase(reader: Reader): Html {
  const { completion: say, purchase: more } = reader.say;
  const notice = (when: string, kind: string, title: string, text: string, next?: Html) =>
    html`<div class="notice ${kind}" data-when="${when}" hidden><h2>${title}</h2><p>${text}</p>${next}</div>\n`;
  const buyAgain = html`<p class="key-actions"><a class="button quiet" data-buy-again data-pattern="${hrefFor(reader, '/p/{slug}')}">${more.buyAgain}</a></p>`;
  return html`<div data-when="purchase" hidden>
<h1 data-when="thanks" hidden>${say.thanks}</h1><h1 data-when="thanks-for-addition" hidden>${reader.say.addition.thanks}</h1><h1 data-when="revisit" hidden>${say.purchase}</h1>
<div class="lead bought"><div data-picture></div><p><strong data-field="product-name" dir="auto" lang=""></strong></p></div>
${notice('license-none', 'warn', say.issuing, say.issuingText)}${notice('license-refunded', 'bad', say.refunded, say.refundedText, buyAgain)}${notice('held-by-dispute', 'bad', say.disputed, say.disputedText)}${notice('payment-lost', 'bad', more.lost, more.lostText)}${notice('license-revoked', 'bad', say.revoked, say.revokedText)}${notice('license-suspended', 'warn', say.suspended, say.suspendedText)}${notice('license-expired', 'warn', say.expired, say.expiredText)}${notice('expired-while-shown', 'warn', say.linkExpired, say.linkExpiredText)}${notice('ended-while-shown', 'warn', more.linkEnded, more.linkEndedText)}<p class="notice" data-when="partly-refunded" hidden>${say.partlyRefunded}</p>
${additionSection(reader)}
<section class="key-card" data-when="licensed" aria-labelledby="key">
<div data-when="key">
<h2 id="key" tabindex="-1">${say.key}</h2>
<p class="key" data-field="license-key" translate="no"></p>
<p class="key-actions"><button class="button" type="button" data-copy>${say.copy}</button><span class="outcome" role="status"><span data-outcome="copied" hidden>${say.copied}</span><span data-outcome="copy-by-hand" hidden>${say.copyByHand}</span><span data-outcome="replaced" hidden>${reader.say.replaceKey.done}</span></span></p>
</div>
<dl class="key-facts">
<div><dt>${say.status}</dt><dd>${statuses.map((status) => html`<span class="status ${status}" data-when="license-${status}" hidden>${say.statuses[status]}</span>`)}</dd></div>
<div data-when="devices"><dt>${say.seats}</dt><dd data-field="seats" data-pattern="${say.seatsOf('{used}', '{limit}')}"></dd></div>
</dl>
<p class="refresh"><button class="text-button" type="button" data-refresh>${say.refresh}</button> <span data-refresh-outcome>${outcomes(reader.say, { refreshed: say.refreshed })}</span></p>
</section>
${mailedTo(reader)}
<p data-when="came-from-license" hidden><button class="button quiet" type="button" data-to-license>${reader.say.addition.toLicense}</button></p>
${files(reader)}
${updatesSection(reader)}
<section data-when="license-active" aria-labelledby="how-to"><h2 id="how-to">${say.howTo}</h2>
<ol class="how-to"><li data-when="files releases">${more.getFromFiles}</li><li data-when="no-files-but-site" hidden>${more.getFromSite} <a class="address" data-field="site"></a></li><li data-when="no-files-no-site" hidden>${more.getFromSupport} <a class="address" data-field="support"></a></li>
<li>${say.pasteKey}</li>
<li>${say.takesSeat} <a href="${hrefFor(reader, '/manage')}">${say.backHere}</a></li></ol>
<p class="small">${say.keepSafe}</p>
</section>
${devicesSection(reader)}
${offersSection(reader)}
${replaceKeySection(reader)}
${details(reader)}
</div>`;
}

/** Where the link went, for the payer; correcting that is offered as long as the service allows it. */
function mailedTo({ say }: Reader): Html {
  const { address } = say;
  const { sent, toSend, unknown, likely, propose, wrong, add, hint, email, send, sending, done, already, notUsable, linkInvalid } = address;
  const own = { sent: done, email_already_corrected: already, license_not_usable: notUsable, completion_token_invalid: linkInvalid };
  return html`<div class="mailed-to" data-when="payer" hidden>
<p data-when="mail-sent" data-field="mail-sent" data-pattern="${sent('{address}')}" hidden></p><p data-when="mail-to-send" data-field="mail-to-send" data-pattern="${toSend('{address}')}" hidden></p><p data-when="mail-unknown" hidden>${unknown}</p>
<p class="notice warn" data-when="likely-address" hidden><span data-field="likely-address" data-pattern="${likely('{address}')}"></span> <button class="text-button" type="button" data-propose>${propose}</button></p>
<p data-when="corrected" tabindex="-1" data-corrected hidden>${done}</p>
<details data-correction data-when="correctable"><summary><span data-when="mail-sent mail-to-send">${wrong}</span><span data-when="mail-unknown" hidden>${add}</span></summary>
${emailForm(say, { name: 'correct', label: email, send, sending, hint, own })}
</details>
</div>`;
}

function files(reader: Reader): Html {
  const { completion: say, purchase: more } = reader.say;
  const own = {
    preparing: say.preparing,
    started: say.started,
    license_not_usable: say.notUsable,
    file_not_available: say.notAvailable,
    file_not_found: say.notAvailable,
    update_not_covered: reader.say.releases.notCovered,
    completion_token_expired: more.linkExpired,
  };
  return html`<section data-when="files" aria-labelledby="files" hidden><h2 id="files">${say.files}</h2>
<ul class="files" data-files></ul>
<template data-file-row><li class="file">
<div class="file-text"><p class="file-name" data-field="file-name" dir="auto" lang=""></p>
<p class="small" data-field="file-size"></p>
<p class="small hash"><abbr title="SHA-256">SHA-256</abbr> <code data-field="file-hash" translate="no"></code></p></div>
<div class="file-action"><button class="button" type="button" data-download data-name-pattern="${say.downloadName('{file}')}">${say.download}</button></div>
<p class="file-outcome">${outcomes(reader.say, own)}</p>
</li></template>
</section>`;
}

function details(reader: Reader): Html {
  const { completion: say, purchase: more, receipt } = reader.say;
  const row = (name: string, field: string, when = 'purchase') =>
    html`<div data-when="${when}" hidden><dt>${name}</dt><dd class="prose" data-field="${field}" dir="auto"></dd></div>\n`;
  const written = (name: string, field: string, when = 'purchase') =>
    html`<div data-when="${when}" hidden><dt>${name}</dt><dd class="prose" data-field="${field}" dir="auto" lang=""></dd></div>\n`;
  return html`<section aria-labelledby="order"><h2 id="order">${say.details}</h2>
<dl class="facts">
${row(say.order, 'order-id')}${row(receipt.quantity, 'quantity', 'several')}${row(receipt.unitPrice, 'unit-price', 'unit-price')}${row(receipt.discount, 'discount', 'discount')}${row(say.amount, 'amount')}${row(more.amountRefunded, 'amount-refunded', 'some-refunded')}${row(say.paidAt, 'paid-at')}${row(say.issuedAt, 'issued-at', 'license')}${row(say.updatesUntil, 'updates-until', 'updates-end')}
${written(say.seller, 'seller')}${written(more.sellerAddress, 'seller-address', 'seller-address')}${written(more.sellerContact, 'seller-contact', 'seller-contact')}<div data-when="seller-site" hidden><dt>${more.site}</dt><dd><a class="address" data-field="site"></a></dd></div>
<div><dt>${say.support}</dt><dd><a class="address" data-field="support"></a></dd></div>
${written(say.refunds, 'refund-policy')}${written(say.environment, 'environment')}</dl>
<p class="key-actions"><a class="button quiet" href="${hrefFor(reader, '/receipt')}" data-keeps-link>${more.receipt}</a></p>
<p class="small" data-when="link-lasts" data-field="link-until" data-pattern="${say.linkUntil('{time}')}"></p>
</section>`;
}
