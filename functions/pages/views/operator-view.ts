import { type Html, type HtmlValue, html } from '../../../shared/html.ts';
import { serviceNameIn } from '../../../shared/operator.ts';
import type { Reader } from '../reader.ts';
import { mailLink } from './components.ts';

/** The name of the service, for this reader. */
export const serviceNameOf = ({ operator, locale }: Reader): string => serviceNameIn(locale, operator);

/** By what the operator is reached: an address to write to, a page, or the text itself; undefined when none is set. */
export function operatorContact({ operator: { contact } }: Reader): HtmlValue | undefined {
  if (contact === undefined) return undefined;
  if (/^[^\s@]+@[^\s@]+$/.test(contact)) return mailLink(contact);
  return /^https?:\/\/\S+$/.test(contact) ? html`<a href="${contact}">${contact}</a>` : contact;
}

/** Who stands behind the page: the operator, the rules, and who takes the payments. */
export function operatorFooter(reader: Reader): Html {
  const { operator, texts } = reader;
  const contact = operatorContact(reader);
  const facts: [string, HtmlValue | undefined][] = [
    [texts.operator.name, operator.name],
    [texts.operator.address, operator.address],
    [texts.operator.contact, contact],
  ];
  const links: [string, string | undefined][] = [
    [texts.operator.terms, operator.termsUrl],
    [texts.operator.privacy, operator.privacyUrl],
  ];
  return html`<footer class="bottom"><div class="bar">
<p>${texts.about}</p>
<p>${texts.operator.payments}</p>
${facts.map(([name, value]) => value !== undefined && html`<p class="operator">${name}: <span dir="auto">${value}</span></p>\n`)}${
  links.some(([, url]) => url !== undefined) &&
  html`<p class="operator links">${links.map(([name, url]) => url !== undefined && html`<a href="${url}">${name}</a> `)}</p>`
}
</div></footer>`;
}
