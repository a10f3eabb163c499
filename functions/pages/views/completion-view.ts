import { type Html, html } from '../../../shared/html.ts';
import type { Reader } from '../reader.ts';
import type { Texts } from '../texts/texts.ts';
import { renderPage, steps } from './layout.ts';
import { resendForm } from './parts.ts';

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
<noscript><div class="message"><h1>${say.title}</h1><p class="notice warn">${say.needsScript}</p></div></noscript>
<div data-when="opening waiting license-active license-none">${steps(reader, 'key')}</div>
${states(say)}
${purchase(say)}
<section class="card" data-when="no-link link-expired link-invalid" aria-labelledby="resend" hidden>
<h2 id="resend">${reader.say.resend.title}</h2>
${resendForm(reader.say.resend)}
</section>
</div>`,
  });
}

function states(say: Texts['completion']): Html {
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
<section class="message" data-when="unreachable" hidden>
<h1>${say.unreachable}</h1><p>${say.unreachableText}</p><progress aria-label="${say.opening}" data-when="polling"></progress>
</section>
<section class="notice warn" data-when="waiting-long" hidden>
<h2>${say.waitingLong}</h2><ul>${say.waitingLongText.map((text) => html`<li>${text}</li>`)}</ul>
</section>
<p data-when="stopped" hidden>${say.stopped}</p>
<p data-when="waiting-long unreachable stopped" hidden><button class="button quiet" type="button" data-check-now>${say.checkNow}</button></p>
${message('no-link', say.noLink, say.noLinkText)}${message('expired-before-shown', say.linkExpired, say.linkExpiredText)}${message('link-invalid', say.linkInvalid, say.linkInvalidText)}${message('checkout-ended', say.checkoutEnded, say.checkoutEndedText)}`;
}

const statuses = ['active', 'suspended', 'expired', 'refunded', 'disputed', 'revoked', 'none'] as const;

function purchase(say: Texts['completion']): Html {
  const notice = (when: string, kind: string, title: string, text: string) =>
    html`<div class="notice ${kind}" data-when="${when}" hidden><h2>${title}</h2><p>${text}</p></div>\n`;
  return html`<div data-when="purchase" hidden>
<h1 data-when="license-active">${say.thanks}</h1>
<h1 data-when="license-suspended license-expired license-refunded license-disputed license-revoked license-none" hidden>${say.purchase}</h1>
<p class="lead"><strong data-field="product-name" dir="auto"></strong></p>
${notice('license-none', 'warn', say.issuing, say.issuingText)}${notice('license-refunded', 'bad', say.refunded, say.refundedText)}${notice('license-disputed', 'bad', say.disputed, say.disputedText)}${notice('license-revoked', 'bad', say.revoked, say.revokedText)}${notice('license-suspended', 'warn', say.suspended, say.suspendedText)}${notice('license-expired', 'warn', say.expired, say.expiredText)}${notice('expired-while-shown', 'warn', say.linkExpired, say.linkExpiredText)}<p class="notice" data-when="partly-refunded" hidden>${say.partlyRefunded}</p>
<section class="key-card" aria-labelledby="key">
<div data-when="key">
<h2 id="key">${say.key}</h2>
<p class="key" data-field="license-key" translate="no"></p>
<p class="key-actions"><button class="button" type="button" data-copy>${say.copy}</button><span class="outcome" role="status"><span data-copied hidden>${say.copied}</span><span data-copy-by-hand hidden>${say.copyByHand}</span></span></p>
</div>
<dl class="key-facts">
<div><dt>${say.status}</dt><dd>${statuses.map((status) => html`<span class="status ${status}" data-when="license-${status}" hidden>${say.statuses[status]}</span>`)}</dd></div>
<div data-when="license"><dt>${say.seats}</dt><dd data-field="seats" data-pattern="${say.seatsOf('{used}', '{limit}')}"></dd></div>
</dl>
<p class="refresh"><button class="text-button" type="button" data-refresh>${say.refresh}</button> <span role="status"><span data-refreshed hidden>${say.refreshed}</span></span></p>
</section>
${files(say)}
<section data-when="license-active" aria-labelledby="how-to"><h2 id="how-to">${say.howTo}</h2>
<ol class="how-to">${say.howToSteps.map((step) => html`<li>${step}</li>\n`)}</ol>
<p class="small">${say.keepSafe}</p>
</section>
${details(say)}
</div>`;
}

function files(say: Texts['completion']): Html {
  return html`<section data-when="files" aria-labelledby="files" hidden><h2 id="files">${say.files}</h2>
<ul class="files" data-files></ul>
<template data-file-row><li class="file">
<div class="file-text"><p class="file-name" data-field="file-name" dir="auto"></p>
<p class="small" data-field="file-size"></p>
<p class="small hash"><abbr title="SHA-256">SHA-256</abbr> <code data-field="file-hash" translate="no"></code></p></div>
<div class="file-action"><button class="button" type="button" data-download data-name-pattern="${say.downloadName('{file}')}">${say.download}</button></div>
<p class="outcome" role="status"><span data-outcome="preparing" hidden>${say.preparing}</span><span data-outcome="started" hidden>${say.started}</span><span data-outcome="license_not_usable" hidden>${say.notUsable}</span><span data-outcome="file_not_available" hidden>${say.notAvailable}</span><span data-outcome="failed" hidden>${say.downloadFailed}</span></p>
</li></template>
</section>`;
}

function details(say: Texts['completion']): Html {
  const row = (name: string, field: string) => html`<div><dt>${name}</dt><dd data-field="${field}" dir="auto"></dd></div>\n`;
  return html`<section aria-labelledby="order"><h2 id="order">${say.details}</h2>
<dl class="facts">
${row(say.order, 'order-id')}${row(say.amount, 'amount')}${row(say.paidAt, 'paid-at')}<div data-when="license"><dt>${say.issuedAt}</dt><dd data-field="issued-at"></dd></div>
${row(say.seller, 'seller')}<div><dt>${say.support}</dt><dd><a class="address" data-field="support"></a></dd></div>
<div><dt>${say.refunds}</dt><dd class="prose" data-field="refund-policy" dir="auto"></dd></div>
<div><dt>${say.environment}</dt><dd class="prose" data-field="environment" dir="auto"></dd></div>
</dl>
<p class="small" data-when="link-lasts" data-field="link-until" data-pattern="${say.linkUntil('{time}')}"></p>
</section>`;
}
