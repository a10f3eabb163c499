import { type Html, html } from '../../../shared/html.ts';

/** A part of the page, as it and its table of contents show it. */
export interface Section {
  id: string;
  title: string;
  body: Html;
}

/** Code to be copied as it stands: commands without a prompt, files whole. The page's script adds a button. */
export const codeBlock = (caption: string, code: string): Html =>
  html`<figure class="code"><figcaption>${caption}</figcaption><pre tabindex="0"><code>${code.trimEnd()}</code></pre></figure>`;

/** A table that scrolls by itself where it is too wide. The first cell of each row is its heading. */
export const table = (label: string, headings: readonly (Html | string)[], rows: readonly (readonly (Html | string)[])[]): Html =>
  html`<div class="scroll" tabindex="0" role="group" aria-label="${label}">
<table>
<thead><tr>${headings.map((heading) => html`<th scope="col">${heading}</th>`)}</tr></thead>
<tbody>${rows.map(
    ([first, ...others]) => html`<tr><th scope="row">${first}</th>${others.map((cell) => html`<td>${cell}</td>`)}</tr>\n`,
  )}</tbody>
</table></div>`;

/** A table whose rows begin with a word of the interface. */
export const wordTable = (label: string, headings: readonly string[], rows: readonly (readonly [string, ...(Html | string)[]])[]): Html =>
  table(
    label,
    headings,
    rows.map(([word, ...cells]) => [html`<code>${word}</code>`, ...cells]),
  );
