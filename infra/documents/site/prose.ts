import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Marked, type TokenizerAndRendererExtension, type Tokens } from 'marked';
import { type Html, trustedHtml } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/locale.ts';
import { type Section, table } from './section.ts';

/** What a page puts in the place of `{{name: caption}}`: samples that run, and tables of the code's own. */
export type Parts = Readonly<Record<string, (caption: string) => Html>>;

const docs = join(import.meta.dirname, '..', 'docs');

/** A section of a guide as it is written in `docs/`: its title is the first heading, its id the name of the file. */
export function readSection(locale: Locale, guide: string, id: string, parts: Parts): Section {
  const path = `${locale}/${guide}/${id}.md`;
  const [, title, text] = /^# (.*)\n\n([\s\S]*)$/.exec(readFileSync(join(docs, path), 'utf8')) ?? [];
  if (title === undefined || text === undefined) throw new Error(`docs/${path} does not begin with its title.`);
  return { id, title, body: renderProse(text, parts) };
}

/**
 * Markdown of ours as HTML. What markup it holds stays; `{{name: caption}}` is a part, a heading may end with its id as `{#id}`,
 * and a line `Table: label` before a table is its label.
 */
export function renderProse(text: string, parts: Parts): Html {
  const markup = createWriter(parts).parse(text, { async: false });
  return trustedHtml(markup.replace(/\n$/, ''));
}

function createWriter(parts: Parts): Marked {
  let label = '';
  const make = ({ name, caption }: Tokens.Generic): string => {
    const part = parts[name];
    if (!part) throw new Error(`The guide asks for ${name}, and there is no such part.`);
    return part(caption).toString();
  };
  return new Marked({
    extensions: [
      extension('block', 'part-of-its-own', /^\{\{(?<name>[\w-]+)(?:: (?<caption>[^\n]*))?\}\}\n+/, (token) => `${make(token)}\n`),
      extension('inline', 'part', /^\{\{(?<name>[\w-]+)\}\}/, make),
      extension('block', 'label', /^Table: (?<label>[^\n]*)\n+(?=\|)/, (token) => {
        label = token['label'];
        return '';
      }),
    ],
    renderer: {
      text(token) {
        return 'tokens' in token && token.tokens ? this.parser.parseInline(token.tokens) : escapeText(token.text);
      },
      codespan: ({ text }: Tokens.Codespan) => `<code>${escapeText(text)}</code>`,
      heading({ tokens, depth }: Tokens.Heading) {
        const [, title = '', id] = /^([\s\S]*?)(?: \{#([\w-]+)\})?$/.exec(this.parser.parseInline(tokens)) ?? [];
        return `<h${depth}${id === undefined ? '' : ` id="${id}"`}>${title}</h${depth}>\n`;
      },
      table({ header, rows }: Tokens.Table) {
        const inline = ({ tokens }: Tokens.TableCell) => trustedHtml(this.parser.parseInline(tokens));
        return `${table(
          label,
          header.map(inline),
          rows.map((row) => row.map(inline)),
        )}\n`;
      },
    },
  });
}

function extension(
  level: 'block' | 'inline',
  name: string,
  form: RegExp,
  renderer: (token: Tokens.Generic) => string,
): TokenizerAndRendererExtension {
  return {
    name,
    level,
    // Text ends before it; a block has an empty line before it anyway.
    start: (source) => (level === 'inline' ? source.indexOf('{{') : -1),
    tokenizer(source) {
      const found = form.exec(source);
      return found ? { type: name, raw: found[0], caption: '', ...found.groups } : undefined;
    },
    renderer,
  };
}

/** Quotes stay: none of this is an attribute. */
const escapeText = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
