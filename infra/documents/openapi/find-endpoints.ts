import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import * as z from 'zod/mini';
import type { Endpoint, ZodSchema } from '../../../shared/http/endpoint.ts';

/** An endpoint with the function that answers it. */
export interface FoundEndpoint {
  functionName: string;
  endpoint: Endpoint;
}

const root = join(import.meta.dirname, '..', '..', '..');
/** Whether `endpoint()` made the value, by two of the fields that only its results have together. */
const isEndpoint = (value: unknown) =>
  typeof value === 'object' && value !== null && 'operationId' in value && 'handle' in value && typeof value.handle === 'function';
const RoutesModule = z.object({ routes: z.array(z.custom<Endpoint>(isEndpoint)) });

/** What a browser is shown rather than a program: no part of the described interface. */
const pagesTag = 'Pages';

/** Every endpoint of the interface, as the `routes.ts` of the functions list them. */
export async function findEndpoints(): Promise<FoundEndpoint[]> {
  const files = globSync('functions/*/routes.ts', { cwd: root }).sort();
  const found = await Promise.all(
    files.map(async (file) => {
      const { routes } = z.parse(RoutesModule, await import(join(root, file)));
      return routes.map((endpoint) => ({ functionName: basename(dirname(file)), endpoint }));
    }),
  );
  return found.flat().filter(({ endpoint }) => endpoint.tag !== pagesTag);
}

/** The schemas that the code exports by a PascalCase name, with that name. */
export async function findNamedSchemas(): Promise<ReadonlyMap<ZodSchema, string>> {
  const files = globSync(['functions/**/*.ts', 'shared/**/*.ts'], { cwd: root }).filter(mayHoldSchema);
  const names = new Map<ZodSchema, string>();
  for (const file of files.sort()) {
    const module: Record<string, unknown> = await import(join(root, file));
    for (const [name, value] of Object.entries(module)) {
      if (/^[A-Z][a-z]/.test(name) && value instanceof z.core.$ZodType && !names.has(value)) names.set(value, name);
    }
  }
  return names;
}

/** Spares the import of files that export no such name; those with clients are slow to load. */
const mayHoldSchema = (file: string) => /^export const [A-Z][a-z]/m.test(readFileSync(join(root, file), 'utf8'));
