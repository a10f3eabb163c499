import * as z from 'zod/mini';
import { type ProviderError, refuse } from '../provider-error.ts';

/** @throws ProviderError naming the first parameter that does not fit, as the provider does. */
export function parseParams<Schema extends z.core.$ZodType>(schema: Schema, params: Record<string, unknown>): z.output<Schema> {
  const result = z.safeParse(schema, params);
  if (!result.success) throw refusalOf(result.error);
  return result.data;
}

/** @throws ProviderError when the text is no JSON object. Blank text is an empty one. */
export function parseJsonObject(text: string): Record<string, unknown> {
  try {
    return z.parse(z.record(z.string(), z.unknown()), JSON.parse(text === '' ? '{}' : text));
  } catch {
    throw refuse('The body must be a JSON object.', { isEarly: true });
  }
}

/** `line_items[0][quantity]`, as the provider names a parameter. */
function paramName(path: readonly PropertyKey[]): string {
  const [first, ...rest] = path.map(String);
  return `${first ?? ''}${rest.map((part) => `[${part}]`).join('')}`;
}

/** The provider's refusal of parameters that do not fit its schema. */
function refusalOf(error: z.core.$ZodError): ProviderError {
  const [issue] = error.issues;
  if (issue?.code === 'unrecognized_keys') {
    const param = paramName([...issue.path, issue.keys[0] ?? '']);
    return refuse(`Received unknown parameter: ${param}`, { code: 'parameter_unknown', param, isEarly: true });
  }
  const param = paramName(issue?.path ?? []);
  const absent = issue?.code === 'invalid_type' && issue.input === undefined;
  return absent
    ? refuse(`Missing required param: ${param}.`, { code: 'parameter_missing', param, isEarly: true })
    : refuse(`Invalid ${param}: ${issue?.message}`, { ...codeOf(param, issue?.input), param, isEarly: true });
}

/** The provider's code for a value that does not fit, where it has one. */
function codeOf(param: string, value: unknown): { code?: string } {
  if (value === '') return { code: 'parameter_invalid_empty' };
  if (/_url\]?$/.test(param)) return { code: 'url_invalid' };
  if (/_email\]?$/.test(param)) return { code: 'email_invalid' };
  return /(_amount|quantity|_at|\[amount)\]?$|^amount$/.test(param) ? { code: 'parameter_invalid_integer' } : {};
}
