/**
 * HTML that is escaped by construction: the only way to make `Html` is the `html` tag,
 * and whatever it is given that is not `Html` already is escaped for text and quoted attributes.
 */
class Html {
  readonly #markup: string;
  constructor(markup: string) {
    this.#markup = markup;
  }
  toString(): string {
    return this.#markup;
  }
}

export type { Html };

/** The values that a template takes; `undefined` and `false` render as nothing. */
export type HtmlValue = Html | string | number | undefined | false | readonly HtmlValue[];

/** Template tag. Attribute values must be in double quotes. */
export function html(markup: TemplateStringsArray, ...parts: readonly HtmlValue[]): Html {
  return new Html(markup.reduce((before, after, index) => before + render(parts[index - 1]) + after));
}

/** Markup that another writer escaped, or had, which was kept; `markdown.ts` is the one that there is. */
export const trustedHtml = (markup: string): Html => new Html(markup);

/** Data for programs that read a page: browsers do not run it, and no text in it can end its element. */
export function dataScript(type: string, data: object): Html {
  const json = JSON.stringify(data).replace(/[<>&\u2028\u2029]/g, (symbol) => `\\u${symbol.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return html`<script type="${type}">${new Html(json)}</script>`;
}

function render(part: HtmlValue): string {
  if (part === undefined || part === false) return '';
  if (part instanceof Html) return part.toString();
  if (typeof part === 'string' || typeof part === 'number') return escapeHtml(String(part));
  return part.map(render).join('');
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
}
