import { minorDigitsOf } from '../../../shared/currencies.ts';
import { type Html, html } from '../../../shared/html.ts';
import { formatMoney } from '../../../shared/money.ts';
import type { Offer } from '../offer.ts';
import { hrefFor, type Reader } from '../reader.ts';
import { renderPage } from './layout.ts';
import { mailLink, prose, resendForm } from './parts.ts';
import { disclosure } from './terms.ts';

export const productPath = (slug: string) => `/p/${encodeURIComponent(slug)}`;
export const checkoutPath = (slug: string) => `${productPath(slug)}/checkout`;

/** The page on which a stranger decides to buy; readable and usable without JavaScript. */
export function renderProduct(offer: Offer, reader: Reader, baseUrl: string): Html {
  const { product, sellerName } = offer;
  const say = reader.say.product;
  return renderPage({
    reader,
    title: product.name,
    path: productPath(product.slug),
    script: 'product.js',
    wide: true,
    listing: { description: summaryOf(product.description ?? ''), baseUrl },
    main: html`<article class="product" itemscope itemtype="https://schema.org/SoftwareApplication">
<header class="product-head">
<h1 itemprop="name" dir="auto">${product.name}</h1>
<p class="by">${say.soldBy} <strong itemprop="author" dir="auto">${sellerName}</strong></p>
</header>
${offerCard(offer, reader)}
<div class="product-body">
${section('about', say.description, html`<div itemprop="description">${prose(product.description ?? '')}</div>`)}
${(product.features ?? []).length > 0 && section('features', say.features, html`<ul class="features">${product.features?.map((feature) => html`<li dir="auto">${feature}</li>\n`)}</ul>`)}
${section('environment', say.environment, html`<div itemprop="operatingSystem">${prose(product.softwareOperatingEnvironment ?? '')}</div>`)}
${section('refunds', say.refunds, prose(product.refundPolicy ?? ''))}
${section('support', say.support, html`<p>${say.supportText(sellerName)}</p><p>${mailLink(product.supportEmail ?? '')}</p>`)}
</div>
</article>
<section class="terms" aria-labelledby="terms"><h2 id="terms">${reader.say.terms.title}</h2>
${disclosure(offer, reader)}
</section>
<details class="lost" id="lost-link"><summary>${say.lostLink}</summary>
${resendForm(reader.say.resend)}
</details>`,
  });
}

function section(id: string, title: string, content: Html): Html {
  return html`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>
${content}
</section>`;
}

function offerCard(offer: Offer, reader: Reader): Html {
  const { product, onSale } = offer;
  const say = reader.say.product;
  return html`<div class="offer" itemprop="offers" itemscope itemtype="https://schema.org/Offer">
<meta itemprop="price" content="${decimalPrice(offer)}"><meta itemprop="priceCurrency" content="${product.currency.toUpperCase()}">
<link itemprop="availability" href="https://schema.org/${onSale ? 'InStock' : 'OutOfStock'}">
${price(offer, reader)}
${
  onSale
    ? html`<p><a class="button buy" href="${hrefFor(reader, checkoutPath(product.slug))}">${product.priceAmount === 0 ? say.get : say.buy}</a></p>
<p class="small">${say.nextPage}</p>`
    : html`<p class="not-on-sale"><strong>${say.notOnSale}</strong></p><p class="small">${say.notOnSaleText}</p>`
}
<ul class="assurances">
<li>${say.forDevices(product.activationLimit ?? 1)}</li>
${product.offlineDays > 0 ? html`<li>${say.offlineFor(product.offlineDays)}</li>` : html`<li class="condition">${say.needsNetwork}</li>`}
${product.offlineFileDays > 0 && html`<li>${say.offlineFile(product.offlineFileDays)}</li>\n`}<li>${say.keyAtOnce}</li>
<li>${say.noAccount}</li>
</ul>
</div>`;
}

function price({ product }: Offer, { locale, say }: Reader): Html {
  if (product.priceAmount === 0) return html`<p class="price">${say.product.free}</p>`;
  const currency = product.currency.toUpperCase();
  return html`<p class="price">${formatMoney(product.priceAmount, currency, locale)} <span class="tax">${currency !== 'JPY' && `${currency}, `}${say.product.taxIncluded}</span></p>`;
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
