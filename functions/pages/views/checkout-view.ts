import { type Html, html } from '../../../shared/html.ts';
import { productPath } from '../../../shared/products/slug.ts';
import type { ProductPage } from '../offer.ts';
import { withChoice } from '../ordering/choice.ts';
import { hrefFor, type Reader } from '../reader.ts';
import { changeChoice, choiceFaults } from './choice-view.ts';
import { renderPage, steps } from './layout.ts';
import { amountOf, checkoutPath, orderSummary, orderTerms } from './terms.ts';

/** The final confirmation. Its form works without JavaScript; `requestKey` makes sending it twice one order. */
export function renderCheckout(
  offer: ProductPage,
  reader: Reader,
  { requestKey, changed }: { requestKey: string; changed: boolean },
): Html {
  const { product, chosen } = offer;
  const { checkout: say, product: sayProduct } = reader.say;
  const { total, quantity, discount } = chosen.price;
  const free = total === 0;
  return renderPage({
    reader,
    title: say.title,
    path: withChoice(checkoutPath(product.slug), chosen.asked),
    script: 'product.js',
    main: html`${steps(reader, 'confirm', free ? ['confirm', 'key'] : undefined)}
<h1>${say.title}</h1>
${changed && html`<p class="notice warn" role="alert">${say.changed}</p>`}
${choiceFaults(offer, reader)}<p class="lead">${free ? say.leadFree : say.lead}</p>
<div class="card">${orderSummary(offer, reader)}${offer.onSale && changeChoice(offer, reader)}</div>
${
  offer.onSale
    ? html`<form class="confirm" method="post" action="${hrefFor(reader, checkoutPath(product.slug))}" data-checkout>
<input type="hidden" name="request_key" value="${requestKey}">
<input type="hidden" name="revision" value="${offer.termsRevision}">
<input type="hidden" name="quantity" value="${quantity}">
${discount && html`<input type="hidden" name="code" value="${discount.code}">`}<input type="hidden" name="total" value="${total}">
<button class="button buy" type="submit"><span data-idle>${free ? say.get : say.pay(amountOf(offer, total, reader))}</span><span data-busy hidden>${free ? say.openingFree : say.opening}</span></button>
${!free && html`<p class="small">${say.cardNote}</p>`}
</form>`
    : html`<p class="notice warn"><strong>${sayProduct.notOnSale}</strong> ${sayProduct.notOnSaleText}</p>`
}
<section class="order-terms" aria-labelledby="order-terms"><h2 id="order-terms">${say.details}</h2>
${orderTerms(offer, reader)}
</section>
<p class="back"><a href="${hrefFor(reader, withChoice(productPath(product.slug), chosen.asked))}">${say.back}</a></p>`,
  });
}
