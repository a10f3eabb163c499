import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/locale.ts';
import { localPage } from '../pages/local-page.ts';
import { identityTexts } from './identity-texts.ts';
import { newcomerHint, type SignInOption } from './people.ts';

/** Asks who signs in. Each form repeats the request with the hint that names somebody. */
export function choicePage({
  people,
  request,
  locale,
}: {
  people: readonly SignInOption[];
  request: URLSearchParams;
  locale: Locale;
}): Html {
  const texts = identityTexts[locale];
  const repeated = [...request].filter(([name]) => !answered.includes(name));
  const form = ({ hint, name }: Pick<SignInOption, 'hint' | 'name'>) => html`<li><form action="authorize">
${repeated.map(([field, value]) => html`<input type="hidden" name="${field}" value="${value}">\n`)}<button name="login_hint" value="${hint}"><bdi>${name}</bdi></button>${name !== hint && hint !== newcomerHint && html` <code>${hint}</code>`}
</form></li>\n`;
  const listed = (role: SignInOption['role']) => people.filter((person) => person.role === role).map(form);
  const sellers = listed('seller');
  return localPage({
    title: texts.choose,
    locale,
    main: html`<p>${texts.chooseNote}</p>
<h2>${texts.admins}</h2>
<ul>${listed('admin')}</ul>
<h2>${texts.sellers}</h2>
${sellers.length === 0 ? html`<p class="note">${texts.noSeller}</p>` : html`<ul>${sellers}</ul>`}
<h2>${texts.newcomers}</h2>
<ul>${form({ hint: newcomerHint, name: texts.someoneNew })}</ul>`,
  });
}

/** What led to the page, and is answered by the choice. */
const answered: readonly string[] = ['login_hint', 'prompt', 'max_age'];

/** A request that nobody is sent back from. The reason is in the words of the protocol. */
export function refusalPage(reason: string, locale: Locale): Html {
  const { refused, refusedNote } = identityTexts[locale];
  return localPage({ title: refused, locale, main: html`<p>${refusedNote}</p>\n<p lang="en"><code>${reason}</code></p>` });
}

export function signedOutPage(locale: Locale): Html {
  const { signedOut, signedOutNote } = identityTexts[locale];
  return localPage({ title: signedOut, locale, main: html`<p>${signedOutNote}</p>` });
}
