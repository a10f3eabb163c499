import * as z from 'zod/mini';
import { mailtoUrl } from '../../../shared/email-address.ts';
import { type Html, type HtmlValue, html } from '../../../shared/html.ts';
import { disclosedFields } from '../../../shared/products/fields.ts';
import { languageOf } from '../../../shared/text/text-language.ts';
import type { ProductOffer } from '../find-offer.ts';
import { hrefFor, type Reader } from '../reader.ts';
import type { Texts } from '../texts/texts.ts';

/** Names with their values, in the order given. */
export function facts(rows: readonly (readonly [name: string, value: HtmlValue])[]): Html {
  return html`<dl class="facts">
${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`)}</dl>`;
}

const { supportEmail: _, ...disclosedTexts } = disclosedFields;
const names = ['name', 'description', ...z.keyof(z.object(disclosedTexts)).options] as const;

/** Everything that the seller wrote about the product: together it tells the language of the shorter texts. */
export const sellerTexts = ({ product, sellerName }: Pick<ProductOffer, 'product' | 'sellerName'>): string[] =>
  [sellerName, ...names.map((name) => product[name])].filter((text) => text !== undefined);

/** What a seller wrote, in a line: it reads in its own direction and language. */
export function sellerText(text: string, others: readonly string[] = []): Html {
  return html`<span dir="auto" lang="${languageOf(text, others)}">${text}</span>`;
}

/** Text that a seller wrote: blank lines part paragraphs, line breaks stay, and it reads in its own direction and language. */
export function sellerParagraphs(text: string, others: readonly string[] = []): Html {
  const paragraphs = text
    .replace(/\r\n?/g, '\n')
    .split(/\n{2,}/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '');
  return html`<div class="prose" dir="auto" lang="${languageOf(text, others)}">${paragraphs.map((paragraph) => html`<p>${paragraph}</p>\n`)}</div>`;
}

export function mailLink(address: string): Html {
  return html`<a class="address" href="${mailtoUrl(address)}">${address}</a>`;
}

/**
 * The possible outcomes of a request, of which a script shows one: `own` texts by outcome, otherwise the reason of the
 * failure. Screen readers watch it.
 */
export function outcomeMessages({ trouble }: Texts, own: Record<string, HtmlValue>): Html {
  const failures: Record<string, HtmlValue> = {
    completion_token_expired: trouble.linkEnded,
    completion_token_invalid: trouble.linkEnded,
    rate_limited: html`<span data-field="wait" data-pattern="${trouble.tooManyRetry('{time}')}"></span>`,
    offline: trouble.offlineRetry,
    unreachable: trouble.unreachableRetry,
    dependency_unavailable: trouble.unavailableRetry,
    internal_error: html`${trouble.failedRetry} <span data-field="request-id" data-pattern="${trouble.requestNumber('{id}')}"></span>`,
  };
  const words = Object.entries({ ...failures, ...own });
  return html`<span class="outcome" role="status">${words.map(([name, text]) => html`<span data-outcome="${name}" hidden>${text}</span>`)}</span>`;
}

/** What is wrong with the field that it describes, which a script shows. Screen readers read a hidden description, but not the hidden part of a shown one. */
export const fieldError = (id: string, text: string): Html =>
  html`<p class="field-error" id="${id}"><span data-invalid hidden>${text}</span></p>`;

interface EmailForm {
  /** Says which form it is, in `data-form`, and begins the ids. */
  name: string;
  label: string;
  send: string;
  /** Where the form goes without a script. */
  action?: string;
  hint?: string;
  /** What came of it, by the code of the reply; `sent` when it worked. */
  own: Record<string, HtmlValue>;
}

/** A form that asks for an e-mail address alone. What is wrong is said by the page, in its language, and never by the browser. */
export function emailForm(texts: Texts, { name, label, send, action, hint, own }: EmailForm): Html {
  const describedBy = `${hint === undefined ? '' : `${name}-hint `}${name}-error`;
  return html`<form class="email-form" data-form="${name}"${action !== undefined && html` method="post" action="${action}"`} novalidate>
<div class="field">
<label for="${name}-email">${label}</label>
${hint !== undefined && html`<p class="small" id="${name}-hint">${hint}</p>\n`}<input id="${name}-email" name="buyer_email" type="email" autocomplete="email" inputmode="email" maxlength="254" required aria-describedby="${describedBy}">
${fieldError(`${name}-error`, texts.resend.invalid)}
</div>
<button class="button" type="submit"><span data-idle>${send}</span><span data-busy hidden>${texts.resend.sending}</span></button>
<p>${outcomeMessages(texts, own)}</p>
</form>`;
}

/** The form that has fresh links sent; without a script the page `/manage` answers it. */
export function resendForm(reader: Reader): Html {
  const { text, email, send, sent } = reader.texts.resend;
  return html`<p>${text}</p>
${emailForm(reader.texts, { name: 'resend', label: email, send, action: hrefFor(reader, '/manage'), own: { sent } })}`;
}

/** The form for a link that came without its end. Its field has no name and the form no address, so no browser sends it by itself. */
export function linkForm({ texts: { pastedLink: texts } }: Reader): Html {
  return html`<h2 id="pasted-link-title">${texts.title}</h2>
<p>${texts.text}</p>
<form class="email-form" data-form="link" novalidate>
<div class="field">
<label for="pasted-link">${texts.label}</label>
<input id="pasted-link" type="text" autocomplete="off" autocapitalize="none" spellcheck="false" aria-describedby="pasted-link-error">
${fieldError('pasted-link-error', texts.invalid)}
</div>
<button class="button" type="submit">${texts.open}</button>
</form>`;
}

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
