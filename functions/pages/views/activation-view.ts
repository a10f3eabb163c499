import { type Html, html } from '../../../shared/html.ts';
import type { RuntimeCode } from '../../../shared/licenses/runtime-license.ts';
import { hrefFor, type Reader } from '../reader.ts';
import type { Texts } from '../texts/texts.ts';
import { facts } from './components.ts';
import { renderPage } from './layout.ts';

/**
 * Both states of the activation page: what is asked for, and the license file. Its script has no words of its
 * own: it shows the `data-fault` that a reply names, and fills what `data-field` names. The form has neither an
 * address nor names, so that whatever a browser does with it alone, the key is sent nowhere.
 */
export function renderActivation(reader: Reader): Html {
  const { title, lead, needsScript } = reader.texts.activation;
  return renderPage({
    reader,
    title,
    path: '/activate',
    script: 'activation.js',
    main: html`<section data-state="asking">
<h1>${title}</h1>
<p class="lead">${lead}</p>
<noscript><p class="notice warn">${needsScript}</p></noscript>
${requestForm(reader)}
</section>
${licenseFile(reader.texts)}`,
  });
}

function requestForm(reader: Reader): Html {
  const { texts } = reader;
  const { key, code, takesSeat, send, sending } = texts.activation;
  return html`<form class="activation" data-activation autocomplete="off" novalidate hidden>
<div class="field">
<label for="license-key">${texts.completion.key}</label>
<p class="small" id="license-key-hint">${key.hint}</p>
<input id="license-key" type="text" autocomplete="off" autocapitalize="characters" autocorrect="off" spellcheck="false" translate="no" required aria-describedby="license-key-hint license-key-fault">
${fieldFaults('license-key', { license_key_missing: key.missing, license_key_malformed: key.malformed, license_not_found: key.unknown, license_replaced: key.replaced })}
</div>
<div class="field">
<label for="request-code">${code.label}</label>
<p class="small" id="request-code-hint">${code.hint}</p>
<textarea id="request-code" rows="5" autocomplete="off" autocapitalize="off" autocorrect="off" spellcheck="false" translate="no" required aria-describedby="request-code-hint request-code-fault"></textarea>
${fieldFaults('request-code', { request_code_missing: code.missing, request_code_malformed: code.malformed })}
<p class="from-file"><button class="text-button" type="button" data-pick-file>${code.fromFile}</button><input type="file" data-file hidden><span class="outcome" role="status"><span data-file-read hidden>${code.fileRead}</span><span data-file-refused hidden>${code.fileRefused}</span></span></p>
</div>
${problems(reader)}
<button class="button" type="submit"><span data-idle>${send}</span><span data-busy hidden>${sending}</span></button>
<p class="visually-hidden" role="status"><span data-busy hidden>${sending}</span></p>
<p class="small">${takesSeat}</p>
</form>`;
}

const fieldFaults = (field: string, faults: Record<string, string>) =>
  html`<p class="field-error" id="${field}-fault">${Object.entries(faults).map(([name, text]) => html`<span data-fault="${name}" hidden>${text}</span>`)}</p>`;

/** The codes that say that the license was found, and why it cannot be used. */
type Refusal = Exclude<
  RuntimeCode,
  | 'valid'
  | 'activated'
  | 'already_activated'
  | 'deactivated'
  | 'not_activated'
  | 'license_key_malformed'
  | 'license_not_found'
  | 'license_replaced'
>;

/** What is no fault of a field, by the code that says so; `license_unusable` stands for those that come to be. */
function problems(reader: Reader): Html {
  const { activation, completion, errors } = reader.texts;
  const { notOffered, noSeat, refunded, disputed, unusable, tooMany, unreachable, entriesStay } = activation;
  const refusals: Record<Refusal | 'license_unusable', readonly [title: string, text: string]> = {
    license_revoked: [completion.revoked, completion.revokedText],
    license_refunded: [refunded.title, refunded.text],
    license_disputed: [disputed.title, disputed.text],
    license_suspended: [completion.suspended, completion.suspendedText],
    license_expired: [completion.expired, completion.expiredText],
    license_unusable: [unusable.title, unusable.text],
  };
  const problem = (name: string, kind: 'bad' | 'warn', title: string, text: Html) =>
    html`<div class="notice ${kind}" data-fault="${name}" tabindex="-1" role="group" aria-labelledby="${name}" hidden><h2 id="${name}">${title}</h2><p>${text}</p></div>\n`;
  return html`${Object.entries(refusals).map(([name, [title, text]]) => problem(name, 'bad', title, html`${text}`))}
${problem('offline_not_offered', 'bad', notOffered.title, html`${notOffered.text}`)}
${problem('activation_limit_exceeded', 'bad', noSeat.title, html`${noSeat.text} <a href="${hrefFor(reader, '/manage')}" target="_blank">${noSeat.manage}</a>`)}
${problem('rate_limited', 'warn', errors.tooMany, html`<span data-field="wait" data-pattern="${tooMany('{time}')}"></span> ${entriesStay}`)}
${problem('dependency_unavailable', 'warn', errors.unavailable, html`${errors.unavailableText} ${entriesStay}`)}
${problem('unreachable', 'warn', completion.unreachable, html`${unreachable} ${entriesStay}`)}
${problem('internal_error', 'bad', errors.failed, html`${errors.failedText} ${errors.requestId}: <code data-field="request-id"></code>`)}`;
}

function licenseFile({ activation, completion }: Texts): Html {
  const texts = activation.file;
  return html`<section class="license-file" data-state="ready" hidden>
<h1 tabindex="-1" data-ready>${texts.title}</h1>
<p><span data-seat="activated" hidden>${texts.tookSeat}</span><span data-seat="already_activated" hidden>${texts.hadSeat}</span></p>
<div class="card">
<p class="key-actions"><a class="button" data-save="license.lease">${texts.save}</a><button class="button quiet" type="button" data-copy>${texts.copy}</button><span class="outcome" role="status"><span data-copied hidden>${completion.copied}</span><span data-copy-by-hand hidden>${texts.copyByHand}</span></span></p>
<label for="lease">${texts.asText}</label>
<textarea id="lease" rows="5" readonly autocomplete="off" spellcheck="false" translate="no" data-lease></textarea>
${facts([
  [texts.until, html`<strong data-field="until"></strong>`],
  [completion.seats, html`<span data-field="seats" data-pattern="${completion.seatsOf('{used}', '{limit}')}"></span>`],
])}
</div>
<section aria-labelledby="next"><h2 id="next">${texts.next}</h2>
<ol class="how-to">${texts.nextSteps.map((step) => html`<li>${step}</li>\n`)}</ol>
</section>
<ul class="notice">${texts.goodToKnow.map((fact) => html`<li>${fact}</li>\n`)}</ul>
<p><button class="button quiet" type="button" data-start-over>${texts.startOver}</button></p>
</section>`;
}
