import { isUtf8 } from 'node:buffer';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { RouteMatch } from './route-table.ts';

/** A request as it came over the wire. */
export interface HttpRequest {
  method: string;
  /** Path and query, as in the request line. */
  target: string;
  /** By lower-case name; repeated ones joined by commas. */
  headers: Record<string, string>;
  body: Buffer;
  sourceIp: string;
}

/** Path and query of a request target; the absolute form that proxies use counts too. */
export function splitTarget(target: string): { path: string; query: string } {
  const origin = /^https?:\/\/[^/?#]*/i.exec(target)?.[0] ?? '';
  const [path = '', ...query] = target.slice(origin.length).split('?');
  return { path: path === '' ? '/' : path, query: query.join('?') };
}

/** The event an HTTP API hands to a function: payload format 2.0. */
export function toHttpEvent(request: HttpRequest, match: RouteMatch, requestId: string, now: Date): APIGatewayProxyEventV2 {
  const { method, headers, body, sourceIp } = request;
  const { path, query } = splitTarget(request.target);
  const { cookie, ...otherHeaders } = headers;
  const asText = isTextType(headers['content-type']) && headers['content-encoding'] === undefined && isUtf8(body);
  const host = headers['host'] ?? '';
  return {
    version: '2.0',
    routeKey: match.routeKey,
    rawPath: path,
    rawQueryString: query,
    ...(cookie !== undefined && { cookies: cookie.split(/;\s*/) }),
    headers: otherHeaders,
    ...(query !== '' && { queryStringParameters: joinValues(new URLSearchParams(query)) }),
    ...(Object.keys(match.pathParameters).length > 0 && { pathParameters: match.pathParameters }),
    requestContext: {
      accountId: '000000000000',
      apiId: 'local',
      domainName: host,
      domainPrefix: host.split('.')[0] ?? '',
      http: { method, path, protocol: 'HTTP/1.1', sourceIp, userAgent: headers['user-agent'] ?? '' },
      requestId,
      routeKey: match.routeKey,
      stage: '$default',
      time: now.toUTCString(),
      timeEpoch: now.getTime(),
    },
    ...(body.length > 0 && { body: body.toString(asText ? 'utf8' : 'base64') }),
    isBase64Encoded: body.length > 0 && !asText,
  };
}

/** Bodies of these types reach a function as text; all others in base64. */
function isTextType(contentType = ''): boolean {
  return /^\s*(text\/|application\/(?:[\w.+-]+\+)?(?:json|xml|javascript)\b)/i.test(contentType);
}

function joinValues(parameters: URLSearchParams): Record<string, string> {
  return Object.fromEntries([...new Set(parameters.keys())].map((name) => [name, parameters.getAll(name).join(',')]));
}
