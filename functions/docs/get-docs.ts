import * as z from 'zod/mini';
import { AppError } from '../../shared/errors.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { pageHeaders } from '../../shared/http/page-headers.ts';
import { isLocale, preferredLocale } from '../../shared/locale.ts';
import { text } from '../../shared/schemas.ts';
import { fileReply, type PageName, pageFileName, type Site } from './site.ts';

/** Everything comes from here; the viewer's style sheet holds its icons as data. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const languageQuery = z.object({ lang: z.optional(text(100)) });
const whichLanguage = 'in Japanese or English: as `lang` says, else as the browser prefers.';

/** Shows a page in the language that was asked for. */
const showPage =
  (page: PageName) =>
  (
    { headers, query }: { headers: Readonly<Record<string, string | undefined>>; query: z.output<typeof languageQuery> },
    { site }: { site: Site },
  ) => {
    const locale = isLocale(query.lang) ? query.lang : preferredLocale(headers['accept-language']);
    const file = site.get(pageFileName(page, locale));
    if (!file) throw new AppError('internal_error');
    return fileReply(file, headers['accept-encoding'], {
      ...pageHeaders,
      'Content-Security-Policy': contentSecurityPolicy,
      'Content-Language': locale,
      Vary: 'Accept-Language',
    });
  };

const success = { status: 200, contentType: 'text/html', description: 'A page.' } as const;

export const getDocsRoute = endpoint({
  operationId: 'getDocs',
  method: 'GET',
  path: '/docs',
  tag: 'Documentation',
  summary: 'Shows the guide for app authors and this description to people',
  description: `Everything on the page comes from this service. The guide is ${whichLanguage}`,
  audience: 'anyone',
  query: languageQuery,
  success,
  cacheSeconds: 300,
  errors: [],
  handle: showPage('index'),
});

export const getSellerGuideRoute = endpoint({
  operationId: 'getSellerGuide',
  method: 'GET',
  path: '/docs/sellers',
  tag: 'Documentation',
  summary: 'Shows the guide for sellers to people',
  description: `From the application to the first sale, and what to do when a buyer writes, ${whichLanguage}`,
  audience: 'anyone',
  query: languageQuery,
  success,
  cacheSeconds: 300,
  errors: [],
  handle: showPage('sellers'),
});

export const getUpdateGuideRoute = endpoint({
  operationId: 'getUpdateGuide',
  method: 'GET',
  path: '/docs/updates',
  tag: 'Documentation',
  summary: 'Shows the guide to updates to people',
  description: `How apps find out which updates their license covers, and get them, ${whichLanguage}`,
  audience: 'anyone',
  query: languageQuery,
  success,
  cacheSeconds: 300,
  errors: [],
  handle: showPage('updates'),
});
