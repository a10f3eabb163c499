import { formatMoney } from '../../../../shared/text/money.ts';
import { type Failure, openPurchase } from '../api.ts';
import { fill, fillPattern, find, inPattern, showState, whenParsed } from '../dom.ts';
import { fillFailure } from '../outcome.ts';
import type { Purchase } from './purchase.ts';
import { carryLink, forgetLink, hasNewLink, openSession } from './session.ts';
import { locale, sellerIn } from './words.ts';

let session = openSession();

async function open(): Promise<void> {
  const { token } = session;
  if (token === '') return showState(['no-link']);
  showState(['opening']);
  const outcome = await openPurchase(token);
  if (token !== session.token) return;
  if (outcome.ok) showReceipt(outcome.body);
  else showFailure(outcome);
}

function showFailure(failure: Failure): void {
  const trouble = ['offline', 'unreachable', 'rate_limited', 'dependency_unavailable', 'internal_error'].includes(failure.code);
  fillFailure(document, failure);
  if (!trouble && failure.code !== 'order_not_paid') forgetLink(session.token);
  showState(trouble ? [failure.code, 'trouble'] : ['no-link']);
}

function showReceipt({ order, product }: Purchase): void {
  const money = (amount: number) => formatMoney(amount, order.currency, locale);
  const refunded = order.amount_refunded ?? 0;
  const isFree = order.amount === 0;
  fill('amount', amountInWords(order));
  for (const field of ['paid-on', 'ordered-on']) fill(field, receiptDay(order));
  fill('order-id', order.id);
  fill('product-name', product.name);
  fill('refunded', money(refunded));
  fillPattern('then-refunded', { amount: money(refunded) });
  fill('remaining', money(order.amount - refunded));
  fill('issuer', sellerIn(product));
  fill('address', product.tokushoho_address ?? '');
  fill('contact', [product.tokushoho_contact, product.support_email].filter((text) => text?.trim()).join('\n'));
  showState([
    'receipt',
    isFree ? 'free' : 'paid',
    refunded > 0 ? 'refunded' : '',
    refunded === 0 ? '' : refunded < order.amount ? 'refunded-in-part' : 'refunded-in-full',
    order.status === 'disputed' ? 'disputed' : '',
    product.tokushoho_address?.trim() ? 'address' : '',
  ]);
  // What browsers propose as the name of the file when a page is saved.
  document.title = `${find('.receipt')?.dataset[isFree ? 'titleFree' : 'titlePaid']} ${order.id}`;
}

/** The amount with its currency and tax, each where readers of the page's language expect it. */
function amountInWords({ amount, currency }: Purchase['order']): string {
  const { pattern, yen, free } = find('[data-field="amount"]')?.dataset ?? {};
  if (amount === 0) return free ?? '';
  const code = currency.toUpperCase();
  return inPattern(code === 'JPY' ? yen : pattern, { amount: formatMoney(amount, code, locale), currency: code });
}

/** The same day wherever and in whichever language the receipt is opened: that of the mail. Its zone is named where readers expect another. */
function receiptDay({ paid_at, time_zone: timeZone }: Purchase['order']): string {
  const at = new Date(paid_at);
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone }).format(at);
  if (locale === 'ja' && timeZone === 'Asia/Tokyo') return day;
  const zone = new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: 'short' }).formatToParts(at);
  return `${day} (${zone.find(({ type }) => type === 'timeZoneName')?.value})`;
}

whenParsed(() => {
  find('[data-print]')?.addEventListener('click', () => print());
  find('[data-again]')?.addEventListener('click', () => void open());
  carryLink('[data-language], [data-keeps-link]', () => session);
  addEventListener('hashchange', () => {
    if (!hasNewLink()) return;
    session = openSession();
    void open();
  });
  void open();
});
