import { type Html, html } from '../../../shared/html.ts';
import { timeZoneOf } from '../../../shared/locale.ts';
import { productPath, releasesPath } from '../../../shared/products/slug.ts';
import type { PublicRelease } from '../../../shared/releases/release.ts';
import type { Channel } from '../../../shared/releases/versions/version.ts';
import { languageOf } from '../../../shared/text/text-language.ts';
import type { ProductOffer } from '../find-offer.ts';
import { hrefFor, type Reader } from '../reader.ts';
import { sellerText, sellerTexts } from '../views/components.ts';
import { renderPage } from '../views/layout.ts';

/** What the page of a product's releases shows. */
export interface ReleasesPage extends Pick<ProductOffer, 'product' | 'sellerName'> {
  items: readonly (PublicRelease & { notesHtml: Html })[];
  channel: Channel;
  /** Set when these are not the highest. */
  cursor: string | undefined;
  nextCursor?: string | undefined;
  /** Whether there are some in channels that are not shown. */
  hasOthers: boolean;
}

/** What changed in each version; readable and usable without JavaScript. */
export function renderReleases(page: ReleasesPage, reader: Reader, baseUrl: string): Html {
  const { product, items } = page;
  const texts = reader.texts.releases;
  const others = sellerTexts(page);
  return renderPage({
    reader,
    title: texts.title(product.name),
    path: pathOf(page),
    // A page without a version is nothing to find.
    ...(items.length > 0 && { metadata: { description: texts.description(product.name), baseUrl } }),
    main: html`<header class="product-head">
<h1>${texts.heading}</h1>
<p class="by"><a href="${hrefFor(reader, productPath(product.slug))}">${sellerText(product.name, others)}</a></p>
</header>
${items.map((release) => releaseSection(release, reader, others))}
${items.length === 0 && html`<p class="no-releases">${emptyText(page, reader)}</p>`}
${ways(page, reader)}`,
  });
}

const pathOf = ({ product, channel, cursor }: Pick<ReleasesPage, 'product' | 'channel' | 'cursor'>): string => {
  const query = new URLSearchParams({ ...(channel !== 'stable' && { channel }), ...(cursor !== undefined && { cursor }) });
  return `${releasesPath(product.slug)}${query.size > 0 ? `?${query}` : ''}`;
};

function releaseSection(release: ReleasesPage['items'][number], { locale, texts }: Reader, others: readonly string[]): Html {
  const { version, channel, critical, notes, publishedAt } = release;
  const { releases } = texts;
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: timeZoneOf(locale) }).format(new Date(publishedAt));
  return html`<article class="release" id="v${version}">
<h2><a href="#v${version}">${releases.version(version)}</a></h2>
<p class="release-facts"><time datetime="${publishedAt}">${day}</time>${channel !== 'stable' && html` <span class="tag">${releases.channels[channel]}</span>`}${critical && html` <span class="tag critical">${releases.critical}</span>`}</p>
${notes.trim() !== '' && html`<div class="prose notes" dir="auto" lang="${languageOf(notes, others)}">${release.notesHtml}</div>`}
</article>
`;
}

function emptyText({ cursor, hasOthers }: ReleasesPage, { texts: { releases } }: Reader): string {
  if (cursor !== undefined) return releases.noneOlder;
  return hasOthers ? releases.noneSteady : releases.none;
}

/** To older versions, back to the newest, and to more or fewer channels. */
function ways(page: ReleasesPage, reader: Reader): Html {
  const { product, channel, cursor, nextCursor, hasOthers } = page;
  const texts = reader.texts.releases;
  const link = (to: { channel: Channel; cursor?: string | undefined }, text: string) =>
    html`<a href="${hrefFor(reader, pathOf({ product, cursor: undefined, ...to }))}">${text}</a>`;
  return html`<nav class="release-ways" aria-label="${texts.heading}">
${(nextCursor ?? cursor) !== undefined && html`<p>${cursor !== undefined && link({ channel }, texts.newest)} ${nextCursor !== undefined && link({ channel, cursor: nextCursor }, texts.older)}</p>`}
${hasOthers && html`<p>${link({ channel: 'dev' }, texts.previews)} <span class="small">${texts.previewsText}</span></p>`}
${channel !== 'stable' && html`<p>${link({ channel: 'stable' }, texts.steady)}</p>`}
<p><a class="button quiet" href="${hrefFor(reader, productPath(product.slug))}">${reader.texts.backToProduct}</a></p>
</nav>`;
}
