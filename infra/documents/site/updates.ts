import type { Locale } from '../../../shared/locale.ts';
import type { Section } from './guide/section.ts';
import { apiTokens, fromCi } from './updates/ci.ts';
import { covered } from './updates/covered.ts';
import { feeds } from './updates/feeds.ts';
import { apiTokens as apiTokensJa, fromCi as fromCiJa } from './updates/ja/ci.ts';
import { covered as coveredJa } from './updates/ja/covered.ts';
import { feeds as feedsJa } from './updates/ja/feeds.ts';

/** For people whose app updates itself, and for those who release it: the same sections in each language. */
export const updateGuides: Readonly<Record<Locale, readonly Section[]>> = {
  en: [covered, feeds, fromCi, apiTokens],
  ja: [coveredJa, feedsJa, fromCiJa, apiTokensJa],
};
