import { type Failure, type Outcome, type Payment, startAddition, startUpgrade } from '../api.ts';
import { fill, fillPattern, find, inPattern, showBusy, showInvalid } from '../dom.ts';
import { showOutcome, showReplyOutcome } from '../outcome.ts';
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

/** What is offered on the page now, and what is under way. */
interface Shop extends Options {
  offered: Offers;
  quantityOfOrder: number;
  /** How many devices the license is for. */
  seats: number;
  /** The row of each upgrade on the page, by its product. */
  rows: Map<string, HTMLElement>;
  isBusy: boolean;
}

/** What can be bought for the license on the page: each at the total that the page shows, or not before it shows the new one. */
export function startOffers(options: Options): { show(purchase: Purchase): void } {
  const shop: Shop = { ...options, offered: {}, quantityOfOrder: 1, seats: 1, rows: new Map(), isBusy: false };
  seatsInput()?.addEventListener('input', () => {
    showTotal(shop);
    showInvalid(seatsInput(), false);
  });
  const [seats, updates] = [find('[data-buy="seats"]'), find('[data-buy="updates"]')];
  if (seats) {
    listenTo(seats, () => {
      const total = showTotal(shop);
      showInvalid(seatsInput(), total === undefined);
      if (total) void buy(shop, seats, total, (token) => startAddition(token, { kind: 'seats', quantity: total.quantity }));
    });
  }
  if (updates) {
    listenTo(updates, () => void buy(shop, updates, shop.offered.updates, (token) => startAddition(token, { kind: 'updates' })));
  }
  // Back from the payment page: the browser may show the page as it was left.
  addEventListener('pageshow', () => {
    shop.isBusy = false;
    for (const form of document.querySelectorAll('[data-offers] form')) showBusy(form, false);
  });

  return {
    show({ offers = {}, order, product, license }) {
      shop.offered = offers;
      shop.quantityOfOrder = order.quantity;
      shop.seats = license?.activation_limit ?? 0;
      const { seat, updates: more, upgrades = [] } = offers;
      fillPattern('seat-price', seat && { price: price(seat.unit_amount, seat.currency, locale) });
      showTotal(shop);
      fillPattern('more-updates', more && { days: daysInWords(more.days, locale) });
      fill('updates-total', more ? price(more.amount, more.currency, locale) : '');
      for (const part of document.querySelectorAll('[data-of-product]')) leadToProduct(product.slug, part);
      showUpgrades(shop, upgrades);
    },
  };
}

async function buy(
  shop: Shop,
  form: HTMLElement,
  shown: Total | undefined,
  start: (token: string) => Promise<Outcome<Payment>>,
): Promise<void> {
  const gone = find('[data-offers-gone]');
  if (shop.isBusy || !shown || !gone) return;
  shop.isBusy = true;
  showOutcome(form, '');
  showOutcome(gone, '');
  showBusy(form, true);
  const token = shop.token();
  const outcome = await start(token);
  if (outcome.ok && token === shop.token()) {
    if (isSameTotal(outcome.body, shown)) {
      shop.onLeaving(token);
      return location.assign(outcome.body.checkout_url);
    }
    await shop.refresh();
  }
  shop.isBusy = false;
  showBusy(form, false);
  if (token !== shop.token()) return;
  if (outcome.ok) return showOutcome(form, 'price_changed');
  if (isGone(outcome.code)) {
    // Its form may go with the offer.
    showReplyOutcome(gone, outcome, '');
    return void shop.refresh();
  }
  showReplyOutcome(form, outcome, '');
  shop.onFailure(outcome);
}

const seatsInput = () => find<HTMLInputElement>('#more-seats');

/** What the seats cost together, where their number is one that can be bought; the form says it. */
function showTotal({ offered: { seat } }: Shop): (Total & { quantity: number }) | undefined {
  const quantity = seatsOf(seatsInput()?.value ?? '');
  const total = seat && quantity !== undefined ? { quantity, amount: seat.unit_amount * quantity, currency: seat.currency } : undefined;
  fill('seats-total', total ? sum(total, locale) : '—');
  return total;
}

function listenTo(form: HTMLElement, submit: () => void): void {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    submit();
  });
}

function rowOf(shop: Shop, productId: string, template: HTMLTemplateElement): HTMLElement {
  const row = document.createElement('li');
  row.append(template.content.cloneNode(true));
  const form = find('form', row);
  const upgrade = () => shop.offered.upgrades?.find((one) => one.product_id === productId);
  if (form) listenTo(form, () => void buy(shop, form, upgrade(), (token) => startUpgrade(token, productId)));
  return row;
}

/** How many devices it is for, beside how many the license is for: what was added to that is not carried over. */
function fillSeats(upgrade: Upgrade, own: number, row: HTMLElement): void {
  const { one, many } = find('[data-field="upgrade-seats"]', row)?.dataset ?? {};
  const devices = (count: number) => (count === 1 ? (one ?? '') : inPattern(many, { count: count.toLocaleString(locale) }));
  fillPattern('upgrade-seats', { seats: devices(upgrade.activation_limit), own: devices(own) }, row);
}

function fillUpgrade(upgrade: Upgrade, { quantityOfOrder: quantity, seats }: Shop, row: HTMLElement): void {
  fillPattern('upgrade-name', { product: upgrade.name }, row);
  const free = find('[data-free]', row)?.dataset['free'] ?? '';
  fill('upgrade-total', upgrade.amount > 0 ? sum({ ...upgrade, quantity }, locale) : free, row);
  fillSeats(upgrade, seats, row);
  leadToProduct(upgrade.slug, row);
}

/** A row that is there already keeps its outcome, and its focus where the same are offered. */
function showUpgrades(shop: Shop, upgrades: readonly Upgrade[]): void {
  const [list, template] = [find('[data-upgrades]'), find<HTMLTemplateElement>('[data-upgrade]')];
  if (!list || !template) return;
  const before = shop.rows;
  const rows = new Map(upgrades.map(({ product_id: id }) => [id, before.get(id) ?? rowOf(shop, id, template)]));
  shop.rows = rows;
  for (const upgrade of upgrades) {
    const row = rows.get(upgrade.product_id);
    if (row) fillUpgrade(upgrade, shop, row);
  }
  if ([...before.keys()].join() !== [...rows.keys()].join()) list.replaceChildren(...rows.values());
}

/** Leads to the terms of what is bought. */
function leadToProduct(slug: string, within: ParentNode): void {
  const link = find<HTMLAnchorElement>('[data-terms]', within);
  link?.setAttribute('href', inPattern(link.dataset['terms'], { slug: encodeURIComponent(slug) }));
}
