import { gzipSync } from 'node:zlib';
import type { APIGatewayProxyEventV2 as HttpEvent, APIGatewayProxyStructuredResultV2 as HttpResult } from 'aws-lambda';
import { acceptsGzip } from '../http/page-headers.ts';

const worthCompressing = 1024;

/** The reply as gzip where the caller takes it: the gateway itself does not compress. */
export function compress(event: HttpEvent, reply: HttpResult): HttpResult {
  const { body = '', headers = {} } = reply;
  if (body.length < worthCompressing || reply.isBase64Encoded) return reply;
  const vary = [headers['Vary'], 'Accept-Encoding'].filter(Boolean).join(', ');
  if (!acceptsGzip(event.headers['accept-encoding'])) return { ...reply, headers: { ...headers, Vary: vary } };
  return {
    ...reply,
    headers: { ...headers, Vary: vary, 'Content-Encoding': 'gzip' },
    body: isForAnyone(headers) ? gzippedOnce(body) : gzip(body),
    isBase64Encoded: true,
  };
}

const isForAnyone = (headers: NonNullable<HttpResult['headers']>) => String(headers['Cache-Control']).startsWith('public');

const gzip = (body: string) => gzipSync(body).toString('base64');

/** Public pages repeat, and compressing one takes longer than rendering it. */
const gzipCache = new Map<string, string>();
const maxCached = 100;

function gzippedOnce(body: string): string {
  const cached = gzipCache.get(body);
  if (cached !== undefined) return cached;
  if (gzipCache.size >= maxCached) gzipCache.clear();
  const compressed = gzip(body);
  gzipCache.set(body, compressed);
  return compressed;
}
