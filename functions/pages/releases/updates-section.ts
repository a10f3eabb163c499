import { type Html, html } from '../../../shared/html.ts';
import type { Reader } from '../reader.ts';
import { outcomeMessages } from '../views/components.ts';

/** The releases of a purchased product, which the script of its page fills in. */
export function updatesSection(reader: Reader): Html {
  const { releases: texts, terms, devices, errors } = reader.texts;
  const heading = html`<span class="release-version" data-field="release-version" data-pattern="${texts.version('{version}')}"></span> <span class="small" data-field="release-day"></span> ${Object.entries(
    { ...texts.channels, critical: texts.critical },
  ).map(([name, text]) => html`<span class="tag${name === 'critical' && ' critical'}" data-tag="${name}" hidden>${text}</span> `)}`;
  const dated = (text: (date: string) => string) => html`<span data-field="release-until" data-pattern="${text('{date}')}"></span>`;
  return html`<section class="updates" aria-labelledby="updates" data-releases hidden>
<h2 id="updates">${terms.updates}</h2>
<p><span data-until="until" hidden>${dated(texts.until)}</span><span data-until="ended" hidden>${dated(texts.ended)}</span><span data-until="endless" hidden>${texts.endless}</span><span data-until="inactive" hidden>${texts.inactive}</span></p>
<ul class="release-list" data-release-list></ul>
<template data-release-row><li><details class="card"><summary>${heading}</summary>
<ul class="files" data-minimum="${texts.orLater('{os}')}"></ul>
<p data-no-files hidden>${texts.noFiles}</p>
<div data-notes><h3>${texts.changes}</h3><div class="prose notes" data-field="release-notes" dir="auto" lang=""></div></div>
</details></li></template>
<div data-uncovered hidden><h3><span data-heading="uncovered">${texts.uncovered}</span><span data-heading="inactive" hidden>${texts.all}</span></h3>
<ul class="release-list" data-uncovered-list></ul></div>
<template data-uncovered-row><li>${heading}
<p class="small"><span data-reason="later" hidden>${dated(texts.later)}</span><span data-reason="features" hidden>${texts.features}</span></p></li></template>
<p data-more-releases hidden><button class="button quiet" type="button">${devices.more}</button></p>
<p data-releases-outcome>${outcomeMessages(reader.texts, { license_not_usable: texts.inactive })}</p>
<p data-retry-releases hidden><button class="text-button" type="button">${errors.tryAgain}</button></p>
</section>`;
}
