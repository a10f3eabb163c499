import { Marked, type Tokens } from 'marked';
import { escapeHtml, type Html, trustedHtml } from '../html.ts';
import { hasPlainHost } from './web-address.ts';

/** Below the headings of the page or the window that the text is shown in. */
const highestHeading = 3;

/** Notes that become more than this were meant to, by links that each repeat an address: they are shown as they were written. */
const maxHtmlLength = 250_000;

/**
 * So many characters may be looked at, one again for each piece of text before it in its paragraph: a long list of changes takes a
 * third of it. The reader tries every emphasis to the end of its paragraph and again within, which would take a minute for some texts.
 */
const maxLookups = 3_000_000;
/** Of a block less is looked at than of what stands in a paragraph. */
const looksOfBlock = 1 / 8;
/** Lists and quotes that begin in one line; each is read again within the one around it. */
const nestedDeeply = /^(?:[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t]))){20}/m;

/** A link if it leads to the web, to the host that it begins with, otherwise its text. */
function linkOf(address: string, markup: string): string {
  const url = hasPlainHost(address) ? URL.parse(address.replaceAll('&amp;', '&')) : null;
  return url ? `<a href="${escapeHtml(url.href)}" rel="nofollow noopener noreferrer">${markup}</a>` : markup;
}

const createWriter = (look: (characters: number) => false) =>
  new Marked({
    gfm: false,
    // Both are the first that is tried wherever something may begin; `false` leaves it to the reader's own.
    tokenizer: { space: (rest) => look(rest.length * looksOfBlock), escape: (rest) => look(rest.length) },
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
 * is above the third level.
 */
export function renderMarkdown(text: string): Html {
  const markup = nestedDeeply.test(text) ? undefined : markupOf(text);
  return trustedHtml(markup !== undefined && markup.length <= maxHtmlLength ? markup : `<p>${escapeHtml(text)}</p>`);
}

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
