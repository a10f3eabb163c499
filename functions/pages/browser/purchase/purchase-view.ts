import { mailtoUrl } from '../../../../shared/email-address.ts';
import { languageOfDescription } from '../../../../shared/text/addition-words.ts';
import { formatSize } from '../../../../shared/text/file-size.ts';
import { formatMoney } from '../../../../shared/text/money.ts';
import { fill, fillInLanguage, fillLink, fillPattern, find, inPattern } from '../dom.ts';
import { isWebAddress, refundedAmount } from './facts.ts';
import { type Download, fileRows } from './file-rows.ts';
import { likelyAddress } from './likely-address.ts';
import type { Purchase, PurchasedFile } from './purchase.ts';
import { locale, momentInWords, sellerIn } from './words.ts';

export function fillPurchase(purchase: Purchase, download: Download): void {
  const { order, product, license } = purchase;
  const money = (amount: number) => formatMoney(amount, order.currency, locale);
  fillBought(purchase, '');
  fillKey(license?.license_key ?? '');
  fillPattern('seats', { used: String(license?.activation_count ?? 0), limit: String(license?.activation_limit ?? 0) });
  fill('amount', money(order.amount));
  fill('amount-refunded', money(refundedAmount(order)));
  fillPattern('bought-before', { time: momentInWords(order.bought_before?.paid_at) });
  fillPattern('paid-for-upgrade', { amount: money(order.amount) });
  fill('paid-at', momentInWords(order.paid_at));
  fill('issued-at', momentInWords(license?.issued_at));
  fill('updates-until', momentInWords(license?.updates_until));
  fillPattern('likely-address', { address: likelyAddress(purchase.buyer_email ?? '') ?? '' });
  for (const field of ['mail-sent', 'mail-to-send', 'mail-unreachable']) fillPattern(field, { address: purchase.buyer_email ?? '' });
  fillPattern('link-until', { time: momentInWords(purchase.expires_at) });
  fillSeller(product);
  fillFiles(purchase.files, download);
}

/** The order, with its price for one; what an addition added stands, in the language of its order, behind `before`. */
export function fillBought({ order, product, added }: Purchase, before: string): void {
  fill('order-id', order.id);
  fill('product-name', product.name);
  fill('quantity', order.quantity.toLocaleString(locale));
  fill('unit-price', formatMoney(order.unit_amount, order.currency, locale));
  fill('discount', formatMoney(-(order.discount_amount ?? 0), order.currency, locale));
  fillInLanguage('added', added === undefined ? '' : before + added, added === undefined ? locale : languageOfDescription(added));
}

/** What was disclosed when the purchase was made. */
function fillSeller(product: Purchase['product']): void {
  fill('seller', sellerIn(product));
  fill('seller-address', product.tokushoho_address ?? '');
  fill('seller-contact', product.tokushoho_contact ?? '');
  fillLink('support', product.support_email, mailtoUrl(product.support_email));
  if (isWebAddress(product.site_url)) fillLink('site', product.site_url, product.site_url);
  const again = find<HTMLAnchorElement>('[data-buy-again]');
  again?.setAttribute('href', inPattern(again.dataset['pattern'], { slug: encodeURIComponent(product.slug) }));
  fill('refund-policy', product.refund_policy);
  fill('environment', product.software_operating_environment);
}

/** The key may wrap at its dashes, and is still copied as one word. */
function fillKey(key: string): void {
  const parts = key.split('-').map((part, index, all) => `${part}${index < all.length - 1 ? '-' : ''}`);
  find('[data-field="license-key"]')?.replaceChildren(...parts.flatMap((part) => [part, document.createElement('wbr')]));
}

function fillFiles(files: readonly PurchasedFile[], download: Download): void {
  const list = find('[data-files]');
  if (!list) return;
  // A row that is there already keeps its outcome and its focus.
  if (list.dataset['shown'] === JSON.stringify(files)) return;
  list.dataset['shown'] = JSON.stringify(files);
  list.replaceChildren(...fileRows(files, (file) => formatSize(file.size_bytes, locale), download));
}
