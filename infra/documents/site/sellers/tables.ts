import { type Html, html } from '../../../../shared/html.ts';
import type { Locale } from '../../../../shared/locale.ts';
import type { ProductFileStatus } from '../../../../shared/product-files/product-file.ts';
import type { ProductStatus, SaleBlocker } from '../../../../shared/products/product.ts';
import type { InternalReviewStatus } from '../../../../shared/sellers/seller.ts';
import { table } from '../guide/section.ts';

/** What each word means to a seller, in one language; none may be missing. Field names stand in backticks. */
export interface SellerTables {
  applications: Readonly<Record<InternalReviewStatus, string>>;
  products: Readonly<Record<ProductStatus, string>>;
  blockers: Readonly<Record<SaleBlocker, string>>;
  files: Readonly<Record<ProductFileStatus, string>>;
}

const labels: Readonly<Record<Locale, Record<keyof SellerTables | 'means', string>>> = {
  en: {
    applications: 'Seller: internal_review_status',
    products: 'Product: status',
    blockers: 'Product: sale_blockers',
    files: 'File: status',
    means: 'What it means',
  },
  ja: {
    applications: '販売者：internal_review_status',
    products: '商品：status',
    blockers: '商品：sale_blockers',
    files: 'ファイル：status',
    means: '意味',
  },
};

/** The four tables, under a heading each. */
export function statusTables(tables: SellerTables, locale: Locale): Html {
  const say = labels[locale];
  const parts = (['applications', 'products', 'blockers', 'files'] as const).map((name) => {
    const rows = Object.entries(tables[name]).map(([word, meaning]) => [html`<code>${word}</code>`, withCode(meaning)]);
    return html`<h3>${say[name]}</h3>\n${table(say[name], [say[name].split(/: |：/)[1] ?? '', say.means], rows)}\n`;
  });
  return html`${parts}`;
}

const withCode = (text: string): Html =>
  html`${text.split('`').map((part, index) => (index % 2 === 0 ? part : html`<code>${part}</code>`))}`;
