import type { Locale } from '../../../shared/locale.ts';
import type { Section } from './guide/section.ts';
import { sellerSections as sectionsEn } from './sellers/en.ts';
import { sellerSections as sectionsJa } from './sellers/ja.ts';

/** For people who sell: the same sections in each language. */
export const sellerGuides: Readonly<Record<Locale, readonly Section[]>> = { en: sectionsEn, ja: sectionsJa };
