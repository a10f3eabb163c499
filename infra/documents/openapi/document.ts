import * as z from 'zod/mini';
import { describeComponent } from './describe.ts';
import { type FoundEndpoint, findEndpoints, findNamedSchemas } from './find-endpoints.ts';
import { createSchemaWriter, isRecord, type JsonSchema, refName } from './json-schema.ts';
import { addExamples, createOperation } from './operation.ts';
import { shareParts } from './shared-parts.ts';
import { headers, info, securitySchemes, tags } from './texts.ts';

/** The body of every error reply. */
const ErrorBody = z.object({ code: z.string(), message: z.string(), requestId: z.optional(z.string()) });

/** The OpenAPI 3.1 description of every endpoint that the functions' routes list. Whoever serves it puts its own address in the place of the example's. */
export async function createOpenApiDocument(): Promise<JsonSchema> {
  const [endpoints, names] = await Promise.all([findEndpoints(), findNamedSchemas()]);
  const writer = createSchemaWriter(new Map([...names, [ErrorBody, 'Error']]));
  writer.write(ErrorBody, 'output');
  const sorted = endpoints.toSorted((a, b) => placeOf(a) - placeOf(b));
  const operations = sorted.map(({ endpoint }) => ({ endpoint, operation: createOperation(endpoint, writer) }));
  const components = usedComponents(
    operations.map(({ operation }) => operation),
    writer.components,
  );
  const shared = shareParts(operations.map(({ operation }) => addExamples(operation, components)));
  const paths = Map.groupBy(
    sorted.map(({ endpoint }, at) => ({ endpoint, operation: shared.operations[at] })),
    ({ endpoint }) => endpoint.path,
  );
  return {
    openapi: '3.1.0',
    info,
    servers: [{ url: 'https://api.example.com', description: 'Where this description is served.' }],
    tags: tags.filter(({ name }) => endpoints.some(({ endpoint }) => endpoint.tag === name)),
    paths: Object.fromEntries(
      [...paths].map(([path, onPath]) => [
        path,
        Object.fromEntries(onPath.map(({ endpoint, operation }) => [endpoint.method.toLowerCase(), operation])),
      ]),
    ),
    components: { schemas: Object.fromEntries(components), ...shared.components, headers, securitySchemes },
  };
}

function placeOf({ endpoint }: FoundEndpoint): number {
  const place = tags.findIndex(({ name }) => name === endpoint.tag);
  if (place < 0) throw new Error(`The tag ${endpoint.tag} of ${endpoint.operationId} has no text.`);
  return place;
}

/** Those that the operations name, and those that these name, described and in the order of their names. */
function usedComponents(operations: unknown, written: ReadonlyMap<string, JsonSchema>): ReadonlyMap<string, JsonSchema> {
  const used = new Map<string, JsonSchema>();
  const visit = (value: unknown): void => {
    const name = refName(value);
    const component = name === undefined || used.has(name) ? undefined : written.get(name);
    if (name !== undefined && component) {
      used.set(name, describeComponent(name, component));
      visit(component);
    }
    for (const inner of Array.isArray(value) ? value : isRecord(value) ? Object.values(value) : []) visit(inner);
  };
  visit(operations);
  return new Map([...used].sort(([a], [b]) => (a < b ? -1 : 1)));
}
