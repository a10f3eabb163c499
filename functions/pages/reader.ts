import { isLocale, type Locale, preferredLocale } from '../../shared/locale.ts';
import type { Operator } from '../../shared/operator.ts';
import type { PageAssets } from './assets/assets.ts';
import { type Texts, texts } from './texts/texts.ts';

/** The reader of a page: the language, and whether it was chosen explicitly. */
export interface Reader {
  locale: Locale;
  texts: Texts;
  /** Set when the address names the language: links then keep naming it. Nothing is stored. */
  chosenLocale: Locale | undefined;
  /** The operator of the service. */
  operator: Operator;
  /** What the page loads. */
  assets: PageAssets;
}

/** Who reads a page: in the language of `?lang=`, else in what the browser prefers. */
export type ReaderOf = (acceptLanguage: string | undefined, lang: string | undefined) => Reader;

export function createReaderOf(common: Pick<Reader, 'operator' | 'assets'>): ReaderOf {
  return (acceptLanguage, lang) => {
    const chosen = isLocale(lang) ? lang : undefined;
    const locale = chosen ?? preferredLocale(acceptLanguage);
    return { ...common, locale, texts: texts[locale], chosenLocale: chosen };
  };
}

/** A link to a page of the service, in the language that was chosen by hand, if one was. */
export function hrefFor(reader: Reader, path: string): string {
  return reader.chosenLocale ? withLanguage(path, reader.chosenLocale) : path;
}

export function withLanguage(path: string, locale: Locale): string {
  return `${path}${path.includes('?') ? '&' : '?'}lang=${locale}`;
}

/** The path of a request as a link to it: whatever it holds, it never leads to another host. */
export function localPath(path: string): string {
  const pathname = URL.parse(`https://own.invalid/${path}`)?.pathname ?? '';
  return pathname.replace(/^\/*/, '/');
}
