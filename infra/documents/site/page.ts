import { type Html, type HtmlValue, html } from '../../../shared/html.ts';
import { type Locale, locales } from '../../../shared/locale.ts';
import { info } from '../openapi/texts.ts';
import { readGuide } from './guides.ts';
import { type GuideName, guideNames, pageTexts } from './page-texts.ts';
import type { Section } from './section.ts';
import { tables } from './tables.ts';

const languageNames: Readonly<Record<Locale, string>> = { ja: '日本語', en: 'English' };

/** The names of the scripts and styles. */
export type Assets = { guideScript: string; script: string; style: string; viewerStyle: string };

/** What every page of the documentation has around its contents and its main part. */
function shell(
  { guideScript, style }: Assets,
  locale: Locale,
  page: { path: string; title: string; description: string; contents: Html; main: Html },
): Html {
  const texts = pageTexts[locale];
  const inEnglish = locale !== 'en' && html` lang="en"`;
  return html`<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${info.title}: ${page.title}</title>
<meta name="description" content="${page.description}">
${locales.map((other) => html`<link rel="alternate" hreflang="${other}" href="https://api.example.com${page.path}?lang=${other}">\n`)}<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/${style}">
<script src="/docs/${guideScript}" defer></script>
</head>
<body>
<a class="skip" href="#main">${texts.skip}</a>
<header class="top"><p class="name"${inEnglish}>${info.title}</p>
${languageSwitch(locale, page.path)}
<p class="version">${texts.version} ${info.version} · <a href="/openapi.json">openapi.json</a></p></header>
<div class="columns">
<nav class="contents" aria-label="${texts.contents}">
${page.contents}
</nav>
<main id="main" class="main">
${page.main}
</main>
</div>
</body>
</html>
`;
}

/** The page at /docs. All but the reference is there without script; the reference is in English in every language. */
export function docsPage(assets: Assets, locale: Locale): Html {
  const texts = pageTexts[locale];
  const guide = readGuide('guide', locale);
  const inEnglish = locale !== 'en' && html` lang="en"`;
  return shell(assets, locale, {
    path: '/docs',
    title: texts.title,
    description: texts.description,
    contents: html`<p>${texts.forAuthors}</p>
<ol>${guide.map(contentsEntry)}</ol>
${linksToGuides(locale)}
<p>${texts.reference}</p>
<ol${inEnglish}>${tables.map(contentsEntry)}<li><a href="#reference">Endpoints</a></li></ol>`,
    main: html`<h1>${texts.guide}</h1>
<p class="lead">${texts.lead}</p>
${guide.map((section) => sectionOf(section))}
<h1>${texts.reference}</h1>
${texts.referenceNote !== '' && html`<p class="lead">${texts.referenceNote}</p>`}
${tables.map((section) => sectionOf(section, inEnglish))}
<section class="part whole" aria-labelledby="reference"${inEnglish}>
<h2 id="reference">Endpoints</h2>
<noscript><p lang="${locale}">${texts.withoutScript} <a href="/openapi.json">openapi.json</a></p></noscript>
<p lang="${locale}" data-reference="offer" hidden><a href="#reference">${texts.showEndpoints}</a></p>
<p lang="${locale}" role="status"><span data-reference="loading" hidden>${texts.loading}</span><span data-reference="failed" hidden>${texts.notLoaded} <a href="/openapi.json">openapi.json</a></span></p>
<div id="viewer" data-script="/docs/${assets.script}" data-style="/docs/${assets.viewerStyle}"></div>
</section>`,
  });
}

/** The page of a guide of its own below /docs, whole without script. */
export function guidePage(assets: Assets, locale: Locale, name: GuideName): Html {
  const sections = readGuide(name, locale);
  const texts = pageTexts[locale];
  const { title, lead } = texts.guides[name];
  return shell(assets, locale, {
    path: `/docs/${name}`,
    title,
    description: lead,
    contents: html`<p>${title}</p>
<ol>${sections.map(contentsEntry)}</ol>
<p><a href="/docs?lang=${locale}">${texts.guide}</a></p>
${linksToGuides(locale, name)}`,
    main: html`<h1>${title}</h1>
<p class="lead">${lead}</p>
${sections.map((section) => sectionOf(section))}`,
  });
}

const linksToGuides = (locale: Locale, but?: GuideName) =>
  guideNames
    .filter((name) => name !== but)
    .map((name) => html`<p><a href="/docs/${name}?lang=${locale}">${pageTexts[locale].guides[name].title}</a></p>`);

const languageSwitch = (current: Locale, path: string) => html`<nav class="languages" aria-label="${pageTexts[current].languages}"><ul>
${locales.map((locale) => html`<li><a href="${path}?lang=${locale}" lang="${locale}" hreflang="${locale}"${locale === current && html` aria-current="true"`}>${languageNames[locale]}</a></li>\n`)}</ul></nav>`;

const contentsEntry = ({ id, title }: Section) => html`<li><a href="#${id}">${title}</a></li>`;

const sectionOf = (
  { id, title, body }: Section,
  attributes?: HtmlValue,
) => html`<section class="part text" aria-labelledby="${id}"${attributes}>
<h2 id="${id}">${title}</h2>
${body}
</section>
`;
