import type { CorsRule } from '../engines/provision.ts';
import { S3Error } from './s3-error.ts';
import type { S3Request } from './s3-request.ts';

const matches = (pattern: string, text: string) => {
  const [before = '', ...after] = pattern.split('*');
  if (after.length === 0) return pattern === text;
  return text.length >= pattern.length - 1 && text.startsWith(before) && text.endsWith(after.join('*'));
};
const anyMatches = (patterns: readonly string[] = [], text: string) => patterns.some((pattern) => matches(pattern, text));

/** Headers that let a page of the request's origin read the reply; none without a rule for it. */
export function corsHeaders(request: S3Request, rules: readonly CorsRule[]): Record<string, string> {
  const origin = request.headers.get('origin');
  const rule = ruleFor(rules, origin, request.method);
  if (!rule || origin === undefined) return {};
  const exposed = rule.ExposedHeaders?.join(', ');
  return {
    'Access-Control-Allow-Origin': rule.AllowedOrigins.includes('*') ? '*' : origin,
    ...(exposed && { 'Access-Control-Expose-Headers': exposed }),
    Vary: 'Origin, Access-Control-Request-Headers, Access-Control-Request-Method',
  };
}

/** @throws S3Error AccessForbidden when no rule allows the request that the browser announces */
export function preflightHeaders(request: S3Request, rules: readonly CorsRule[]): Record<string, string> {
  const origin = request.headers.get('origin');
  const method = request.headers.get('access-control-request-method') ?? '';
  const asked = (request.headers.get('access-control-request-headers') ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '');
  const rule = ruleFor(rules, origin, method);
  const allowed = rule?.AllowedHeaders?.map((name) => name.toLowerCase());
  if (!rule || !asked.every((name) => anyMatches(allowed, name))) {
    throw new S3Error(403, 'AccessForbidden', 'CORSResponse: This CORS request is not allowed.');
  }
  return {
    ...corsHeaders({ ...request, method }, [rule]),
    'Access-Control-Allow-Methods': rule.AllowedMethods.join(', '),
    ...(asked.length > 0 && { 'Access-Control-Allow-Headers': asked.join(', ') }),
    ...(rule.MaxAge !== undefined && { 'Access-Control-Max-Age': String(rule.MaxAge) }),
  };
}

function ruleFor(rules: readonly CorsRule[], origin: string | undefined, method: string): CorsRule | undefined {
  if (origin === undefined) return undefined;
  return rules.find((rule) => anyMatches(rule.AllowedOrigins, origin) && rule.AllowedMethods.includes(method));
}
