/** The element, or null: a page may leave parts out. */
export function find<Kind extends HTMLElement = HTMLElement>(selector: string, within: ParentNode = document): Kind | null {
  return within.querySelector<Kind>(selector);
}

const fieldsOf = (field: string, within: ParentNode) => within.querySelectorAll<HTMLElement>(`[data-field="${field}"]`);

export function fill(field: string, text: string, within: ParentNode = document): void {
  for (const element of fieldsOf(field, within)) element.textContent = text;
}

/** The same with words that may be in another language than the page. */
export function fillInLanguage(field: string, text: string, language: string): void {
  fill(field, text);
  for (const element of fieldsOf(field, document)) {
    if (language === document.documentElement.lang) element.removeAttribute('lang');
    else element.setAttribute('lang', language);
  }
}

/** Fills in the pattern that the field itself carries; without values the field is empty. */
export function fillPattern(field: string, values: Record<string, string> | undefined, within: ParentNode = document): void {
  for (const element of fieldsOf(field, within)) element.textContent = values ? inPattern(element.dataset['pattern'], values) : '';
}

export const inPattern = (pattern: string | undefined, values: Record<string, string>): string =>
  (pattern ?? '').replaceAll(/\{(\w+)\}/g, (_, name) => values[name] ?? '');

/** Fills a link with an address, which it also leads to; `href` where that is not the address itself. */
export function fillLink(field: string, text: string, href: string): void {
  fill(field, text);
  for (const element of fieldsOf(field, document)) element.setAttribute('href', href);
}

export function setHidden(selector: string, hidden: boolean, within: ParentNode = document): void {
  for (const element of within.querySelectorAll<HTMLElement>(selector)) element.hidden = hidden;
}

/** Says whether what is in a field is wrong, where its `fieldError` is, and leads there. */
export function showInvalid(input: HTMLElement | null, is: boolean): void {
  if (!input) return;
  input.setAttribute('aria-invalid', String(is));
  setHidden('[data-invalid]', !is, input.closest('.field') ?? document);
  if (is) input.focus();
}

/** Shows on a button, or wherever else, that something is being done. */
export function showBusy(within: ParentNode, is: boolean): void {
  setHidden('[data-idle]', is, within);
  setHidden('[data-busy]', !is, within);
}

/** A copy of the row that is in a template of the page. */
export function copyOf(template: string): HTMLElement {
  const content = find<HTMLTemplateElement>(template)?.content;
  return (content && find('li', document.importNode(content, true))) ?? document.createElement('li');
}

/** Shows one of the elements that `selector` finds, and hides the others. */
export function showOnly(chosen: Element | null, selector: string, within: ParentNode = document): void {
  for (const element of within.querySelectorAll<HTMLElement>(selector)) element.hidden = element !== chosen;
}

/** Shows every part of the page whose `data-when` names something that holds. */
export function showFacts(holds: ReadonlySet<string>): void {
  for (const element of document.querySelectorAll<HTMLElement>('[data-when]')) {
    element.hidden = !element.dataset['when']?.split(' ').some((name) => holds.has(name));
  }
}

/** Shows one state of the page, and has screen readers say its heading when that is another than before. */
export function showState(facts: readonly string[]): void {
  showFacts(new Set(facts));
  const heading = [...document.querySelectorAll<HTMLElement>('main h1')].find((element) => element.offsetParent);
  const live = find('[data-announce]');
  if (live && heading && live.textContent !== heading.textContent) live.textContent = heading.textContent;
}

/** Runs `start` once the page is parsed: at once, when it is already. */
export function whenParsed(start: () => void): void {
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', start, { once: true });
  else start();
}
