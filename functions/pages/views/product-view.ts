import { minorDigitsOf } from '../../../shared/currencies.ts';
import { dataScript, type Html, html } from '../../../shared/html.ts';
import { type DisplayedFeature, displayedFeatures } from '../../../shared/products/feature-labels.ts';
import { productPath, releasesPath } from '../../../shared/products/slug.ts';
import { formatSize } from '../../../shared/text/file-size.ts';
import { currencyCodeBeside } from '../../../shared/text/money.ts';
import { truncatedLine } from '../../../shared/text/one-line.ts';
import { languageOf } from '../../../shared/text/text-language.ts';
import { hasPlainHost } from '../../../shared/text/web-address.ts';
import { chosenCode, urlWithChoice } from '../checkout/choice.ts';
import type { ProductOffer, ProductPage } from '../find-offer.ts';
import { hrefFor, type Reader } from '../reader.ts';
import { choiceFaults, choiceFields, choiceForm, hasChoice } from './choice-view.ts';
import { mailLink, sellerParagraphs, sellerText, sellerTexts } from './components.ts';
import { renderPage } from './layout.ts';
import { amountOf, checkoutPath, disclosure, updatesInWords, withFormerPrice } from './terms.ts';

/** The page on which a stranger decides to buy; readable and usable without JavaScript. */
export function renderProduct(page: ProductPage, reader: Reader, baseUrl: string): Html {
  const { product, pictures, chosen } = page;
  const [picture] = pictures;
  const isForEverybody = chosenCode(chosen.choice) === undefined;
  const releases = html`<p><a href="${hrefFor(reader, releasesPath(product.slug))}">${reader.texts.releases.link}</a></p>`;
  return renderPage({
    reader,
    title: product.name,
    path: isForEverybody ? productPath(product.slug) : urlWithChoice(productPath(product.slug), chosen.choice),
    isWide: true,
    ...(isForEverybody && {
      metadata: {
        description: summaryOf(product.description),
        baseUrl,
        image: picture && { ...picture, alt: altOf(page, reader, 0) },
      },
    }),
    main: html`${productMain(page, reader, wayToBuy(page, reader), releases)}
${isForEverybody && dataScript('application/ld+json', structuredDataOf(page, baseUrl))}`,
  });
}

/** The same before anyone else may see it, at `path`: nothing on it leads to an order, and it asks not to be listed. */
export function renderPreview(page: ProductPage, reader: Reader, path: string): Html {
  const { product } = page;
  const { banner, noOrder } = reader.texts.preview;
  const { buy, get } = reader.texts.product;
  const fields = hasChoice(page) && html`<fieldset class="choice" disabled>${choiceFields(page, reader)}</fieldset>`;
  const button = html`${fields}<p><button class="button buy" type="button" disabled>${product.priceAmount === 0 ? get : buy}</button></p>
<p class="small">${noOrder}</p>`;
  return renderPage({ reader, title: product.name, path, isWide: true, banner, main: productMain(page, reader, button) });
}

/** What both show; `order` is how to buy it. */
function productMain(page: ProductPage, reader: Reader, order: Html, releases?: Html): Html {
  const { product, sellerName, siteUrl, pictures } = page;
  const texts = reader.texts.product;
  const others = sellerTexts(page);
  const features = displayedFeatures(product, reader.locale);
  return html`<article class="product">
<header class="product-head">
<h1>${sellerText(product.name, others)}</h1>
<p class="by">${texts.soldBy} <strong>${sellerText(sellerName, others)}</strong></p>
</header>
${offerCard(page, reader, order)}
<div class="product-body">
${pictures.length > 0 && gallery(page, reader)}
${section('about', texts.description, sellerParagraphs(product.description, others))}
${features.length > 0 && section('features', texts.features, html`<ul class="features">${features.map((feature) => featureItem(feature, others))}</ul>`)}
${section('environment', texts.environment, sellerParagraphs(product.softwareOperatingEnvironment, others))}
${page.downloads.length > 0 && section('files', texts.files, html`<p>${texts.filesText}</p>${fileList(page, reader)}`)}
${section('refunds', texts.refunds, sellerParagraphs(product.refundPolicy, others))}
${section('support', texts.support, html`<p>${texts.supportText(sellerName)}</p><p>${mailLink(product.supportEmail)}</p>${siteLink(siteUrl, reader)}`)}
${releases}
</div>
</article>
<section class="terms" aria-labelledby="terms"><h2 id="terms">${reader.texts.terms.title}</h2>
${disclosure(page, reader)}
</section>
<p class="lost" id="lost-link"><a href="${hrefFor(reader, '/manage')}">${texts.lostLink}</a></p>`;
}

const altOf = ({ product, pictures }: ProductPage, { texts }: Reader, index: number) =>
  texts.product.picture(product.name, index + 1, pictures.length);

/** The first picture is seen at once; the others are loaded when they come near. Their sizes keep their places. */
function gallery(page: ProductPage, reader: Reader): Html {
  return html`<ul class="pictures">${page.pictures.map(
    ({ path, width, height }, index) =>
      html`<li><a href="${path}"><img src="${path}" width="${width}" height="${height}" alt="${altOf(page, reader, index)}"${index > 0 && html` loading="lazy"`} decoding="async"></a></li>\n`,
  )}</ul>`;
}

function featureItem({ text, lang, isIdentifier = false }: DisplayedFeature, others: readonly string[]): Html {
  if (isIdentifier) return html`<li><code translate="no">${text}</code></li>\n`;
  return html`<li dir="auto" lang="${lang ?? languageOf(text, others)}">${text}</li>\n`;
}

