/** The languages in which buyers are addressed. */
export const locales = ['ja', 'en'] as const;
export type Locale = (typeof locales)[number];

export const isLocale = (text: string | undefined): text is Locale => locales.some((locale) => locale === text);

/** The time zone in which days are counted for readers of this language. */
export const timeZoneOf = (locale: Locale): 'Asia/Tokyo' | 'UTC' => (locale === 'ja' ? 'Asia/Tokyo' : 'UTC');

/** The day of a moment there, as YYYY-MM-DD. */
export const dayInZone = (timeZone: string, at: Date): string => new Intl.DateTimeFormat('sv', { dateStyle: 'short', timeZone }).format(at);

/** The supported language that a reader prefers, from an `Accept-Language` header: English when it names none that is supported. */
export const preferredLocale = (acceptLanguage: string | undefined): Locale => acceptedLocale(acceptLanguage) ?? 'en';

/** The same; undefined when it names none that is supported. */
export function acceptedLocale(acceptLanguage: string | undefined): Locale | undefined {
  const wanted = (acceptLanguage ?? '').slice(0, 500).split(',').map(readRange);
  const best = wanted.filter(({ locale, weight }) => locale !== undefined && weight > 0).sort((a, b) => b.weight - a.weight)[0];
  return best?.locale;
}

function readRange(range: string): { locale: Locale | undefined; weight: number } {
  const [tag = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
  const quality = parameters.find((parameter) => parameter.startsWith('q='));
  const weight = quality === undefined ? 1 : Number(quality.slice('q='.length));
  const language = tag.split('-')[0];
  return { locale: isLocale(language) ? language : undefined, weight: Number.isNaN(weight) ? 0 : weight };
}

/** To the minute, with its time zone. */
export const momentIn = (locale: Locale, at: Date) =>
  new Intl.DateTimeFormat(locale, {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZone: timeZoneOf(locale),
    timeZoneName: 'short',
  }).format(at);
