import { type Failure, startAddition, startUpgrade } from '../api.ts';
import { fill, fillPattern, find, inPattern } from '../dom.ts';
import { showBusy } from '../email-form.ts';
import { tell, tellOutcome } from '../outcome.ts';
import type { Purchase } from '../purchase/purchase.ts';
import { locale } from '../purchase/words.ts';
import { daysInWords, price, seatsOf, sum } from './offer-rules.ts';

type Offers = NonNullable<Purchase['offers']>;

/** What can be bought for the license on the page. `onLeaving` is told before the page on which it is paid opens. */
export function startOffers(options: { token: () => string; onLeaving: (token: string) => void; onFailure: (failure: Failure) => void }): {
  show(purchase: Purchase): void;
} {
  let seat: Offers['seat'];
  let busy = false;
  const input = find<HTMLInputElement>('#more-seats');

  async function buy(form: HTMLElement, start: (token: string) => ReturnType<typeof startAddition>): Promise<void> {
    if (busy) return;
    busy = true;
    tell(form, '');
    showBusy(form, true);
    const token = options.token();
    const outcome = await start(token);
    if (outcome.ok && token === options.token()) {
      options.onLeaving(token);
      return location.assign(outcome.body.checkout_url);
    }
    busy = false;
    showBusy(form, false);
    if (token !== options.token() || outcome.ok) return;
    tellOutcome(form, outcome, '');
    options.onFailure(outcome);
  }

  /** Whether the number of seats is one that can be bought; where it is, the form says what they cost together. */
  function showTotal(): number | undefined {
    const quantity = seatsOf(input?.value ?? '');
    const total = seat && quantity !== undefined ? { quantity, amount: seat.unit_amount * quantity, currency: seat.currency } : undefined;
    fill('seats-total', total ? sum(total, locale) : '—');
    return quantity;
  }

  function showInvalid(is: boolean): void {
    input?.setAttribute('aria-invalid', String(is));
    const error = find('[data-invalid-seats]');
    if (error) error.hidden = !is;
    if (is) input?.focus();
  }

  function listenTo(form: HTMLElement, submit: () => void): void {
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      submit();
    });
  }

  function showUpgrades(upgrades: NonNullable<Offers['upgrades']>, quantity: number): void {
    const [list, template] = [find('[data-upgrades]'), find<HTMLTemplateElement>('[data-upgrade]')];
    // A row that is there already keeps its outcome and its focus.
    if (!list || !template || list.dataset['shown'] === JSON.stringify(upgrades)) return;
    list.dataset['shown'] = JSON.stringify(upgrades);
    list.replaceChildren(
      ...upgrades.map((upgrade) => {
        const row = document.createElement('li');
        row.append(template.content.cloneNode(true));
        fillPattern('upgrade-name', { product: upgrade.name }, row);
        if (upgrade.amount > 0) fill('upgrade-total', sum({ ...upgrade, quantity }, locale), row);
        leadToProduct(upgrade.slug, row);
        const form = find('form', row);
        if (form) listenTo(form, () => void buy(form, (token) => startUpgrade(token, upgrade.product_id)));
        return row;
      }),
    );
  }

  input?.addEventListener('input', () => {
    showTotal();
    showInvalid(false);
  });
  const [seats, updates] = [find('[data-buy="seats"]'), find('[data-buy="updates"]')];
  if (seats) {
    listenTo(seats, () => {
      const quantity = showTotal();
      showInvalid(quantity === undefined);
      if (quantity !== undefined) void buy(seats, (token) => startAddition(token, { kind: 'seats', quantity }));
    });
  }
  if (updates) listenTo(updates, () => void buy(updates, (token) => startAddition(token, { kind: 'updates' })));
  // Back from the payment page: the browser may show the page as it was left.
  addEventListener('pageshow', () => {
    busy = false;
    for (const form of document.querySelectorAll('[data-offers] form')) showBusy(form, false);
  });

  return {
    show({ offers = {}, order, product }) {
      seat = offers.seat;
      fillPattern('seat-price', seat && { price: price(seat.unit_amount, seat.currency, locale) });
      showTotal();
      const { updates: more } = offers;
      fillPattern('more-updates', more && { days: daysInWords(more.days, locale) });
      fill('updates-total', more ? price(more.amount, more.currency, locale) : '');
      for (const part of document.querySelectorAll('[data-of-product]')) leadToProduct(product.slug, part);
      showUpgrades(offers.upgrades ?? [], order.quantity);
    },
  };
}

/** Leads to the terms of what is bought. */
function leadToProduct(slug: string, within: ParentNode): void {
  const link = find<HTMLAnchorElement>('[data-terms]', within);
  link?.setAttribute('href', inPattern(link.dataset['terms'], { slug: encodeURIComponent(slug) }));
}