/** What files run on, by how their names end. Archives and documents tell nothing. */
const platforms: Readonly<Record<string, string>> = {
  dmg: 'macOS',
  pkg: 'macOS',
  exe: 'Windows',
  msi: 'Windows',
  msix: 'Windows',
  appimage: 'Linux',
  deb: 'Linux',
  rpm: 'Linux',
  flatpak: 'Linux',
  apk: 'Android',
};

/** What a file of this name runs on; undefined when its name does not tell. */
function platformOf(fileName: string): string | undefined {
  const [, ending = ''] = /\.(\w+)$/.exec(fileName.toLowerCase()) ?? [];
  return Object.hasOwn(platforms, ending) ? platforms[ending] : undefined;
}

function fileList({ downloads }: ProductPage, { locale }: Reader): Html {
  return html`<ul class="file-list">${downloads.map(({ fileName, sizeBytes }) => {
    const facts = [platformOf(fileName), formatSize(sizeBytes, locale)].filter((fact) => fact !== undefined);
    return html`<li><span class="file-name" dir="auto" translate="no">${fileName}</span> <span class="small">${facts.join(' · ')}</span></li>\n`;
  })}</ul>`;
}

/** The seller's own place on the web, which we do not vouch for. */
function siteLink(siteUrl: string | undefined, { texts }: Reader): Html | undefined {
  const url = siteUrl !== undefined && hasPlainHost(siteUrl) ? URL.parse(siteUrl) : null;
  if (!url) return undefined;
  return html`<p><a class="site" href="${url.href}" rel="nofollow noopener">${texts.product.website(url.host)}</a></p>`;
}

function section(id: string, title: string, content: Html): Html {
  return html`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>
${content}
</section>`;
}

/** A link to the confirmation, or a form where there is something to choose before. */
function wayToBuy(page: ProductPage, reader: Reader): Html {
  const { product, onSale, chosen } = page;
  const texts = reader.texts.product;
  const free = chosen.price.unitAmount === 0;
  const words = free ? texts.get : texts.buy;
  const orderControl = hasChoice(page)
    ? choiceForm(page, reader, html`<button class="button buy" type="submit">${words}</button>`)
    : html`<p><a class="button buy" href="${hrefFor(reader, checkoutPath(product.slug))}">${words}</a></p>`;
  return onSale
    ? html`${choiceFaults(page, reader)}${orderControl}
<p class="small">${free ? texts.nextPageFree : texts.nextPage}</p>`
    : html`<p class="not-on-sale"><strong>${texts.notOnSale}</strong></p><p class="small">${texts.notOnSaleText}</p>`;
}

function offerCard(offer: ProductPage, reader: Reader, order: Html): Html {
  const { product, chosen } = offer;
  const { product: texts, choice } = reader.texts;
  const free = chosen.price.unitAmount === 0;
  return html`<div class="offer">
${price(offer, reader)}
${order}
${
  product.upgradesFrom.length > 0 &&
  html`<p class="small">${choice.ownersPayLess} <a href="${hrefFor(reader, '/manage')}">${choice.findMine}</a></p>
`
}<ul class="assurances">
<li>${texts.forDevices(product.activationLimit ?? 1)}</li>
${product.offlineDays > 0 ? html`<li>${texts.offlineFor(product.offlineDays)}</li>` : html`<li class="condition">${texts.needsNetwork}</li>`}
${product.offlineFileDays > 0 && html`<li>${texts.offlineFile(product.offlineFileDays)}</li>\n`}<li${product.updatesDays === 0 && html` class="condition"`}>${updatesInWords(offer, reader)}</li>
<li>${free ? texts.keyAtOnceFree : texts.keyAtOnce}</li>
<li>${texts.noAccount}</li>
</ul>
</div>`;
}

function price(page: ProductPage, reader: Reader): Html {
  const { product, chosen } = page;
  const { unitAmount, discount } = chosen.price;
  const price = amountOf(page, unitAmount, reader);
  const priceHtml = discount ? withFormerPrice(price, amountOf(page, product.priceAmount, reader), reader) : html`${price}`;
  if (unitAmount === 0) return html`<p class="price">${priceHtml}</p>`;
  const code = currencyCodeBeside(price, product.currency);
  return html`<p class="price">${priceHtml} <span class="tax">${code && `${code}, `}${reader.texts.product.taxIncluded}</span></p>`;
}

/** The price as search engines read it: a plain decimal number. */
function decimalPrice({ product }: ProductOffer): string {
  const digits = minorDigitsOf(product.currency);
  return (product.priceAmount / 10 ** digits).toFixed(digits);
}

/** What search engines and previews show of it. */
const summaryOf = (description: string) => truncatedLine(description.replace(/\s+/g, ' '), 160);

/** The product and its offer as schema.org has them. */
function structuredDataOf(page: ProductPage, baseUrl: string) {
  const { product, sellerName, onSale, pictures } = page;
  const url = `${baseUrl}${productPath(product.slug)}`;
  const seller = { '@type': 'Organization', name: sellerName };
  return {
    '@context': 'https://schema.org',
    '@type': 'Product',
    name: product.name,
    description: summaryOf(product.description),
    url,
    ...(pictures.length > 0 && { image: pictures.map(({ path }) => `${baseUrl}${path}`) }),
    brand: seller,
    offers: {
      '@type': 'Offer',
      url,
      price: decimalPrice(page),
      priceCurrency: product.currency.toUpperCase(),
      availability: `https://schema.org/${onSale ? 'InStock' : 'OutOfStock'}`,
      seller,
    },
  };
}
