import type { Locale } from '../../../shared/locale.ts';
import type { Section } from './guide/section.ts';
import { covered } from './updates/covered.ts';
import { covered as coveredJa } from './updates/ja/covered.ts';

/** For people whose app updates itself: the same sections in each language. */
export const updateGuides: Readonly<Record<Locale, readonly Section[]>> = { en: [covered], ja: [coveredJa] };
