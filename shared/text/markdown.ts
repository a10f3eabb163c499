import { Marked, type Tokens } from 'marked';
import { escapeHtml, type Html, trustedHtml } from '../html.ts';
import { hasPlainHost } from './web-address.ts';

/** Below the headings of the page or the window that the text is shown in. */
const highestHeading = 3;

/** To be raised with every change to what is made of a text: what another writer made is made anew. */
export const markdownWriter = 1;

/** What a text may become, in KB of UTF-8: nested lists become a tenfold of themselves. */
export const maxHtmlKilobytes = 60;

/**
 * So many characters may be looked at, one again for each piece of text before it in its paragraph: a long list of changes takes a
 * third of it. The reader tries every emphasis to the end of its paragraph and again within, which would take a minute for some texts.
 */
const maxLookups = 3_000_000;
/** Of a block less is looked at than of what stands in a paragraph, but for each line of an item all of its paragraph. */
const looksOfBlock = 1 / 8;
/** Lists and quotes that begin in one line; each is read again within the one around it. */
const nestedDeeply = /^(?:[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t]))){10}/m;

/** A link if it leads to the web, to the host that it begins with, otherwise its text. */
function linkOf(address: string, markup: string): string {
  const url = hasPlainHost(address) ? URL.parse(address.replaceAll('&amp;', '&')) : null;
  return url ? `<a href="${escapeHtml(url.href)}" rel="nofollow noopener noreferrer">${markup}</a>` : markup;
}

const paragraphLength = (text: string) => {
  const end = text.indexOf('\n\n');
  return end < 0 ? text.length : end;
};

const createWriter = (look: (characters: number) => false) =>
  new Marked({
    gfm: false,
    // The first that is tried wherever something may begin, and the slowest; `false` leaves it to the reader's own.
    tokenizer: {
      space: (rest) => look(rest.length * looksOfBlock),
      lheading: (rest) => look(paragraphLength(rest)),
      escape: (rest) => look(rest.length),
    },
    renderer: {
      html: ({ text, block }: Tokens.HTML | Tokens.Tag) => (block ? `<p>${escapeHtml(text)}</p>\n` : escapeHtml(text)),
      heading({ tokens, depth }: Tokens.Heading) {
        const level = Math.min(depth + highestHeading - 1, 6);
        return `<h${level}>${this.parser.parseInline(tokens)}</h${level}>\n`;
      },
      link({ href, tokens }: Tokens.Link) {
        return linkOf(href, this.parser.parseInline(tokens));
      },
      // Images are dropped, so that readers of notes cannot be tracked.
      image: ({ text }: Tokens.Image) => escapeHtml(text),
    },
  });

/**
 * CommonMark as HTML: markup in it is text, links lead to http and https alone, pictures become their text, and no heading
 * is above the third level. Undefined for a text that becomes more than may be kept.
 */
export function markdownHtml(text: string): Html | undefined {
  const markup = (nestedDeeply.test(text) ? undefined : markupOf(text)) ?? asWritten(text);
  return new TextEncoder().encode(markup).length <= maxHtmlKilobytes * 1024 ? trustedHtml(markup) : undefined;
}

/** The same, where a text that becomes too much is shown as it was written. */
export const renderMarkdown = (text: string): Html => markdownHtml(text) ?? trustedHtml(asWritten(text));

const asWritten = (text: string) => `<p>${escapeHtml(text)}</p>`;

/** Undefined for text that was crafted to exhaust the parser. */
function markupOf(text: string): string | undefined {
  let looks = 0;
  const look = (characters: number): false => {
    looks += characters;
    if (looks > maxLookups) throw new RangeError('too much to look at');
    return false;
  };
  try {
    return createWriter(look).parse(text, { async: false });
  } catch (error) {
    // So does what is nested without end, of the stack.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
