import { type Html, html } from '../../../shared/html.ts';
import type { Reader } from '../reader.ts';
import type { Texts } from '../texts/texts.ts';
import { outcomeMessages } from './components.ts';

/** A question that a button opens, in its place: its script moves the focus there and back. */
function question({ devices }: Texts, words: Pick<Texts['devices'], 'askText' | 'confirm' | 'working'>, ask: Html, id?: string): Html {
  const { askText, confirm, working } = words;
  return html`<div class="question notice warn" role="group" data-question${id && html` aria-labelledby="${id}"`} hidden>
<p${id && html` id="${id}"`} tabindex="-1">${ask}</p>
<p>${askText}</p>
<p class="key-actions"><button class="button danger" type="button" data-confirm><span data-idle>${confirm}</span><span data-busy hidden>${working}</span></button><button class="button quiet" type="button" data-cancel>${devices.cancel}</button></p>
</div>`;
}

/** The devices that have a seat, each to be released after a question. */
export function devicesSection(reader: Reader): Html {
  const texts = reader.texts.devices;
  return html`<section data-when="devices" aria-labelledby="devices" data-devices hidden>
<h2 id="devices" tabindex="-1">${texts.title}</h2>
<p data-none hidden>${texts.none}</p>
<p data-loading hidden>${texts.loading}</p>
<ul class="devices" data-list></ul>
<template data-device><li class="device">
<div><p class="device-name" data-field="device-name" data-unnamed="${texts.unnamed('{id}')}" dir="auto" lang=""></p>
<p class="small" data-field="device-since" data-pattern="${texts.since('{date}')}"></p></div>
<div><button class="button quiet" type="button" data-open data-name-pattern="${texts.releaseName('{device}')}">${texts.release}</button></div>
${question(reader.texts, texts, html`<strong data-field="ask" data-pattern="${texts.ask('{device}')}"></strong>`)}
<p class="device-outcome">${outcomeMessages(reader.texts, { moves_exhausted: texts.noMoves, deactivation_not_allowed: texts.notAllowed, activation_not_found: texts.notFound })}</p>
</li></template>
<p data-more hidden><button class="button quiet" type="button">${texts.more}</button></p>
<p data-list-outcome>${outcomeMessages(reader.texts, { released: html`<span data-field="released" data-pattern="${texts.released('{device}')}"></span>`, license_not_usable: texts.none })}</p>
<p data-retry hidden><button class="text-button" type="button">${reader.texts.errors.tryAgain}</button></p>
<p class="small"><span data-moves="some" data-field="moves" data-pattern="${texts.movesLeft('{count}')}" hidden></span><span data-moves="none" hidden>${texts.noMoves}</span> <span data-moves="next" data-field="next-move" data-pattern="${texts.nextMove('{date}')}" hidden></span><span data-moves="never" hidden>${texts.neverMoves}</span></p>
</section>`;
}

/** The way to a new key when the old one leaked: a warning first, then a question. */
export function replaceKeySection(reader: Reader): Html {
  const texts = reader.texts.replaceKey;
  return html`<details class="replace-key" data-when="license-active" data-replace-key hidden><summary>${texts.title}</summary>
<p>${texts.text}</p>
<ul>${texts.warnings.map((warning) => html`<li>${warning}</li>\n`)}</ul>
<p><button class="button quiet" type="button" data-open>${texts.start}</button></p>
${question(reader.texts, texts, html`<strong>${texts.ask}</strong>`, 'replace-key')}
<p>${outcomeMessages(reader.texts, { wrong_issuance_mode: texts.notHere, moves_exhausted: texts.exhausted, license_not_usable: texts.notUsable })}</p>
</details>`;
}
