import { type Html, html, type Part } from '../../../shared/html.ts';
import { type Locale, locales } from '../../../shared/locale.ts';
import { info } from '../openapi/texts.ts';
import type { Section } from './guide/section.ts';
import { guides } from './guide.ts';
import { pageTexts } from './page-texts.ts';
import { tables } from './tables.ts';

const languageNames: Readonly<Record<Locale, string>> = { ja: '日本語', en: 'English' };

/** The page at /docs. All but the reference is there without script; the reference is in English in every language. */
export function docsPage(assets: { guideScript: string; script: string; style: string; viewerStyle: string }, locale: Locale): Html {
  const say = pageTexts[locale];
  const guide = guides[locale];
  const inEnglish = locale !== 'en' && html` lang="en"`;
  return html`<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${info.title}: ${say.title}</title>
<meta name="description" content="${say.description}">
${locales.map((other) => html`<link rel="alternate" hreflang="${other}" href="https://api.example.com/docs?lang=${other}">\n`)}<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/${assets.style}">
<script src="/docs/${assets.guideScript}" defer></script>
</head>
<body>
<a class="skip" href="#main">${say.skip}</a>
<header class="top"><p class="name"${inEnglish}>${info.title}</p>
${languageSwitch(locale)}
<p class="version">${say.version} ${info.version} · <a href="/openapi.json">openapi.json</a></p></header>
<div class="columns">
<nav class="contents" aria-label="${say.contents}">
<p>${say.forAuthors}</p>
<ol>${guide.map(contentsEntry)}</ol>
<p>${say.reference}</p>
<ol${inEnglish}>${tables.map(contentsEntry)}<li><a href="#reference">Endpoints</a></li></ol>
</nav>
<main id="main" class="main">
<h1>${say.guide}</h1>
<p class="lead">${say.lead}</p>
${guide.map((section) => sectionOf(section))}
<h1>${say.reference}</h1>
${say.referenceNote !== '' && html`<p class="lead">${say.referenceNote}</p>`}
${tables.map((section) => sectionOf(section, inEnglish))}
<section class="part whole" aria-labelledby="reference"${inEnglish}>
<h2 id="reference">Endpoints</h2>
<noscript><p lang="${locale}">${say.withoutScript} <a href="/openapi.json">openapi.json</a></p></noscript>
<p lang="${locale}" data-reference="offer" hidden><a href="#reference">${say.showEndpoints}</a></p>
<p lang="${locale}" role="status"><span data-reference="loading" hidden>${say.loading}</span><span data-reference="failed" hidden>${say.notLoaded} <a href="/openapi.json">openapi.json</a></span></p>
<div id="viewer" data-script="/docs/${assets.script}" data-style="/docs/${assets.viewerStyle}"></div>
</section>
</main>
</div>
</body>
</html>
`;
}

const languageSwitch = (current: Locale) => html`<nav class="languages" aria-label="${pageTexts[current].languages}"><ul>
${locales.map((locale) => html`<li><a href="/docs?lang=${locale}" lang="${locale}" hreflang="${locale}"${locale === current && html` aria-current="true"`}>${languageNames[locale]}</a></li>\n`)}</ul></nav>`;

const contentsEntry = ({ id, title }: Section) => html`<li><a href="#${id}">${title}</a></li>`;

const sectionOf = ({ id, title, body }: Section, attributes?: Part) => html`<section class="part text" aria-labelledby="${id}"${attributes}>
<h2 id="${id}">${title}</h2>
${body}
</section>
`;
