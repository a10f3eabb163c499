import * as z from 'zod/mini';
import { AppError } from '../../shared/errors.ts';
import { type Endpoint, endpoint } from '../../shared/http/endpoint.ts';
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

/** A page in the language that was asked for; `holds`: what a reader finds in it. */
const guide = (route: Pick<Endpoint, 'operationId' | 'path' | 'summary'>, holds: string, page: PageName) =>
  endpoint({
    ...route,
    method: 'GET',
    tag: 'Documentation',
    description: `${holds} in Japanese or English: as \`lang\` says, else as the browser prefers.`,
    audience: 'anyone',
    query: z.object({ lang: z.optional(text(100)) }),
    success: { status: 200, contentType: 'text/html', description: 'A page.' },
    cacheSeconds: 300,
    errors: [],
    handle({ headers, query }, { site }: { site: Site }) {
      const locale = isLocale(query.lang) ? query.lang : preferredLocale(headers['accept-language']);
      const file = site.get(pageFileName(page, locale));
      if (!file) throw new AppError('internal_error');
      return fileReply(file, headers['accept-encoding'], {
        ...pageHeaders,
        'Content-Security-Policy': contentSecurityPolicy,
        'Content-Language': locale,
        Vary: 'Accept-Language',
      });
    },
  });

export const getDocsRoute = guide(
  { operationId: 'getDocs', path: '/docs', summary: 'Shows the guide for app authors and this description to people' },
  'Everything on the page comes from this service. The guide is',
  'index',
);

export const getSellerGuideRoute = guide(
  { operationId: 'getSellerGuide', path: '/docs/sellers', summary: 'Shows the guide for sellers to people' },
  'From the application to the first sale, and what to do when a buyer writes,',
  'sellers',
);

export const getUpdateGuideRoute = guide(
  { operationId: 'getUpdateGuide', path: '/docs/updates', summary: 'Shows the guide to updates to people' },
  'How apps find out which updates their license covers, and get them,',
  'updates',
);
