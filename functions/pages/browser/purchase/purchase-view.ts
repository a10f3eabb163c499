import { mailtoOf } from '../../../../shared/email-address.ts';
import { formatMoney } from '../../../../shared/text/money.ts';
import { formatSize } from '../../views/file-size.ts';
import type { Purchase, PurchasedFile } from '../api.ts';
import { fill, fillLink, fillPattern, find, inPattern } from '../dom.ts';
import type { Session } from './session.ts';
import { locale, momentInWords, sellerIn } from './words.ts';

const isWebAddress = (text: string | undefined): text is string => /^https?:\/\//i.test(text ?? '');

/** What holds for this purchase, in the names that the page's `data-when` uses. */
export function factsOf(purchase: Purchase, { payer, justBought }: Pick<Session, 'payer' | 'justBought'>): string[] {
  const { order, license, expires_at } = purchase;
  const withdrawn = order.status === 'refunded' || order.status === 'disputed' ? order.status : 'none';
  const status = license?.status ?? withdrawn;
  const thanks = justBought && status === 'active';
  return [
    'purchase',
    `license-${status}`,
    license ? 'license' : '',
    license?.license_key ? 'key' : '',
    thanks ? 'thanks' : 'revisit',
    thanks || (justBought && status === 'none') ? 'just-bought' : '',
    order.status === 'partially_refunded' ? 'partly-refunded' : '',
    (order.amount_refunded ?? 0) > 0 ? 'some-refunded' : '',
    expires_at ? 'link-lasts' : '',
    ...(payer && withdrawn === 'none' ? ['payer', mailFact(purchase)] : []),
    ...sellerFacts(purchase),
  ];
}

function mailFact({ buyer_email_masked, license }: Purchase): string {
  if (!buyer_email_masked) return 'mail-unknown';
  return license ? 'mail-sent' : 'mail-to-send';
}

/** What the seller has given, and so how to get the software. */
function sellerFacts({ product, files }: Purchase): string[] {
  const hasSite = isWebAddress(product.site_url);
  return [
    hasSite ? 'seller-site' : '',
    product.tokushoho_address?.trim() ? 'seller-address' : '',
    product.tokushoho_contact?.trim() ? 'seller-contact' : '',
    files.length > 0 ? 'files' : hasSite ? 'no-files-but-site' : 'no-files-no-site',
  ];
}

type Download = (file: PurchasedFile, row: HTMLElement) => Promise<void>;

/** Whether the key is still to come: paid, but no license yet. */
export const isIssuing = (purchase: Purchase) => factsOf(purchase, { payer: false, justBought: false }).includes('license-none');

export function fillPurchase(purchase: Purchase, download: Download): void {
  const { order, product, license } = purchase;
  const money = (amount: number) => formatMoney(amount, order.currency, locale);
  fill('product-name', product.name);
  fillKey(license?.license_key ?? '');
  fillPattern('seats', { used: String(license?.activation_count ?? 0), limit: String(license?.activation_limit ?? 0) });
  fill('order-id', order.id);
  fill('amount', money(order.amount));
  fill('amount-refunded', money(order.amount_refunded ?? 0));
  fill('paid-at', momentInWords(order.paid_at));
  fill('issued-at', momentInWords(license?.issued_at));
  for (const field of ['mail-sent', 'mail-to-send']) fillPattern(field, { address: purchase.buyer_email_masked ?? '' });
  fillPattern('link-until', { time: momentInWords(purchase.expires_at) });
  fillSeller(product);
  fillFiles(purchase.files, download);
}

/** What was disclosed when the purchase was made. */
function fillSeller(product: Purchase['product']): void {
  fill('seller', sellerIn(product));
  fill('seller-address', product.tokushoho_address ?? '');
  fill('seller-contact', product.tokushoho_contact ?? '');
  fillLink('support', product.support_email, mailtoOf(product.support_email));
  if (isWebAddress(product.site_url)) fillLink('site', product.site_url, product.site_url);
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
  const template = find<HTMLTemplateElement>('[data-file-row]');
  if (!list || !template) return;
  // A row that is there already keeps its outcome and its focus.
  if (list.dataset['shown'] === JSON.stringify(files)) return;
  list.dataset['shown'] = JSON.stringify(files);
  list.replaceChildren(
    ...files.map((file) => {
      const fragment = document.importNode(template.content, true);
      const row = find('li', fragment);
      fill('file-name', file.file_name, fragment);
      fill('file-size', formatSize(file.size_bytes, locale), fragment);
      fill('file-hash', file.sha256_hex, fragment);
      const button = find<HTMLButtonElement>('[data-download]', fragment);
      button?.setAttribute('aria-label', inPattern(button.dataset['namePattern'], { file: file.file_name }));
      if (row) button?.addEventListener('click', () => void download(file, row));
      return fragment;
    }),
  );
}
