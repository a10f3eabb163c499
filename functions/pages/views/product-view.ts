import { minorDigitsOf } from '../../../shared/currencies.ts';
import { type Html, html } from '../../../shared/html.ts';
import { type ShownFeature, shownFeatures } from '../../../shared/products/feature-labels.ts';
import { codeBeside, formatMoney } from '../../../shared/text/money.ts';
import { languageOf } from '../../../shared/text/text-language.ts';
import type { Offer, ProductPage } from '../offer.ts';
import { hrefFor, type Reader } from '../reader.ts';
import { formatSize } from './file-size.ts';
import { renderPage } from './layout.ts';
import { mailLink, prose, sellerText } from './parts.ts';
import { platformOf } from './platform.ts';
import { writtenBySeller } from './seller-texts.ts';
import { disclosure } from './terms.ts';

export const productPath = (slug: string) => `/p/${encodeURIComponent(slug)}`;
export const checkoutPath = (slug: string) => `${productPath(slug)}/checkout`;

/** The page on which a stranger decides to buy; readable and usable without JavaScript. */
export function renderProduct(page: ProductPage, reader: Reader, baseUrl: string): Html {
  const { product, sellerName, siteUrl, pictures } = page;
  const say = reader.say.product;
  const others = writtenBySeller(page);
  const features = shownFeatures(product, reader.locale);
  const [picture] = pictures;
  return renderPage({
    reader,
    title: product.name,
    path: productPath(product.slug),
    wide: true,
    listing: {
      description: summaryOf(product.description),
      baseUrl,
      image: picture && { ...picture, alt: altOf(page, reader, 0) },
    },
    main: html`<article class="product" itemscope itemtype="https://schema.org/SoftwareApplication">
<header class="product-head">
<h1 itemprop="name">${sellerText(product.name, others)}</h1>
<p class="by">${say.soldBy} <strong itemprop="author">${sellerText(sellerName, others)}</strong></p>
</header>
${offerCard(page, reader)}
<div class="product-body">
${pictures.length > 0 && gallery(page, reader)}
${section('about', say.description, html`<div itemprop="description">${prose(product.description, others)}</div>`)}
${features.length > 0 && section('features', say.features, html`<ul class="features">${features.map((feature) => featureItem(feature, others))}</ul>`)}
${section('environment', say.environment, html`<div itemprop="operatingSystem">${prose(product.softwareOperatingEnvironment, others)}</div>`)}
${page.downloads.length > 0 && section('files', say.files, html`<p>${say.filesText}</p>${fileList(page, reader)}`)}
${section('refunds', say.refunds, prose(product.refundPolicy, others))}
${section('support', say.support, html`<p>${say.supportText(sellerName)}</p><p>${mailLink(product.supportEmail)}</p>${siteLink(siteUrl, reader)}`)}
</div>
</article>
<section class="terms" aria-labelledby="terms"><h2 id="terms">${reader.say.terms.title}</h2>
${disclosure(page, reader)}
</section>
<p class="lost" id="lost-link"><a href="${hrefFor(reader, '/manage')}">${say.lostLink}</a></p>`,
  });
}

const altOf = ({ product, pictures }: ProductPage, { say }: Reader, index: number) =>
  say.product.picture(product.name, index + 1, pictures.length);

/** The first picture is seen at once; the others are loaded when they come near. Their sizes keep their places. */
function gallery(page: ProductPage, reader: Reader): Html {
  return html`<ul class="pictures">${page.pictures.map(
    ({ path, width, height }, index) =>
      html`<li><a href="${path}"><img itemprop="screenshot" src="${path}" width="${width}" height="${height}" alt="${altOf(page, reader, index)}"${index > 0 && html` loading="lazy"`} decoding="async"></a></li>\n`,
  )}</ul>`;
}

function featureItem({ text, lang, isIdentifier = false }: ShownFeature, others: readonly string[]): Html {
  if (isIdentifier) return html`<li><code translate="no">${text}</code></li>\n`;
  return html`<li dir="auto" lang="${lang ?? languageOf(text, others)}">${text}</li>\n`;
}

function fileList({ downloads }: ProductPage, { locale }: Reader): Html {
  return html`<ul class="file-list">${downloads.map(({ fileName, sizeBytes }) => {
    const facts = [platformOf(fileName), formatSize(sizeBytes, locale)].filter((fact) => fact !== undefined);
    return html`<li><span class="file-name" dir="auto" translate="no">${fileName}</span> <span class="small">${facts.join(' · ')}</span></li>\n`;
  })}</ul>`;
}

/** The seller's own place on the web, which we do not vouch for. */
function siteLink(siteUrl: string | undefined, { say }: Reader): Html | undefined {
  const url = siteUrl === undefined ? null : URL.parse(siteUrl);
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') return undefined;
  return html`<p><a class="site" href="${url.href}" rel="nofollow noopener">${say.product.website(url.host)}</a></p>`;
}

function section(id: string, title: string, content: Html): Html {
  return html`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>
${content}
</section>`;
}

function offerCard(offer: Offer, reader: Reader): Html {
  const { product, onSale } = offer;
  const say = reader.say.product;
  const free = product.priceAmount === 0;
  return html`<div class="offer" itemprop="offers" itemscope itemtype="https://schema.org/Offer">
<meta itemprop="price" content="${decimalPrice(offer)}"><meta itemprop="priceCurrency" content="${product.currency.toUpperCase()}">
<link itemprop="availability" href="https://schema.org/${onSale ? 'InStock' : 'OutOfStock'}">
${price(offer, reader)}
${
  onSale
    ? html`<p><a class="button buy" href="${hrefFor(reader, checkoutPath(product.slug))}">${free ? say.get : say.buy}</a></p>
<p class="small">${free ? say.nextPageFree : say.nextPage}</p>`
    : html`<p class="not-on-sale"><strong>${say.notOnSale}</strong></p><p class="small">${say.notOnSaleText}</p>`
}
<ul class="assurances">
<li>${say.forDevices(product.activationLimit ?? 1)}</li>
${product.offlineDays > 0 ? html`<li>${say.offlineFor(product.offlineDays)}</li>` : html`<li class="condition">${say.needsNetwork}</li>`}
${product.offlineFileDays > 0 && html`<li>${say.offlineFile(product.offlineFileDays)}</li>\n`}<li>${free ? say.keyAtOnceFree : say.keyAtOnce}</li>
<li>${say.noAccount}</li>
</ul>
</div>`;
}

function price({ product }: Offer, { locale, say }: Reader): Html {
  if (product.priceAmount === 0) return html`<p class="price">${say.product.free}</p>`;
  const price = formatMoney(product.priceAmount, product.currency, locale);
  const code = codeBeside(price, product.currency);
  return html`<p class="price">${price} <span class="tax">${code && `${code}, `}${say.product.taxIncluded}</span></p>`;
}

/** The price as search engines read it: a plain decimal number. */
function decimalPrice({ product }: Offer): string {
  const digits = minorDigitsOf(product.currency);
  return (product.priceAmount / 10 ** digits).toFixed(digits);
}

function summaryOf(description: string): string {
  const words = description.replace(/\s+/g, ' ').trim();
  const symbols = [...words];
  return symbols.length <= 160 ? words : `${symbols.slice(0, 159).join('').trimEnd()}…`;
}
