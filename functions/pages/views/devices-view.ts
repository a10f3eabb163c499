import { type Html, html, type Part } from '../../../shared/html.ts';
import type { Reader } from '../reader.ts';
import { outcomes } from './parts.ts';

/** A question that a button opens, in its place: its script moves the focus there and back. */
function question({
  id,
  ask,
  text,
  confirm,
  cancel,
  working,
}: Record<'ask' | 'text' | 'confirm' | 'cancel' | 'working', Part> & { id?: string }): Html {
  return html`<div class="question notice warn" role="group" data-question${id && html` aria-labelledby="${id}"`} hidden>
<p${id && html` id="${id}"`} tabindex="-1">${ask}</p>
<p>${text}</p>
<p class="key-actions"><button class="button danger" type="button" data-confirm><span data-idle>${confirm}</span><span data-busy hidden>${working}</span></button><button class="button quiet" type="button" data-cancel>${cancel}</button></p>
</div>`;
}

/** The devices that have a seat, each to be released after a question. */
export function devicesSection(reader: Reader): Html {
  const say = reader.say.devices;
  return html`<section data-when="devices" aria-labelledby="devices" data-devices hidden>
<h2 id="devices" tabindex="-1">${say.title}</h2>
<p data-none hidden>${say.none}</p>
<p data-loading hidden>${say.loading}</p>
<ul class="devices" data-list></ul>
<template data-device><li class="device">
<div><p class="device-name" data-field="device-name" data-unnamed="${say.unnamed('{id}')}" dir="auto" lang=""></p>
<p class="small" data-field="device-since" data-pattern="${say.since('{date}')}"></p></div>
<div><button class="button quiet" type="button" data-open data-name-pattern="${say.releaseName('{device}')}">${say.release}</button></div>
${question({
  ask: html`<strong data-field="ask" data-pattern="${say.ask('{device}')}"></strong>`,
  text: say.askText,
  confirm: say.confirm,
  cancel: say.cancel,
  working: say.working,
})}
<p class="device-outcome">${outcomes(reader.say, { moves_exhausted: say.noMoves, deactivation_not_allowed: say.notAllowed, activation_not_found: say.notFound })}</p>
</li></template>
<p data-more hidden><button class="button quiet" type="button">${say.more}</button></p>
<p data-list-outcome>${outcomes(reader.say, { released: html`<span data-field="released" data-pattern="${say.released('{device}')}"></span>`, license_not_usable: say.none })}</p>
<p data-retry hidden><button class="text-button" type="button">${say.retry}</button></p>
<p class="small"><span data-moves="some" data-field="moves" data-pattern="${say.movesLeft('{count}')}" hidden></span><span data-moves="none" hidden>${say.noMoves}</span> <span data-moves="next" data-field="next-move" data-pattern="${say.nextMove('{date}')}" hidden></span><span data-moves="never" hidden>${say.neverMoves}</span></p>
</section>`;
}

/** The way to a new key when the old one leaked: a warning first, then a question. */
export function replaceKeySection(reader: Reader): Html {
  const say = reader.say.replaceKey;
  return html`<details class="replace-key" data-when="license-active" data-replace-key hidden><summary>${say.title}</summary>
<p>${say.text}</p>
<ul>${say.warnings.map((warning) => html`<li>${warning}</li>\n`)}</ul>
<p><button class="button quiet" type="button" data-open>${say.start}</button></p>
${question({ id: 'replace-key', ask: html`<strong>${say.ask}</strong>`, text: say.askText, confirm: say.confirm, cancel: say.cancel, working: say.working })}
<p>${outcomes(reader.say, { wrong_issuance_mode: say.notHere, moves_exhausted: say.exhausted, license_not_usable: say.notUsable })}</p>
</details>`;
}
