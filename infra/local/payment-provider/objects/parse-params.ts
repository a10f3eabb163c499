import * as z from 'zod/mini';
import { refusalOf, refuse } from './provider-error.ts';

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
