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

  // Each of these would keep the reader busy for a minute, or end its stack.
  test.each([
    ['quotes in quotes', '> '.repeat(10_000)],
    ['lists in lists', `#\n\n${'-  '.repeat(3000)}${'**a\n'.repeat(2500)}`],
    ['numbered lists in lists', `${' '.repeat(3)}${'1) '.repeat(6000)}`],
    ['emphasis in emphasis', `${'*a **a '.repeat(1400)}${' a** a*'.repeat(1400)}`],
    ['emphasis among code', `${"')\\\\`**a".repeat(1990)}${'a* '.repeat(1990)}`],
    ['emphasis of emphasis', `${'*'.repeat(9950)}a${'*'.repeat(9950)}`],
  ])('what is meant to break its readers is shown as it is: %s', (_, text) => {
    expect(rendered(text)).toBe(`<p>${text.replaceAll('>', '&gt;').replaceAll("'", '&#39;')}</p>`);
  });

  test('a long list of changes is no such text', () => {
    const changes =
      '## 1.2.3\n\n- Fixed a *bug* in `code`\n  - with [links](https://a.example/x)\n\n> **Exports** are as fast as _you_.\n\n';
    const html = rendered(changes.repeat(180).slice(0, 20_000));
    expect(html.match(/<em>bug<\/em>/g)?.length).toBeGreaterThan(150);
    expect(rendered('-'.repeat(100))).toBe('<hr>');
  });

  test('no text makes an element, attribute or address that the writer does not know', () => {
    const piece = fc.constantFrom(...'<>"\'&[]()!`\n #=x', 'javascript:', 'https://a', '&#58;');
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
