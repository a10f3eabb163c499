import { type Failure, type Outcome, type Payment, startAddition, startUpgrade } from '../api.ts';
import { fill, fillPattern, find, inPattern } from '../dom.ts';
import { showBusy } from '../email-form.ts';
import { tell, tellOutcome } from '../outcome.ts';
import type { Purchase } from '../purchase/purchase.ts';
import { locale } from '../purchase/words.ts';
import { daysInWords, isGone, isSameTotal, price, seatsOf, sum, type Total } from './offer-rules.ts';

type Offers = NonNullable<Purchase['offers']>;
type Upgrade = NonNullable<Offers['upgrades']>[number];

interface Options {
  token: () => string;
  /** Told before the page on which it is paid opens. */
  onLeaving: (token: string) => void;
  onFailure: (failure: Failure) => void;
  /** Shows the offers as they are now. */
  refresh: () => Promise<void>;
}

/** What can be bought for the license on the page: each at the total that the page shows, or not before it shows the new one. */
export function startOffers(options: Options): { show(purchase: Purchase): void } {
  let offered: Offers = {};
  let quantityOfOrder = 1;
  /** The row of each upgrade on the page, by its product. */
  let rows = new Map<string, HTMLElement>();
  let busy = false;
  const input = find<HTMLInputElement>('#more-seats');

  async function buy(form: HTMLElement, shown: Total | undefined, start: (token: string) => Promise<Outcome<Payment>>): Promise<void> {
    const gone = find('[data-offers-gone]');
    if (busy || !shown || !gone) return;
    busy = true;
    tell(form, '');
    tell(gone, '');
    showBusy(form, true);
    const token = options.token();
    const outcome = await start(token);
    if (outcome.ok && token === options.token()) {
      if (isSameTotal(outcome.body, shown)) {
        options.onLeaving(token);
        return location.assign(outcome.body.checkout_url);
      }
      await options.refresh();
    }
    busy = false;
    showBusy(form, false);
    if (token !== options.token()) return;
    if (outcome.ok) return tell(form, 'price_changed');
    if (isGone(outcome.code)) {
      // Its form may go with the offer.
      tellOutcome(gone, outcome, '');
      return void options.refresh();
    }
    tellOutcome(form, outcome, '');
    options.onFailure(outcome);
  }

  /** What the seats cost together, where their number is one that can be bought; the form says it. */
  function showTotal(): (Total & { quantity: number }) | undefined {
    const { seat } = offered;
    const quantity = seatsOf(input?.value ?? '');
    const total = seat && quantity !== undefined ? { quantity, amount: seat.unit_amount * quantity, currency: seat.currency } : undefined;
    fill('seats-total', total ? sum(total, locale) : '—');
    return total;
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

  const upgradeTo = (productId: string) => offered.upgrades?.find((upgrade) => upgrade.product_id === productId);

  function rowOf(productId: string, template: HTMLTemplateElement): HTMLElement {
    const row = document.createElement('li');
    row.append(template.content.cloneNode(true));
    const form = find('form', row);
    if (form) listenTo(form, () => void buy(form, upgradeTo(productId), (token) => startUpgrade(token, productId)));
    return row;
  }

  function fillUpgrade(upgrade: Upgrade, row: HTMLElement): void {
    fillPattern('upgrade-name', { product: upgrade.name }, row);
    const free = find('[data-free]', row)?.dataset['free'] ?? '';
    fill('upgrade-total', upgrade.amount > 0 ? sum({ ...upgrade, quantity: quantityOfOrder }, locale) : free, row);
    leadToProduct(upgrade.slug, row);
  }

  /** A row that is there already keeps its outcome, and its focus where the same are offered. */
  function showUpgrades(upgrades: readonly Upgrade[]): void {
    const [list, template] = [find('[data-upgrades]'), find<HTMLTemplateElement>('[data-upgrade]')];
    if (!list || !template) return;
    const before = [...rows.keys()];
    rows = new Map(upgrades.map(({ product_id: id }) => [id, rows.get(id) ?? rowOf(id, template)]));
    for (const upgrade of upgrades) {
      const row = rows.get(upgrade.product_id);
      if (row) fillUpgrade(upgrade, row);
    }
    if (before.join() !== [...rows.keys()].join()) list.replaceChildren(...rows.values());
  }

  input?.addEventListener('input', () => {
    showTotal();
    showInvalid(false);
  });
  const [seats, updates] = [find('[data-buy="seats"]'), find('[data-buy="updates"]')];
  if (seats) {
    listenTo(seats, () => {
      const total = showTotal();
      showInvalid(total === undefined);
      if (total) void buy(seats, total, (token) => startAddition(token, { kind: 'seats', quantity: total.quantity }));
    });
  }
  if (updates) listenTo(updates, () => void buy(updates, offered.updates, (token) => startAddition(token, { kind: 'updates' })));
  // Back from the payment page: the browser may show the page as it was left.
  addEventListener('pageshow', () => {
    busy = false;
    for (const form of document.querySelectorAll('[data-offers] form')) showBusy(form, false);
  });

  return {
    show({ offers = {}, order, product }) {
      offered = offers;
      quantityOfOrder = order.quantity;
      const { seat, updates: more, upgrades = [] } = offers;
      fillPattern('seat-price', seat && { price: price(seat.unit_amount, seat.currency, locale) });
      showTotal();
      fillPattern('more-updates', more && { days: daysInWords(more.days, locale) });
      fill('updates-total', more ? price(more.amount, more.currency, locale) : '');
      for (const part of document.querySelectorAll('[data-of-product]')) leadToProduct(product.slug, part);
      showUpgrades(upgrades);
    },
  };
}

/** Leads to the terms of what is bought. */
function leadToProduct(slug: string, within: ParentNode): void {
  const link = find<HTMLAnchorElement>('[data-terms]', within);
  link?.setAttribute('href', inPattern(link.dataset['terms'], { slug: encodeURIComponent(slug) }));
}
