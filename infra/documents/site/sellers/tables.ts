import { type Html, html } from '../../../../shared/html.ts';
import type { Locale } from '../../../../shared/locale.ts';
import type { ProductFileStatus } from '../../../../shared/product-files/product-file.ts';
import type { ProductStatus, SaleBlocker } from '../../../../shared/products/product.ts';
import type { InternalReviewStatus } from '../../../../shared/sellers/seller.ts';
import { table } from '../guide/section.ts';

/** What each word of a field means to a seller, in one language; none may be missing. Field names stand in backticks. */
export interface StatusMeanings {
  applications: Readonly<Record<InternalReviewStatus, string>>;
  products: Readonly<Record<ProductStatus, string>>;
  blockers: Readonly<Record<SaleBlocker, string>>;
  files: Readonly<Record<ProductFileStatus, string>>;
}

/** The field that says it. */
const fields = { applications: 'internal_review_status', products: 'status', blockers: 'sale_blockers', files: 'status' } as const;

const names = {
  en: { applications: 'Seller: ', products: 'Product: ', blockers: 'Product: ', files: 'File: ', meaning: 'What it means' },
  ja: { applications: '販売者：', products: '商品：', blockers: '商品：', files: 'ファイル：', meaning: '意味' },
};

/** The four tables, under a heading each. */
export function statusTables(meanings: StatusMeanings, locale: Locale): Html {
  const say = names[locale];
  const parts = (['applications', 'products', 'blockers', 'files'] as const).map((name) => {
    const title = `${say[name]}${fields[name]}`;
    const rows = Object.entries(meanings[name]).map(([word, meaning]) => [html`<code>${word}</code>`, withCode(meaning)]);
    return html`<h3>${title}</h3>\n${table(title, [fields[name], say.meaning], rows)}\n`;
  });
  return html`${parts}`;
}

const withCode = (text: string): Html =>
  html`${text.split('`').map((part, index) => (index % 2 === 0 ? part : html`<code>${part}</code>`))}`;
