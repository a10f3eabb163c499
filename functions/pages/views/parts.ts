import { mailtoOf } from '../../../shared/email-address.ts';
import { type Html, html, type Part } from '../../../shared/html.ts';
import { languageOf } from '../../../shared/text-language.ts';
import type { Texts } from '../texts/texts.ts';

/** Names with their values, in the order given. */
export function facts(rows: readonly (readonly [name: string, value: Part])[]): Html {
  return html`<dl class="facts">
${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`)}</dl>`;
}

/** What a seller wrote, in a line: it reads in its own direction and language. */
export function sellerText(text: string, others: readonly string[] = []): Html {
  return html`<span dir="auto" lang="${languageOf(text, others)}">${text}</span>`;
}

/** Text that a seller wrote: blank lines part paragraphs, line breaks stay, and it reads in its own direction and language. */
export function prose(text: string, others: readonly string[] = []): Html {
  const paragraphs = text
    .replace(/\r\n?/g, '\n')
    .split(/\n{2,}/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '');
  return html`<div class="prose" dir="auto" lang="${languageOf(text, others)}">${paragraphs.map((paragraph) => html`<p>${paragraph}</p>\n`)}</div>`;
}

export function mailLink(address: string): Html {
  return html`<a class="address" href="${mailtoOf(address)}">${address}</a>`;
}

/** The form that requests a fresh link. Its script unhides it, since without one it could not be sent. */
export function resendForm(say: Texts['resend']): Html {
  return html`<form class="resend" data-resend novalidate hidden>
<p>${say.text}</p>
<div class="field">
<label for="buyer-email">${say.email}</label>
<input id="buyer-email" name="buyer_email" type="email" autocomplete="email" inputmode="email" maxlength="254" required aria-describedby="resend-error">
<p id="resend-error" class="field-error" data-resend-error hidden>${say.invalid}</p>
</div>
<button class="button" type="submit"><span data-resend-idle>${say.send}</span><span data-resend-busy hidden>${say.sending}</span></button>
<p class="outcome" role="status"><span data-resend-sent hidden>${say.sent}</span><span data-resend-failed hidden>${say.failed}</span></p>
</form>
<noscript><p>${say.needsScript}</p></noscript>`;
}
