import { type Html, type HtmlValue, html } from '../../../shared/html.ts';
import { hrefFor, type Reader } from '../reader.ts';
import { fieldError, outcomeMessages } from '../views/components.ts';

/** What can be bought for the license of a purchase; its script shows what is offered, and fills in the prices. */
export function offersSection(reader: Reader): Html {
  const { offers: texts } = reader.texts;
  // Said outside the section, which goes with the last offer.
  const gone = { addition_not_offered: texts.notOffered, upgrade_not_offered: texts.notOffered, already_upgraded: texts.already };
  return html`<section data-when="offers" aria-labelledby="offers" data-offers hidden><h2 id="offers">${texts.title}</h2>
<p>${texts.text}</p>
<div class="offers">
<div class="card" data-when="offer-seats" hidden>${offerForm(reader, {
    name: 'seats',
    title: texts.seats,
    text: html`<span data-field="seat-price" data-pattern="${texts.seatPrice('{price}')}"></span>`,
    field: html`<div class="field"><label for="more-seats">${texts.seatsLabel}</label><input id="more-seats" type="number" min="1" max="100" step="1" value="1" inputmode="numeric" autocomplete="off" required aria-describedby="more-seats-error">
${fieldError('more-seats-error', texts.seatsInvalid)}</div>`,
  })}</div>
<div class="card" data-when="offer-updates" hidden>${offerForm(reader, {
    name: 'updates',
    title: texts.updates,
    text: html`<span data-field="more-updates" data-pattern="${texts.updatesText('{days}')}"></span>`,
  })}</div>
<ul data-when="offer-upgrades" data-upgrades hidden></ul>
</div>
<template data-upgrade><div class="card">${offerForm(reader, {
    name: 'upgrade',
    title: html`<span data-field="upgrade-name" data-pattern="${texts.upgrade('{product}')}" dir="auto"></span>`,
    text: html`<strong data-field="upgrade-seats" data-pattern="${texts.upgradeSeats('{seats}', '{own}')}" data-one="${texts.devices.one}" data-many="${texts.devices.many('{count}')}"></strong> ${texts.upgradeText}`,
  })}</div></template>
</section>
<p data-offers-gone>${outcomeMessages(reader.texts, gone)}</p>`;
}

interface OfferForm {
  name: 'seats' | 'updates' | 'upgrade';
  title: HtmlValue;
  text: HtmlValue;
  field?: Html;
}

function offerForm(reader: Reader, { name, title, text, field }: OfferForm): Html {
  const { offers: texts, checkout, errors, product } = reader.texts;
  const own = {
    license_not_usable: texts.notUsable,
    price_changed: texts.priceChanged,
    checkout_not_available: errors.notOnSale,
    price_not_chargeable: texts.tooMany,
    invalid_request: texts.tooMany,
  };
  return html`<form class="offer-form" data-buy="${name}"${name !== 'upgrade' && html` data-of-product`} novalidate>
<h3>${title}</h3>
<p>${text}</p>
${field}
<p>${texts.total}: <strong data-field="${name}-total"${name === 'seats' && html` role="status"`}${name === 'upgrade' && html` data-free="${product.free}"`}></strong></p>
<p class="key-actions"><button class="button" type="submit"><span data-idle>${texts.buy}</span><span data-busy hidden>${checkout.opening}</span></button><a data-terms="${hrefFor(reader, '/p/{slug}')}">${texts.terms}</a></p>
<p>${outcomeMessages(reader.texts, own)}</p>
</form>`;
}

/** What an addition was, on the page of whoever paid it: the license's own page shows the rest. */
export function additionSection({ texts }: Reader): Html {
  const { addition, completion, purchase } = texts;
  const notice = (when: string, title: string, text: string) =>
    html`<div class="notice bad" data-when="addition-${when}" hidden><h2>${title}</h2><p>${text}</p></div>\n`;
  return html`${notice('refunded', completion.refunded, addition.refundedText)}${notice('disputed', completion.disputed, addition.disputedText)}${notice('lost', purchase.lost, addition.lostText)}<section class="card" data-when="addition" aria-labelledby="added" hidden>
<h2 id="added">${addition.added}</h2>
<p><strong data-field="added"></strong></p>
<p data-when="addition-none">${addition.text}</p>
</section>`;
}
