import { isRecord, type JsonSchema } from './json-schema.ts';

/** The operations with references to what several of them have alike, and that itself. */
interface Shared {
  operations: readonly JsonSchema[];
  components: { responses: JsonSchema; parameters: JsonSchema };
}

/** Keeps once the error replies and parameters that several operations have alike. */
export function shareParts(operations: readonly JsonSchema[]): Shared {
  const responses = createPool('responses', operations.flatMap(errorsOf), responseName);
  const parameters = createPool('parameters', operations.flatMap(parametersOf), parameterName);
  const referring = operations.map((operation) => ({
    ...operation,
    ...('parameters' in operation && { parameters: parametersOf(operation).map(parameters.refTo) }),
    responses: {
      ...responsesOf(operation),
      ...Object.fromEntries(errorEntries(operation).map(([status, one]) => [status, responses.refTo(one)])),
    },
  }));
  return { operations: referring, components: { responses: responses.components, parameters: parameters.components } };
}

const responsesOf = ({ responses }: JsonSchema): JsonSchema => (isRecord(responses) ? responses : {});
const errorEntries = (operation: JsonSchema) =>
  Object.entries(responsesOf(operation)).flatMap(([status, one]) =>
    Number(status) >= 400 && isRecord(one) ? [[status, one] as const] : [],
  );
const errorsOf = (operation: JsonSchema) => errorEntries(operation).map(([, one]) => one);
const parametersOf = ({ parameters }: JsonSchema): JsonSchema[] => (Array.isArray(parameters) ? parameters.filter(isRecord) : []);

/** Of equal parts those that occur more than once, each under a name of its own. */
function createPool(kind: string, parts: readonly JsonSchema[], nameOf: (part: JsonSchema) => string) {
  const components: JsonSchema = {};
  const names = new Map<string, string>();
  for (const [text, [part, another]] of Map.groupBy(parts, (one) => JSON.stringify(one))) {
    if (!part || !another) continue;
    const name = freeName(nameOf(part), components);
    names.set(text, name);
    components[name] = part;
  }
  return {
    components,
    refTo(part: JsonSchema): JsonSchema {
      const name = names.get(JSON.stringify(part));
      return name === undefined ? part : { $ref: `#/components/${kind}/${name}` };
    },
  };
}

/** Parts of one name differ: the second is `Status2`. */
function freeName(name: string, taken: JsonSchema): string {
  const numbers = Object.keys(taken).filter((other) => other.replace(/\d+$/, '') === name).length;
  return numbers === 0 ? name : `${name}${numbers + 1}`;
}

const capitalized = (name: string): string =>
  name
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

const parameterName = ({ name }: JsonSchema): string => capitalized(String(name));

/** The codes that it may have, all of them: `TokenScopeInsufficientOrForbidden`. */
const responseName = ({ description }: JsonSchema): string =>
  [...String(description).matchAll(/^`(\w+)`: /gm)].map(([, code = '']) => capitalized(code)).join('Or');
