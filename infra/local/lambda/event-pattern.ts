import * as z from 'zod/mini';

const Fields = z.record(z.string(), z.unknown());

/** Of the pattern language what the app uses: names nested in each other, and lists of texts and of prefixes. Of a list any member may match. */
export function matchesPattern(value: unknown, pattern: unknown): boolean {
  if (Array.isArray(pattern)) return [value].flat().some((member) => pattern.some((rule) => matchesRule(member, rule)));
  const found = Fields.safeParse(value);
  return found.success && Object.entries(z.parse(Fields, pattern)).every(([name, inner]) => matchesPattern(found.data[name], inner));
}

function matchesRule(value: unknown, rule: unknown): boolean {
  if (typeof rule === 'string') return value === rule;
  return typeof value === 'string' && value.startsWith(z.parse(z.strictObject({ prefix: z.string() }), rule).prefix);
}
