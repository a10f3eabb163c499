import { type Html, html } from '../../../shared/html.ts';
import { info } from '../openapi/texts.ts';
import type { Section } from './guide/section.ts';
import { guide } from './guide.ts';
import { tables } from './tables.ts';

/** The page at /docs. All but the reference is there without script. */
export function docsPage(assets: { copyScript: string; script: string; style: string; viewerStyle: string }): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${info.title}: guide and reference</title>
<meta name="description" content="${info.summary}">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/${assets.viewerStyle}">
<link rel="stylesheet" href="/docs/${assets.style}">
<script src="/docs/${assets.copyScript}" defer></script>
<script src="/docs/${assets.script}" defer></script>
</head>
<body>
<a class="skip" href="#main">Skip to the guide</a>
<header class="top"><p class="name">${info.title}</p><p class="version">Version ${info.version} · <a href="/openapi.json">openapi.json</a></p></header>
<div class="columns">
<nav class="contents" aria-label="Contents">
<p>For app authors</p>
<ol>${guide.map(contentsEntry)}</ol>
<p>Reference</p>
<ol>${tables.map(contentsEntry)}<li><a href="#reference">Endpoints</a></li></ol>
</nav>
<main id="main" class="main">
<h1>Guide for app authors</h1>
<p class="lead">How an app finds out whether it may run, and how it stays out of the way of people who paid.</p>
${guide.map(sectionOf)}
<h1>Reference</h1>
${tables.map(sectionOf)}
<section class="part whole" aria-labelledby="reference">
<h2 id="reference">Endpoints</h2>
<div id="viewer"><noscript><p>The list of endpoints needs JavaScript. Everything it shows is in <a href="/openapi.json">openapi.json</a>.</p></noscript></div>
</section>
</main>
</div>
</body>
</html>
`;
}

const contentsEntry = ({ id, title }: Section) => html`<li><a href="#${id}">${title}</a></li>`;

const sectionOf = ({ id, title, body }: Section) => html`<section class="part text" aria-labelledby="${id}">
<h2 id="${id}">${title}</h2>
${body}
</section>
`;
