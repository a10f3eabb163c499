import { gzipSync } from 'node:zlib';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import * as z from 'zod/mini';
import { pageHeaders, takesGzip } from '../../shared/http/page-headers.ts';
import type { ReaderOf } from './reader.ts';
import { renderError } from './views/error-view.ts';

type HttpEvent = APIGatewayProxyEventV2;
type HttpResult = APIGatewayProxyStructuredResultV2;

/** As `createHandler` sends it for every failure. */
const ErrorBody = z.object({ code: z.string(), request_id: z.string() });

/**
 * Makes of the replies of a JSON handler what a browser needs: failures become pages,
 * every reply has the security headers, and text is compressed for those who take it.
 *
 * @param checkoutOrigins where the order form may lead, because `form-action` also holds for the
 * redirect that answers a form. See "Content-Security-Policy" in README.md.
 */
export function createPresenter({ checkoutOrigins, readerOf }: { checkoutOrigins: readonly string[]; readerOf: ReaderOf }) {
  const headers = securityHeaders(checkoutOrigins);
  return (event: HttpEvent, reply: HttpResult): HttpResult => {
    const page = asPage(event, reply, readerOf);
    return compress(event, { ...page, headers: { ...headers, ...page.headers } });
  };
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

/** On paths that no route takes, browsers get a page and programs the Error body. */
function asPage(event: HttpEvent, reply: HttpResult, readerOf: ReaderOf): HttpResult {
  const { statusCode = 200, body = '' } = reply;
  const forBrowser = event.routeKey !== '$default' || (event.headers['accept'] ?? '').includes('text/html');
  const isPage = String(reply.headers?.['Content-Type']).startsWith('text/html');
  if (statusCode < 400 || isPage || !forBrowser) return reply;
  const error = z.parse(ErrorBody, JSON.parse(body));
  const reader = readerOf(event.headers['accept-language'], event.queryStringParameters?.['lang']);
  const ordering = event.requestContext.http.method === 'POST' && event.rawPath.startsWith('/p/');
  return {
    ...reply,
    headers: { ...reply.headers, 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store' },
    body: renderError({ code: error.code, requestId: error.request_id, path: event.rawPath, ordering }, reader).toString(),
  };
}

const worthCompressing = 1024;

/** gzip where the caller takes it. */
function compress(event: HttpEvent, reply: HttpResult): HttpResult {
  const { body = '', headers = {} } = reply;
  if (body.length < worthCompressing || reply.isBase64Encoded) return reply;
  const vary = [headers['Vary'], 'Accept-Encoding'].filter(Boolean).join(', ');
  if (!takesGzip(event.headers['accept-encoding'])) return { ...reply, headers: { ...headers, Vary: vary } };
  return {
    ...reply,
    headers: { ...headers, Vary: vary, 'Content-Encoding': 'gzip' },
    body: isForAnyone(headers) ? gzippedOnce(body) : gzip(body),
    isBase64Encoded: true,
  };
}

const isForAnyone = (headers: NonNullable<HttpResult['headers']>) => String(headers['Cache-Control']).startsWith('public');

const gzip = (body: string) => gzipSync(body).toString('base64');

/** What anyone gets is the same again and again, and to compress it takes longer than to make it. */
const gzipped = new Map<string, string>();
const mostKept = 100;

function gzippedOnce(body: string): string {
  const known = gzipped.get(body);
  if (known !== undefined) return known;
  if (gzipped.size >= mostKept) gzipped.clear();
  const made = gzip(body);
  gzipped.set(body, made);
  return made;
}
