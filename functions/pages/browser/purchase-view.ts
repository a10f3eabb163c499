import { mailtoOf } from '../../../shared/email-address.ts';
import { formatMoney } from '../../../shared/money.ts';
import type { Purchase, PurchasedFile } from './api.ts';
import { fill, find } from './dom.ts';

const locale = document.documentElement.lang;

const time = (iso: string | undefined) =>
  iso ? new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(iso)) : '—';

const patternOf = (field: string) => find(`[data-field="${field}"]`)?.dataset['pattern'] ?? '';

/** What holds for this purchase, in the names that the page's `data-when` uses. */
export function factsOf({ order, license, files, expires_at }: Purchase): string[] {
  const withdrawn = order.status === 'refunded' || order.status === 'disputed' ? order.status : 'none';
  return [
    'purchase',
    `license-${license?.status ?? withdrawn}`,
    license ? 'license' : '',
    license?.license_key ? 'key' : '',
    files.length > 0 ? 'files' : '',
    order.status === 'partially_refunded' ? 'partly-refunded' : '',
    expires_at ? 'link-lasts' : '',
  ];
}

type Download = (file: PurchasedFile, row: HTMLElement) => Promise<void>;

/** Whether the key is still to come: paid, but no license yet. */
export const isIssuing = (purchase: Purchase) => factsOf(purchase).includes('license-none');

export function fillPurchase(purchase: Purchase, download: Download): void {
  const { order, product, license } = purchase;
  fill('product-name', product.name);
  fillKey(license?.license_key ?? '');
  fill(
    'seats',
    patternOf('seats')
      .replace('{used}', String(license?.activation_count ?? 0))
      .replace('{limit}', String(license?.activation_limit ?? 0)),
  );
  fill('order-id', order.id);
  fill('amount', formatMoney(order.amount, order.currency, locale));
  fill('paid-at', time(order.paid_at));
  fill('issued-at', time(license?.issued_at));
  fill('seller', product.seller_display_name);
  fill('support', product.support_email);
  find('[data-field="support"]')?.setAttribute('href', mailtoOf(product.support_email));
  fill('refund-policy', product.refund_policy);
  fill('environment', product.software_operating_environment);
  fill('link-until', patternOf('link-until').replace('{time}', time(purchase.expires_at)));
  fillFiles(purchase.files, download);
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
      fill('file-size', size(file.size_bytes), fragment);
      fill('file-hash', file.sha256_hex, fragment);
      const button = find<HTMLButtonElement>('[data-download]', fragment);
      button?.setAttribute('aria-label', (button.dataset['namePattern'] ?? '').replace('{file}', file.file_name));
      if (row) button?.addEventListener('click', () => void download(file, row));
      return fragment;
    }),
  );
}

function size(bytes: number): string {
  const [unit, divisor] = (
    [
      ['gigabyte', 1e9],
      ['megabyte', 1e6],
      ['kilobyte', 1e3],
    ] as const
  ).find(([, least]) => bytes >= least) ?? ['byte', 1];
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: 1 }).format(bytes / divisor);
}
