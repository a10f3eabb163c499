import type { ZodSchema } from '../../../shared/http/endpoint.ts';

/** What any check within a schema says when it is broken, in words of its own; what zod says by its codes is not among them. */
export function checkMessagesOf(schema: ZodSchema): Set<string> {
  const seen = new Set<object>();
  const messages = new Set<string>();
  const look = (node: unknown): void => {
    if (typeof node !== 'object' || node === null || seen.has(node)) return;
    seen.add(node);
    const { _zod: { def = undefined } = {} } = node as { _zod?: { def?: { error?: (issue: object) => unknown } } };
    for (const input of [undefined, 'x']) {
      const said = def?.error?.({ code: 'custom', input });
      if (typeof said === 'string') messages.add(said);
    }
    // Schemas and checks are within definitions, alone, in lists, or by the names of fields.
    for (const inner of Object.values(def ?? (isPlain(node) ? node : {}))) look(inner);
  };
  look(schema);
  return messages;
}

const isPlain = (node: object) => Array.isArray(node) || Object.getPrototypeOf(node) === Object.prototype;
