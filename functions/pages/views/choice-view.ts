import { type Html, html } from '../../../shared/html.ts';
import { shortenedQuantity } from '../checkout/choice.ts';
import type { ProductPage } from '../find-offer.ts';
import type { Reader } from '../reader.ts';
import { checkoutPath } from './terms.ts';

/** Of what was typed for a code, to be corrected. */
const maxCodeLength = 64;

/** Whether a buyer has anything to choose. */
export const hasChoice = ({ product, hasDiscounts: takesCodes, chosen }: ProductPage): boolean =>
  product.maxQuantity > 1 || takesCodes || chosen.price.discount !== undefined;

/** What else is offered than was asked for, and why. */
export function choiceFaults({ product, chosen }: ProductPage, { texts: { choice } }: Reader): Html {
  const words = {
    quantity: choice.badQuantity(product.maxQuantity),
    total: choice.badTotal,
    code: choice.badCode,
    limited: choice.codeLimited,
  };
  return html`${chosen.faults.map((fault) => html`<p class="notice warn" role="alert" id="fault-${fault}">${words[fault]}</p>\n`)}`;
}

/** The fields for how many and with which code, each where the product has it. What is wrong in them is told by `choiceFaults`. */
export function choiceFields({ product, hasDiscounts: takesCodes, chosen }: ProductPage, { texts: { choice, terms } }: Reader): Html {
  const { faults, price, choice: asked } = chosen;
  const wrong = (...names: typeof faults) => {
    const fault = names.find((name) => faults.includes(name));
    return fault && html` aria-invalid="true" aria-errormessage="fault-${fault}"`;
  };
  const isWrong = faults.includes('quantity') || faults.includes('total');
  // Browsers show of a number field nothing but numbers, and what was typed has to be seen to be corrected.
  const kind = isWrong ? html`type="text"` : html`type="number" min="1" max="${product.maxQuantity}" step="1"`;
  const code = price.discount?.code ?? (asked.code ?? '').replace(/\p{C}/gu, '').slice(0, maxCodeLength);
  return html`${
    product.maxQuantity > 1 &&
    html`<div class="field"><label for="quantity">${terms.quantity}</label>
<input id="quantity" name="quantity" ${kind} inputmode="numeric" autocomplete="off" required aria-describedby="quantity-hint" value="${isWrong ? shortenedQuantity(asked) : price.quantity}"${wrong('quantity', 'total')}>
<p class="small" id="quantity-hint">${choice.quantityHint(product.maxQuantity)}</p></div>
`
  }${
    (takesCodes || price.discount) &&
    html`<div class="field"><label for="code">${choice.code}</label>
<input id="code" name="code" type="text" maxlength="${maxCodeLength}" autocomplete="off" autocapitalize="characters" autocorrect="off" spellcheck="false" translate="no" value="${code}"${wrong('code', 'limited')}></div>
`
  }`;
}

/** A form that leads to the confirmation of what was chosen: its fields become the address, so that it needs no script. */
export function choiceForm(page: ProductPage, reader: Reader, button: Html): Html {
  return html`<form class="choice" action="${checkoutPath(page.product.slug)}" novalidate>
${reader.chosenLocale && html`<input type="hidden" name="lang" value="${reader.chosenLocale}">`}${choiceFields(page, reader)}${button}
</form>`;
}

/** The same on the confirmation itself, folded away until something has to be corrected. */
export function changeChoice(page: ProductPage, reader: Reader): Html | undefined {
  if (!hasChoice(page)) return undefined;
  const { change, changeTitle } = reader.texts.choice;
  return html`<details${page.chosen.faults.length > 0 && html` open`}><summary>${changeTitle}</summary>
${choiceForm(page, reader, html`<button class="button quiet" type="submit">${change}</button>`)}
</details>`;
}
