import type { APIGatewayProxyEventV2 as HttpEvent, APIGatewayProxyStructuredResultV2 as HttpResult } from 'aws-lambda';
import { pageHeaders } from '../../shared/http/page-headers.ts';
import { compress } from '../../shared/page-delivery/compress.ts';
import { acceptsHtml, withFailurePage } from '../../shared/page-delivery/failure-page.ts';
import { canonicalPathOf } from './canonical-path.ts';
import type { ReaderOf } from './reader.ts';
import { renderError } from './views/error-view.ts';

/**
 * Makes of the replies of a JSON handler what a browser needs: failures become pages,
 * every reply has the security headers, and text is compressed for those who take it.
 * Where no page is, programs get the Error body.
 *
 * @param checkoutOrigins where the order form may lead, because `form-action` also holds for the
 * redirect that answers a form. See "Content-Security-Policy" in README.md.
 */
export function createPresenter({ checkoutOrigins, readerOf }: { checkoutOrigins: readonly string[]; readerOf: ReaderOf }) {
  const headers = securityHeaders(checkoutOrigins);
  return (event: HttpEvent, reply: HttpResult, isServed: boolean): HttpResult => {
    const place = isServed || reply.statusCode !== 404 ? undefined : canonicalPathOf(event.rawPath);
    if (place !== undefined || reply.statusCode === 308)
      return withQuery(event, place === undefined ? reply : movedTo(place, reply), headers);
    const page = isServed || acceptsHtml(event) ? asPage(event, reply, readerOf) : reply;
    return compress(event, { ...page, headers: { ...headers, ...page.headers } });
  };
}

/** A program follows as a browser does. */
const movedTo = (place: string, { headers }: HttpResult): HttpResult => ({
  statusCode: 308,
  headers: { ...headers, Location: place, 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'public, max-age=60' },
  body: '',
});

function withQuery({ rawQueryString: query }: HttpEvent, reply: HttpResult, headers: Record<string, string>): HttpResult {
  const location = `${reply.headers?.['Location']}${query && `?${query}`}`;
  return { ...reply, headers: { ...headers, ...reply.headers, Location: location } };
}

function securityHeaders(checkoutOrigins: readonly string[]): Record<string, string> {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    `form-action ${["'self'", ...checkoutOrigins].join(' ')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ];
  return { ...pageHeaders, 'Content-Security-Policy': policy.join('; ') };
}

function asPage(event: HttpEvent, reply: HttpResult, readerOf: ReaderOf): HttpResult {
  return withFailurePage(reply, (error) => {
    const reader = readerOf(event.headers['accept-language'], event.queryStringParameters?.['lang']);
    const ordering = event.requestContext.http.method === 'POST' && event.rawPath.startsWith('/p/');
    return renderError({ ...error, path: event.rawPath, ordering }, reader);
  });
}
