import type { Html } from '../../../../shared/html.ts';

/** The elements that notes are rendered with, and how their attributes are written. */
const tag = /<(\/?)(h[3-6]|p|em|strong|code|pre|ul|ol|li|blockquote|br|hr|a)((?: [a-z]+="[^"<>]*")*) ?\/?>/g;
const attribute = / (href|rel|start)="([^"]*)"/g;
const empty = new Set(['br', 'hr']);

/** References to symbols, of those that have a name the ones that people write. */
const reference = /&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([a-z]+));/g;
const named: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  copy: '©',
  reg: '®',
  trade: '™',
  hellip: '…',
  ndash: '–',
  mdash: '—',
};

/** Rendered notes as nodes, made one by one: no markup is handed to the browser, which the page forbids. */
export function nodesOf(rendered: Html): DocumentFragment {
  const markup = rendered.toString();
  const fragment = document.createDocumentFragment();
  let within: ParentNode = fragment;
  let at = 0;
  for (const { 0: text, 1: closing, 2: name = '', 3: attributes = '', index } of markup.matchAll(tag)) {
    within.append(textOf(markup.slice(at, index)));
    at = index + text.length;
    if (closing) within = (within instanceof Element && within.parentNode) || fragment;
    else {
      const element = document.createElement(name);
      for (const [, key = '', value = ''] of attributes.matchAll(attribute)) element.setAttribute(key, textOf(value));
      within.append(element);
      if (!empty.has(name)) within = element;
    }
  }
  within.append(textOf(markup.slice(at)));
  return fragment;
}

const textOf = (markup: string): string =>
  markup.replace(reference, (text, decimal?: string, hexadecimal?: string, name = '') => {
    if (decimal === undefined && hexadecimal === undefined) return named[name] ?? text;
    const code = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd';
  });
