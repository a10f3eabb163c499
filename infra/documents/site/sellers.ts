import type { Locale } from '../../../shared/locale.ts';
import type { Section } from './guide/section.ts';
import { sellerSections as sectionsEn, sellerTables as tablesEn } from './sellers/en.ts';
import { sellerSections as sectionsJa, sellerTables as tablesJa } from './sellers/ja.ts';
import { type SellerTables, statusTables } from './sellers/tables.ts';

const withTables = (sections: readonly Section[], tables: SellerTables, locale: Locale): readonly Section[] =>
  sections.map((section) => (section.id === 'statuses' ? { ...section, body: statusTables(tables, locale) } : section));

/** For people who sell: the same sections in each language. */
export const sellerGuides: Readonly<Record<Locale, readonly Section[]>> = {
  en: withTables(sectionsEn, tablesEn, 'en'),
  ja: withTables(sectionsJa, tablesJa, 'ja'),
};
