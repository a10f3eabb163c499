import { Marked, type Tokens } from 'marked';
import { escapeHtml, type Html, writtenHtml } from '../html.ts';

/** Below the headings of the page or the window that the text is shown in. */
const highestHeading = 3;

/** Notes that become more than this were meant to, by links that each repeat an address: they are shown as they were written. */
const longest = 250_000;

/** A link where it leads to the web, else what it says. */
function linkOf(address: string, markup: string): string {
  const { protocol = '', href = '' } = URL.parse(address.replaceAll('&amp;', '&')) ?? {};
  return /^https?:$/.test(protocol) ? `<a href="${escapeHtml(href)}" rel="nofollow noopener noreferrer">${markup}</a>` : markup;
}

const writer = new Marked({
  gfm: false,
  renderer: {
    html: ({ text, block }: Tokens.HTML | Tokens.Tag) => (block ? `<p>${escapeHtml(text)}</p>\n` : escapeHtml(text)),
    heading({ tokens, depth }: Tokens.Heading) {
      const level = Math.min(depth + highestHeading - 1, 6);
      return `<h${level}>${this.parser.parseInline(tokens)}</h${level}>\n`;
    },
    link({ href, tokens }: Tokens.Link) {
      return linkOf(href, this.parser.parseInline(tokens));
    },
    // Whoever reads notes is not to be counted by those whose pictures are in them.
    image: ({ text }: Tokens.Image) => escapeHtml(text),
  },
});

/**
 * CommonMark as HTML: markup in it is text, links lead to http and https alone, pictures become their text, and no heading
 * is above the third level.
 */
export function renderMarkdown(text: string): Html {
  try {
    const markup = writer.parse(text, { async: false });
    if (markup.length <= longest) return writtenHtml(markup);
  } catch {
    // Nested so deep that it was meant to break its readers.
  }
  return writtenHtml(`<p>${escapeHtml(text)}</p>`);
}
