import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { renderMarkdown } from '../../../shared/text/markdown.ts';
import { tries } from '../../support/depth.ts';

const rendered = (text: string) => String(renderMarkdown(text)).trim();
const link = (href: string, text: string) => `<a href="${href}" rel="nofollow noopener noreferrer">${text}</a>`;

describe('notes as HTML', () => {
  test.each([
    ['# One\n\n*two* `a<b`', '<h3>One</h3>\n<p><em>two</em> <code>a&lt;b</code></p>'],
    ['###### Six', '<h6>Six</h6>'],
    ['<script>x</script>', '<p>&lt;script&gt;x&lt;/script&gt;</p>'],
    ['a <b onclick="x">c</b> &amp; &lt;', '<p>a &lt;b onclick=&quot;x&quot;&gt;c&lt;/b&gt; &amp; &lt;</p>'],
    ['[a](https://a.example/?b=1&amp;c=2 "t")', `<p>${link('https://a.example/?b=1&amp;c=2', 'a')}</p>`],
    ['<https://a.example/>', `<p>${link('https://a.example/', 'https://a.example/')}</p>`],
    ['[a](javascript:x) [b](JAVA&#115;cript:x) [c](data:text/html,x) [d](/p/x) <a@b.example>', '<p>a b c d a@b.example</p>'],
    ['![alt <b>](https://a.example/p.png) [![in](x)](https://a.example/)', `<p>alt &lt;b&gt; ${link('https://a.example/', 'in')}</p>`],
    ['```js"><b>\n]]>\n```', '<pre><code class="language-js&quot;&gt;&lt;b&gt;">]]&gt;\n</code></pre>'],
    ['', ''],
  ])('%j', (text, html) => {
    expect(rendered(text)).toBe(html);
  });

  test('what is nested to break its readers is shown as it is', () => {
    expect(rendered('>'.repeat(20_000))).toBe(`<p>${'&gt;'.repeat(20_000)}</p>`);
  });

  test('no text makes an element, attribute or address that the writer does not know', () => {
    const piece = fc.constantFrom(
      '<',
      '>',
      '"',
      "'",
      '&',
      '[',
      ']',
      '(',
      ')',
      '!',
      '`',
      '\n',
      ' ',
      '#',
      'javascript:',
      'https://a',
      'x',
      '=',
      '&#58;',
    );
    const known =
      /<\/?(?:h[3-6]|p|em|strong|code|pre|ul|ol|li|blockquote|br|hr|a)(?: (?:href="https?:[^"<>]*"|rel="[a-z ]+"|class="language-[^"<>]*"|start="\d+"))*\/?>/g;
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        expect(rendered(pieces.join('')).replaceAll(known, '')).not.toMatch(/[<>]/);
      }),
      { numRuns: tries(300) },
    );
  });
});
