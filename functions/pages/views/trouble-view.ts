import { type Html, html } from '../../../shared/html.ts';
import type { Reader } from '../reader.ts';

/** The states of a page that cannot go on for now, by what is in its way; a script shows one. */
export function troubleStates({ texts }: Reader): Html {
  const { trouble, errors, completion } = texts;
  const state = (name: string, title: string, text: Html) => html`<section class="message" data-when="${name}" hidden>
<h1>${title}</h1><p>${text}</p>
</section>
`;
  const number = html`<span data-field="request-id" data-pattern="${trouble.requestNumber('{id}')}"></span>`;
  return html`${state('offline', trouble.offline, html`${trouble.offlineText}`)}${state('unreachable', completion.unreachable, html`${trouble.offlineText}`)}${state('rate_limited', errors.tooMany, html`<span data-field="wait" data-pattern="${trouble.tooManyText('{time}')}"></span>`)}${state('dependency_unavailable', errors.unavailable, html`${errors.unavailableText}`)}${state('internal_error', errors.failed, html`${trouble.failedText} ${number}`)}`;
}
