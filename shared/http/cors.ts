import type { Audience } from './endpoint.ts';

/**
 * Cross-origin rules, answered here and not by the gateway: buyer, runtime, health and
 * document paths for any origin, seller and admin paths for the console's origins, all
 * others for none. See "CORS" in callers.md.
 */
const anyOriginPaths = /^\/(v1\/(public|purchases|licenses|updates)\/|healthz$|readyz$|openapi\.json$|clients\/|\.well-known\/jwks\.json$)/;

function allowedOrigin(
  audience: Audience | undefined,
  path: string,
  origin: string | undefined,
  consoleOrigins: readonly string[],
): string | undefined {
  if (anyOriginPaths.test(path)) return '*';
  const forConsole = audience === 'seller' || audience === 'admin';
  return forConsole && origin !== undefined && consoleOrigins.includes(origin) ? origin : undefined;
}

export function corsHeaders(
  audience: Audience | undefined,
  path: string,
  origin: string | undefined,
  consoleOrigins: readonly string[] = [],
): Record<string, string> {
  const allowed = allowedOrigin(audience, path, origin, consoleOrigins);
  const vary: Record<string, string> = audience === 'seller' || audience === 'admin' ? { Vary: 'Origin' } : {};
  if (allowed === undefined) return vary;
  const more = [...(allowed === '*' ? [] : ['X-Ignored-Fields']), ...(path.startsWith('/v1/updates/') ? ['X-Update-Code'] : [])];
  const exposed = ['X-Request-Id', 'Retry-After', 'ETag', ...more];
  return { ...vary, 'Access-Control-Allow-Origin': allowed, 'Access-Control-Expose-Headers': exposed.join(', ') };
}

export function preflightHeaders(
  routes: readonly { method: string; path: string; audience: Audience }[],
  origin: string | undefined,
  consoleOrigins: readonly string[] = [],
): Record<string, string> {
  const [first] = routes;
  const headers = corsHeaders(first?.audience, first?.path ?? '', origin, consoleOrigins);
  if (!headers['Access-Control-Allow-Origin']) return headers;
  return {
    ...headers,
    'Access-Control-Allow-Methods': routes.map((route) => route.method).join(', '),
    'Access-Control-Allow-Headers':
      'Authorization, Content-Type, Idempotency-Key, If-None-Match, Range, X-License-Lease, X-User-ID, X-User-Email',
    'Access-Control-Max-Age': '600',
  };
}
