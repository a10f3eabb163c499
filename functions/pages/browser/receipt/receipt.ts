import { formatMoney } from '../../../../shared/text/money.ts';
import { type Failure, openPurchase } from '../api.ts';
import { fill, fillPattern, find, inPattern, showState, whenParsed } from '../dom.ts';
import { fillFailure } from '../outcome.ts';
import { refundedAmount } from '../purchase/facts.ts';
import { startLinkForm } from '../purchase/link-form.ts';
import type { Purchase } from '../purchase/purchase.ts';
import { fillBought } from '../purchase/purchase-view.ts';
import { carryLink, forgetLink, hasNewLink, openSession } from '../purchase/session.ts';
import { locale, sellerIn } from '../purchase/words.ts';
import { isQualified, receiptFactsOf } from './receipt-facts.ts';

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

function showReceipt(purchase: Purchase): void {
  const { order, product } = purchase;
  const money = (amount: number) => formatMoney(amount, order.currency, locale);
  const refunded = refundedAmount(order);
  fill('amount', amountInWords(order));
  for (const field of ['paid-on', 'ordered-on']) fill(field, dayOf(order, order.paid_at));
  fillBought(purchase, ': ');
  fill('refunded', money(refunded));
  fillPattern('then-refunded', { amount: money(refunded) });
  fill('remaining', money(order.amount - refunded));
  fill('issuer', sellerIn(product));
  fill('address', product.tokushoho_address ?? '');
  fill('contact', [product.tokushoho_contact, product.support_email].filter((text) => text?.trim()).join('\n'));
  if (order.invoice) fillInvoice(order, order.invoice);
  showState(receiptFactsOf(purchase));
  // What browsers propose as the name of the file when a page is saved.
  const { titleFree, titlePaid, titleQualified } = find('.receipt')?.dataset ?? {};
  document.title = `${order.amount === 0 ? titleFree : isQualified(order) ? titleQualified : titlePaid} ${order.id}`;
}

/** Who issues it under which number, the tax within the total, and what was given back. */
function fillInvoice(order: Purchase['order'], invoice: NonNullable<Purchase['order']['invoice']>): void {
  const money = (amount: number) => formatMoney(amount, order.currency, locale);
  const { seller_name: seller, operator_name: operator } = invoice;
  fill('issuer', operator ?? seller);
  fill('registration-number', (operator ? invoice.operator_registration_number : invoice.registration_number) ?? '');
  fill('consignor', seller);
  fillPattern('in-place-of', { seller });
  fill('total-at-rate', money(order.amount));
  fill('tax', money(invoice.tax_amount));
  const [back] = invoice.refunds ?? [];
  if (!back) return;
  fill('given-back-on', dayOf(order, back.refunded_at));
  fill('given-back', money(back.amount));
  fill('tax-given-back', money(back.tax_amount));
}

/** The amount with its currency and tax, each where readers of the page's language expect it. */
function amountInWords({ amount, currency }: Purchase['order']): string {
  const { pattern, yen, free } = find('[data-field="amount"]')?.dataset ?? {};
  if (amount === 0) return free ?? '';
  const code = currency.toUpperCase();
  return inPattern(code === 'JPY' ? yen : pattern, { amount: formatMoney(amount, code, locale), currency: code });
}

/** The same day wherever and in whichever language the receipt is opened: that of the mail. Its zone is named where readers expect another. */
function dayOf({ time_zone: timeZone }: Purchase['order'], time: string): string {
  const at = new Date(time);
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone }).format(at);
  if (locale === 'ja' && timeZone === 'Asia/Tokyo') return day;
  const zone = new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: 'short' }).formatToParts(at);
  return `${day} (${zone.find(({ type }) => type === 'timeZoneName')?.value})`;
}

whenParsed(() => {
  find('[data-print]')?.addEventListener('click', () => print());
  find('[data-again]')?.addEventListener('click', () => void open());
  startLinkForm((token) => {
    session = openSession(token);
    void open();
  });
  carryLink('[data-language], [data-keeps-link]', () => session);
  addEventListener('hashchange', () => {
    if (!hasNewLink()) return;
    session = openSession();
    void open();
  });
  void open();
});
