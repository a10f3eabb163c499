import { type Html, type HtmlValue, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/locale.ts';

const style = html`
  :root {
    color-scheme: light dark;
    --paper: light-dark(#f4f6f5, #121715); --card: light-dark(#ffffff, #1b2220); --ink: light-dark(#18211d, #e7edea);
    --soft: light-dark(#55625c, #a5b2ac); --line: light-dark(#d5dcd8, #34403b); --accent: light-dark(#16604a, #7bd3b2);
    font: 1rem/1.6 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  }
  * { box-sizing: border-box; }
  body { margin: 0; overflow-wrap: anywhere; }
  a { color: var(--accent); text-underline-offset: .2em; }
  :focus-visible { outline: 3px solid var(--ink); outline-offset: 2px; }
  header { border-bottom: 1px solid var(--line); background: var(--card); }
  header p, main { max-width: 60rem; margin: 0 auto; padding: .75rem 1rem; }
  main { padding-bottom: 4rem; }
  h1 { font-size: 1.6rem; line-height: 1.25; margin: 1.5rem 0 .5rem; }
  h2 { font-size: 1.2rem; margin: 2.25rem 0 .5rem; }
  .note { color: var(--soft); }
  ul { padding-left: 1.2rem; }
  li { margin: .4rem 0; }
  .scroll { overflow-x: auto; background: var(--card); border: 1px solid var(--line); border-radius: .4rem; }
  table { border-collapse: collapse; width: 100%; overflow-wrap: normal; }
  th, td { text-align: left; padding: .5rem .75rem; border-bottom: 1px solid var(--line); vertical-align: top; font-weight: 400; }
  tr:last-child > * { border-bottom: 0; }
  thead th { color: var(--soft); font-size: .9rem; }
  td code { overflow-wrap: anywhere; }
  td.number, time { white-space: nowrap; font-variant-numeric: tabular-nums; }
  dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .3rem 1rem; }
  dt { color: var(--soft); }
  dd { margin: 0; }
  pre { white-space: pre-wrap; font: inherit; margin: 0; padding: 1rem; background: var(--card); border: 1px solid var(--line); border-radius: .4rem; }
  button { font: inherit; color: inherit; background: var(--card); border: 1px solid var(--accent); border-radius: .4rem; padding: .3rem .9rem; cursor: pointer; }
  form { margin: 0; }
  iframe { width: 100%; height: 44rem; resize: vertical; background: #fff; color-scheme: light; border: 1px solid var(--line); border-radius: .4rem; }
`;

const texts: Record<Locale, { stack: string; note: string }> = {
  en: { stack: 'Local stack', note: 'on this machine alone' },
  ja: { stack: 'ローカル環境', note: 'このコンピューターだけで動いています' },
};

/** A page of the local stack for developers, without script. */
export function localPage({ title, main, locale = 'en' }: { title: string; main: HtmlValue; locale?: Locale }): Html {
  const { stack, note } = texts[locale];
  return html`<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} | ${stack}</title>
<style>${style}</style>
</head>
<body>
<header><p><a href="/__local">${stack}</a> <span class="note">– ${note}</span></p></header>
<main>
<h1>${title}</h1>
${main}
</main>
</body>
</html>
`;
}

/** A table that scrolls by itself where it is too wide. The first cell of each row is its heading. */
export function table(label: string, heads: readonly string[], rows: readonly (readonly HtmlValue[])[]): Html {
  return html`<div class="scroll" tabindex="0" role="group" aria-label="${label}"><table>
<thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${rows.map(([first, ...others]) => html`<tr><th scope="row">${first}</th>${others.map(cell)}</tr>\n`)}</tbody>
</table></div>`;
}

const cell = (content: HtmlValue) => (typeof content === 'number' ? html`<td class="number">${content}</td>` : html`<td>${content}</td>`);

/** A moment as text: `2026-01-31 09:00:00 UTC`. */
export const moment = (at: string): Html => html`<time datetime="${at}">${at.replace('T', ' ').replace(/\.\d+Z$/, ' UTC')}</time>`;
