/** The element, or null: a page may leave parts out. */
export function find<Kind extends HTMLElement = HTMLElement>(selector: string, within: ParentNode = document): Kind | null {
  return within.querySelector<Kind>(selector);
}

export function fill(field: string, text: string, within: ParentNode = document): void {
  const element = find(`[data-field="${field}"]`, within);
  if (element) element.textContent = text;
}

/** Shows one of the elements that `selector` finds, and hides the others. */
export function showOnly(chosen: Element | null, selector: string, within: ParentNode = document): void {
  for (const element of within.querySelectorAll<HTMLElement>(selector)) element.hidden = element !== chosen;
}

/** Shows every part of the page whose `data-when` names something that holds. */
export function showWhen(holds: ReadonlySet<string>): void {
  for (const element of document.querySelectorAll<HTMLElement>('[data-when]')) {
    element.hidden = !element.dataset['when']?.split(' ').some((name) => holds.has(name));
  }
}

/** Runs `start` once the page is parsed: at once, when it is already. */
export function whenParsed(start: () => void): void {
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', start, { once: true });
  else start();
}
