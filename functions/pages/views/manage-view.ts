import { tokenLifetimes } from '../../../shared/buyer-access/completion-token.ts';
import { type Html, html } from '../../../shared/html.ts';
import { hrefFor, type Reader } from '../reader.ts';
import { linkForm } from './components.ts';
import { renderPage } from './layout.ts';
import { operatorContact } from './operator-view.ts';

const linkHours = tokenLifetimes.mail / 3600_000;

/** The page that has links to purchases mailed, which needs no script; a pasted link is opened by one. `refused` is the entry that is no address. */
export function renderManage(reader: Reader, refused?: string): Html {
  const texts = reader.texts.manage;
  const invalid = refused !== undefined;
  return renderPage({
    reader,
    title: invalid ? `${texts.error}: ${texts.title}` : texts.title,
    path: '/manage',
    script: 'manage.js',
    main: html`<div class="manage">
<h1>${texts.title}</h1>
<p>${texts.lead}</p>
<form class="email-form card" method="post" action="${hrefFor(reader, '/manage')}" novalidate>
<div class="field">
<label for="buyer-email">${reader.texts.resend.email}</label>
<input id="buyer-email" name="buyer_email" type="email" autocomplete="email" inputmode="email" maxlength="254" required${invalid && html` value="${refused}" aria-invalid="true" aria-describedby="buyer-email-error" autofocus`}>
${invalid && html`<p id="buyer-email-error" class="field-error">${texts.invalid}</p>`}
</div>
<button class="button" type="submit">${texts.send}</button>
</form>
<section class="card" aria-labelledby="pasted-link-title" data-paste="${hrefFor(reader, '/complete')}" hidden>
${linkForm(reader)}
</section>
<section aria-labelledby="gains"><h2 id="gains">${texts.gains}</h2>
<ul>${texts.gainsList.map((gain) => html`<li>${gain}</li>\n`)}</ul>
</section>
${whereToAsk(reader)}
</div>`,
  });
}

/** What anyone sees who gave an address, whether or not it is known. */
export function renderLinksRequested(reader: Reader): Html {
  const texts = reader.texts.manage;
  return renderPage({
    reader,
    title: texts.sent,
    path: '/manage?sent=yes',
    main: html`<div class="manage">
<h1>${texts.sent}</h1>
<p>${texts.sentText(linkHours)}</p>
<ul>${texts.sentHints.map((hint) => html`<li>${hint}</li>\n`)}</ul>
<p><a class="button quiet" href="${hrefFor(reader, '/manage')}">${texts.again}</a></p>
${whereToAsk(reader)}
</div>`,
  });
}

function whereToAsk(reader: Reader): Html {
  const texts = reader.texts.manage;
  const contact = operatorContact(reader);
  return html`<section aria-labelledby="stuck"><h2 id="stuck">${texts.stuck}</h2>
<p>${texts.askSeller}</p>
${contact !== undefined && html`<p>${reader.texts.help.contact}: ${contact}</p>`}
</section>`;
}
