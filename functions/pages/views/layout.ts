import { type Html, type HtmlValue, html } from '../../../shared/html.ts';
import { locales } from '../../../shared/locale.ts';
import type { AssetName } from '../assets/assets.ts';
import { hrefFor, type Reader, withLanguage } from '../reader.ts';
import { operatorFooter, serviceNameOf } from './operator-view.ts';

/** What search engines and previews are told of a page. */
export interface PreviewMetadata {
  description: string;
  baseUrl: string;
  /** What previews show; its address begins at the root. */
  image?: { path: string; width: number; height: number; alt: string } | undefined;
}

export interface Page {
  reader: Reader;
  title: string;
  /** The page's own path, with its query except for the language. */
  path: string;
  main: HtmlValue;
  script?: AssetName;
  /** For search engines and previews; a page without it asks not to be listed. */
  metadata?: PreviewMetadata;
  isWide?: boolean;
  /** What stands above everything else of a page that is not for everybody. */
  banner?: string;
}

const languageNames = { ja: '日本語', en: 'English' };

/** A whole page: the one place with a doctype. */
export function renderPage(page: Page): Html {
  const { reader, main, isWide: wide = false, banner } = page;
  const { texts } = reader;
  return html`<!doctype html>
<html lang="${reader.locale}">
<head>
${head(page)}
</head>
<body>
<a class="skip" href="#main">${texts.skipToContent}</a>
<header>
${banner !== undefined && html`<p class="test-mode preview"><strong>${banner}</strong></p>\n`}<p class="test-mode">${texts.testMode}</p>
<div class="bar">
<p class="brand">${serviceNameOf(reader)}</p>
${languageSwitch(page)}
</div></header>
<main id="main" class="${wide ? 'wide' : 'narrow'}">
${main}
</main>
${operatorFooter(reader)}
</body>
</html>
`;
}

function head({ reader, title, path, script, metadata: listing }: Page): Html {
  const fullTitle = `${title} | ${serviceNameOf(reader)}`;
  return html`<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="#f4f6f5" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#121715" media="(prefers-color-scheme: dark)">
<meta name="format-detection" content="telephone=no">
<title>${fullTitle}</title>
<link rel="stylesheet" href="${reader.assets.pathOf('buyer.css')}">
<link rel="icon" href="${reader.assets.pathOf('icon.svg')}" type="image/svg+xml">
${script && html`<script src="${reader.assets.pathOf(script)}" async></script>`}
${listing ? listed(listing, { reader, title, path }) : html`<meta name="robots" content="noindex">`}`;
}

/** A page in a language that its address names is a page of its own; without one it is what each reader prefers. */
function listed({ description, baseUrl, image }: PreviewMetadata, { reader, title, path }: Pick<Page, 'reader' | 'title' | 'path'>): Html {
  const address = `${baseUrl}${hrefFor(reader, path)}`;
  const others = locales.filter((locale) => locale !== reader.locale);
  return html`<meta name="description" content="${description}">
<link rel="canonical" href="${address}">
${locales.map((locale) => html`<link rel="alternate" hreflang="${locale}" href="${baseUrl}${withLanguage(path, locale)}">\n`)}<link rel="alternate" hreflang="x-default" href="${baseUrl}${path}">
<meta property="og:type" content="website">
<meta property="og:site_name" content="${serviceNameOf(reader)}">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${description}">
<meta property="og:url" content="${address}">
<meta property="og:locale" content="${previewLocales[reader.locale]}">
${others.map((locale) => html`<meta property="og:locale:alternate" content="${previewLocales[locale]}">\n`)}${
  image &&
  html`<meta property="og:image" content="${baseUrl}${image.path}">
<meta property="og:image:width" content="${image.width}">
<meta property="og:image:height" content="${image.height}">
<meta property="og:image:alt" content="${image.alt}">
`
}<meta name="twitter:card" content="${image ? 'summary_large_image' : 'summary'}">`;
}

const previewLocales = { ja: 'ja_JP', en: 'en_US' };

function languageSwitch({ reader, path }: Page): Html {
  return html`<nav class="languages" aria-label="${reader.texts.languages}"><ul>
${locales.map((locale) => {
  const current = locale === reader.locale;
  const name = languageNames[locale];
  return html`<li><a href="${withLanguage(path, locale)}" lang="${locale}" hreflang="${locale}" data-language${current && html` aria-current="true"`}>${name}</a></li>\n`;
})}</ul></nav>`;
}

type Step = 'confirm' | 'pay' | 'key';

/** The steps from product to key, with the current one marked. */
export function steps({ texts }: Reader, current: Step, all: readonly Step[] = ['confirm', 'pay', 'key']): Html {
  return html`<ol class="steps" aria-label="${texts.steps.name}">
${all.map((step) => html`<li${step === current && html` aria-current="step"`}><span>${texts.steps[step]}</span></li>\n`)}</ol>`;
}

/** A short page: what happened, what it means, and where to go. */
export function renderMessage(
  page: Omit<Page, 'main'> & { paragraphs: readonly HtmlValue[]; link?: { href: string; text: string } | undefined; small?: HtmlValue },
): Html {
  const { paragraphs, link, small, ...rest } = page;
  return renderPage({
    ...rest,
    main: html`<div class="message">
<h1>${page.title}</h1>
${paragraphs.map((paragraph) => html`<p>${paragraph}</p>\n`)}${link && html`<p><a class="button quiet" href="${hrefFor(page.reader, link.href)}">${link.text}</a></p>`}
${small && html`<p class="small">${small}</p>`}
</div>`,
  });
}
