import { type Html, html } from '../../shared/html.ts';
import type { Locale } from '../../shared/locale.ts';
import { type ConsoleAssets, chunkNames } from './assets.ts';
import type { Role } from './screens.ts';

const titles = { ja: 'コンソール', en: 'Console' };

const withoutScript = {
  ja: 'コンソールを使うには、ブラウザーの JavaScript を有効にしてください。',
  en: 'The console needs JavaScript. Please turn it on in your browser.',
};

const notFound = {
  ja: { title: 'ページが見つかりません', text: 'アドレスが違うか、このページはもうありません。', back: 'コンソールを開く' },
  en: { title: 'Page not found', text: 'The address is wrong, or the page is no longer there.', back: 'Open the console' },
};

const failed = {
  ja: { title: '表示できませんでした', text: 'しばらくしてから、もう一度開いてください。', requestId: 'お問い合わせ番号' },
  en: { title: 'This could not be shown', text: 'Please try again in a while.', requestId: 'Request number' },
};

/** What all pages of the console begin with. */
const head = (title: string, more: Html): Html => html`<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="#f4f6f5" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#121715" media="(prefers-color-scheme: dark)">
<meta name="format-detection" content="telephone=no">
<meta name="robots" content="noindex">
<title>${title}</title>
${more}`;

/**
 * The reply to every screen's path; nothing in it depends on the user or the path. The script of the role puts the
 * frame and the screen in the place of what stands there until then, which is as large.
 */
export function renderShell({ role, locale, assets }: { role: Role; locale: Locale; assets: ConsoleAssets }): Html {
  const base = chunkNames.find((name) => name === `${role}-base-${locale}.js`);
  const loads = html`<link rel="stylesheet" href="${assets.pathOf('console.css')}">
<script src="${assets.pathOf(`${role}-${locale}.js`)}" type="module"></script>
${base && html`<link rel="modulepreload" href="${assets.pathOf(base)}">\n`}<link rel="preload" href="/console/config.json" as="fetch" crossorigin>
<link rel="icon" href="${assets.pathOf('icon.svg')}" type="image/svg+xml">`;
  return html`<!doctype html>
<html lang="${locale}" data-role="${role}">
<head>
${head(titles[locale], loads)}
</head>
<body>
<div id="console"><header class="frame-head"><p class="brand">${titles[locale]}</p></header><main></main></div>
<noscript><p lang="ja">${withoutScript.ja}</p><p lang="en">${withoutScript.en}</p></noscript>
</body>
</html>
`;
}

/** Looks as the buyers' pages do, whose style sheet is there without console too; under an old name it is the present one. */
const buyersStyle = html`<link rel="stylesheet" href="/assets/buyer.present.css">`;

/** The error page for browsers: not found or failed, with the request id to quote. */
export function renderFailure({
  code,
  requestId,
  locale,
  isOn,
}: {
  code: string;
  requestId: string;
  locale: Locale;
  /** There is a console to lead to. */
  isOn: boolean;
}): Html {
  const texts = code === 'route_not_found' ? notFound[locale] : failed[locale];
  return html`<!doctype html>
<html lang="${locale}">
<head>
${head(texts.title, buyersStyle)}
</head>
<body>
<main class="narrow"><div class="message">
<h1>${texts.title}</h1>
<p>${texts.text}</p>
${
  texts === notFound[locale]
    ? isOn && html`<p><a class="button quiet" href="/console">${notFound[locale].back}</a></p>`
    : html`<p class="small">${failed[locale].requestId}: <code>${requestId}</code></p>`
}
</div></main>
</body>
</html>
`;
}
