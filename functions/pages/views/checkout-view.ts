import { type Html, html } from '../../../shared/html.ts';
import { productPath } from '../../../shared/products/slug.ts';
import { urlWithChoice } from '../checkout/choice.ts';
import type { ProductPage } from '../find-offer.ts';
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
  const { checkout: texts, product: productTexts } = reader.texts;
  const { total, quantity, discount } = chosen.price;
  const free = total === 0;
  return renderPage({
    reader,
    title: texts.title,
    path: urlWithChoice(checkoutPath(product.slug), chosen.choice),
    script: 'product.js',
    main: html`${steps(reader, 'confirm', free ? ['confirm', 'key'] : undefined)}
<h1>${texts.title}</h1>
${changed && html`<p class="notice warn" role="alert">${texts.changed}</p>`}
${choiceFaults(offer, reader)}<p class="lead">${free ? texts.leadFree : texts.lead}</p>
<div class="card">${orderSummary(offer, reader)}${offer.onSale && changeChoice(offer, reader)}</div>
${
  offer.onSale
    ? html`<form class="confirm" method="post" action="${hrefFor(reader, checkoutPath(product.slug))}" data-checkout>
<input type="hidden" name="request_key" value="${requestKey}">
<input type="hidden" name="revision" value="${offer.termsRevision}">
<input type="hidden" name="quantity" value="${quantity}">
${discount && html`<input type="hidden" name="code" value="${discount.code}">`}<input type="hidden" name="total" value="${total}">
<button class="button buy" type="submit"><span data-idle>${free ? productTexts.get : texts.pay(amountOf(offer, total, reader))}</span><span data-busy hidden>${free ? texts.openingFree : texts.opening}</span></button>
${!free && html`<p class="small">${texts.cardNote}</p>`}
</form>`
    : html`<p class="notice warn"><strong>${productTexts.notOnSale}</strong> ${productTexts.notOnSaleText}</p>`
}
<section class="order-terms" aria-labelledby="order-terms"><h2 id="order-terms">${texts.details}</h2>
${orderTerms(offer, reader)}
</section>
<p class="back"><a href="${hrefFor(reader, urlWithChoice(productPath(product.slug), chosen.choice))}">${reader.texts.backToProduct}</a></p>`,
  });
}
