import * as z from 'zod/mini';
import { ConfigError } from '../../shared/config.ts';
import { malformedSettings, type OperatorSettings } from './operator-settings.ts';

/** Settings of the edge stack, which no function gets, with their defaults. See "The edge" in infra/stacks/edge.md. */
export const edgeDefaults = {
  EDGE_DOMAIN: '',
  EDGE_CERTIFICATE_ARN: '',
  EDGE_ORIGIN: '',
  EDGE_ZONE_ID: '',
  EDGE_SECRET_VERSION: '',
  EDGE_LICENSE_RATE: '600',
  EDGE_RATE: '1200',
} as const;

const hostName = /^(?=.{4,253}$)([a-z\d]([a-z\d-]{0,61}[a-z\d])?\.)+[a-z]{2,63}$/;
const originOf = z.pipe(
  z.string(),
  z.transform((value: string) => URL.parse(value.includes('://') ? value : `https://${value}`)?.hostname ?? ''),
);
/** WAF counts no fewer than ten. */
const perMinute = z.pipe(
  z.string().check(z.regex(/^\d{1,9}$/)),
  z.transform((value: string) => Number(value)),
);
const EdgeSettings = z.object({
  EDGE_DOMAIN: z.string().check(z.regex(hostName)),
  EDGE_CERTIFICATE_ARN: z.string().check(z.regex(/^arn:aws:acm:us-east-1:\d{12}:certificate\/[\w-]+$/)),
  EDGE_ORIGIN: z.pipe(originOf, z.string().check(z.regex(hostName))),
  EDGE_ZONE_ID: z.optional(z.string().check(z.regex(/^Z[A-Z\d]+$/))),
  EDGE_SECRET_VERSION: z.optional(z.string().check(z.regex(/^[\w-]{32,64}$/))),
  EDGE_LICENSE_RATE: z.pipe(perMinute, z.number().check(z.minimum(10))),
  EDGE_RATE: z.pipe(perMinute, z.number().check(z.minimum(10))),
});
export type EdgeSettings = z.infer<typeof EdgeSettings>;

/** Whether this deployment has an edge, through which alone callers then come. */
export const hasEdge = (operator: OperatorSettings | undefined): boolean => Boolean(operator?.['EDGE_DOMAIN']);

/** The form of each of these settings, whether or not there is an edge. */
export const edgeForms = Object.fromEntries(
  Object.entries(EdgeSettings.shape).map(([name, form]) => [name, (text: string) => z.safeParse(form, text).success]),
);

/**
 * What the operator says of the edge; undefined where there is none.
 *
 * @throws ConfigError naming every setting at fault.
 */
export function readEdgeSettings(operator: OperatorSettings): EdgeSettings | undefined {
  const malformed = malformedSettings(operator, edgeForms);
  if (!hasEdge(operator)) {
    if (malformed.length > 0) throw new ConfigError(malformed);
    return undefined;
  }
  const given = Object.fromEntries(Object.entries(edgeDefaults).map(([name, usual]) => [name, operator[name] || usual || undefined]));
  const result = z.safeParse(EdgeSettings, given);
  if (!result.success) {
    const names = new Set(result.error.issues.map(({ path: [name] }) => String(name)));
    const missing = [...names].filter((name) => given[name] === undefined);
    throw new ConfigError([...malformed, ...missing.map((name) => `${name} is missing`)]);
  }
  const { EDGE_DOMAIN: domain, EDGE_ORIGIN: origin } = result.data;
  const faults = [
    origin === domain && 'EDGE_ORIGIN is EDGE_DOMAIN, which would ask itself',
    operator['PUBLIC_BASE_URL']?.replace(/\/+$/, '') !== `https://${domain}` && 'PUBLIC_BASE_URL is not https:// and EDGE_DOMAIN',
  ].filter((fault) => fault !== false);
  if (faults.length > 0) throw new ConfigError(faults);
  return result.data;
}
