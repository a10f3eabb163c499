import { type Html, type HtmlValue, html } from '../../../../shared/html.ts';

const style = html`
  :root { color-scheme: light; font: 1.0625rem/1.5 system-ui, sans-serif; color: #1a1a1a; background: #f4f4f6; }
  body { margin: 0; }
  .test { background: #8a3b00; color: #fff; padding: .6rem 1rem; text-align: center; font-weight: 700; }
  main { max-width: 34rem; margin: 2rem auto; padding: 1.5rem; background: #fff; border: 1px solid #cfcfd6; border-radius: .5rem; }
  main.wide { max-width: 76rem; }
  h1 { font-size: 1.5rem; margin-top: 0; }
  h2 { font-size: 1.2rem; margin-top: 2.5rem; }
  label { display: block; font-weight: 600; }
  input, select { font: inherit; padding: .4rem .5rem; border: 1px solid #6b6b76; border-radius: .25rem; max-width: 100%; box-sizing: border-box; }
  .shop { font-weight: 700; margin: 0 0 .5rem; overflow-wrap: anywhere; }
  .amount { font-size: 1.8rem; font-weight: 700; margin: .5rem 0; }
  .choices { display: grid; gap: .75rem; margin-top: 1.25rem; }
  button { font: inherit; padding: .55rem .9rem; border: 1px solid #3d3d46; border-radius: .25rem; background: #fff; color: #1a1a1a; cursor: pointer; }
  button.first { background: #0b57a4; border-color: #0b57a4; color: #fff; font-weight: 700; }
  button:focus-visible, input:focus-visible, select:focus-visible, a:focus-visible { outline: 3px solid #d98200; outline-offset: 2px; }
  .note { color: #4a4a55; font-size: .95rem; }
  .alert { border-left: .4rem solid #a31515; background: #fdeeee; padding: .6rem .9rem; }
  .scroll { overflow-x: auto; }
  table { border-collapse: collapse; font-size: .92rem; }
  th, td { text-align: left; padding: .35rem .6rem; border-bottom: 1px solid #dcdce2; vertical-align: top; }
  td form { display: inline-flex; gap: .3rem; flex-wrap: wrap; margin: 0 .4rem .3rem 0; }
  td button, td input, td select { padding: .15rem .45rem; font-size: .9rem; }
  code { font-size: .88rem; overflow-wrap: anywhere; }
  td:first-child code { white-space: nowrap; }
`;

/** A page of the fake provider: marked TEST at its top, and without script. */
export function testPage(title: string, content: HtmlValue, { wide = false } = {}): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>TEST – ${title}</title>
<style>${style}</style>
</head>
<body>
<header class="test">TEST – a fake payment provider. No money moves.</header>
<main class="${wide ? 'wide' : ''}">
${content}
</main>
</body>
</html>`;
}
