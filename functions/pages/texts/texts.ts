import type { Locale } from '../../../shared/locale.ts';
import { en, type Texts } from './texts-en.ts';
import { ja } from './texts-ja.ts';

export type { Texts };

export const texts: Record<Locale, Texts> = { ja, en };
