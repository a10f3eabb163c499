import { Ajv, type ValidateFunction } from 'ajv';
import { parseForm } from '../../../infra/local/payment-provider/api/form-body.ts';
import type { RecordedExchange } from '../http/recording-proxy.ts';
import { type Definitions, generateSchemas, mapSchema, refName, type Schema } from './generate-schemas.ts';
import type { ProviderWire } from './wire-types.ts';

type Kind = keyof ProviderWire;
let loaded: ReturnType<typeof load> | undefined;
const schemas = () => {
  loaded ??= load(generateSchemas());
  return loaded;
};

/** Every request, answer or webhook that has a schema. */
export const namesOf = (kind: Kind) => Object.keys(schemas().partOf(kind));

/** `GET /v1/charges/:id` */
export function routeOf({ method, path }: Pick<RecordedExchange, 'method' | 'path'>): string {
  const known = namesOf('requests').find((name) => new RegExp(`^${name.replaceAll(':id', '[^/]+')}$`).test(`${method} ${path}`));
  return known ?? `${method} ${path}`;
}

/** The parameters of a request: of a v1 one as texts, for it is a form. */
export function paramsOf({ method, path, query, requestBody }: RecordedExchange): unknown {
  if (method === 'GET') return parseForm(query);
  return path.startsWith('/v2/') ? JSON.parse(requestBody) : parseForm(requestBody);
}

/** Why a request and its answer are not what the SDK's types say. What the provider refused may be of any form. */
export function faultsOfExchange(exchange: RecordedExchange): string[] {
  const name = routeOf(exchange);
  const answer = JSON.parse(exchange.body);
  const { faultsOf } = schemas();
  const faults =
    exchange.status >= 400
      ? faultsOf('answers', 'refusal', answer)
      : [...faultsOf('requests', name, paramsOf(exchange)), ...faultsOf('answers', name, answer)];
  return faults.map((fault) => `${name} ${exchange.status}: ${fault}`);
}

/** Why the body of a webhook is not what the SDK's types say. */
export function faultsOfEvent(body: string): string[] {
  const event = JSON.parse(body);
  if (!namesOf('webhooks').includes(event.type)) return [`The SDK has no event of type ${event.type}.`];
  return schemas()
    .faultsOf('webhooks', event.type, event)
    .map((fault) => `${event.type}: ${fault}`);
}

/**
 * Tells why parameters, an answer or a webhook are not what the SDK's types say: each fault by its place.
 * Objects are closed. In the v2 interface an optional field of an answer may be null.
 * Parameters of the v1 interface are texts, as a form has them; what they stand for is checked.
 */
function load(definitions: Definitions) {
  const options = { strict: false, allErrors: true, validateSchema: false, inlineRefs: false } as const;
  const asIs = new Ajv(options).addSchema({ definitions }, 'wire');
  const asForm = new Ajv({ ...options, coerceTypes: true }).addSchema({ definitions }, 'wire');
  const withNulls = new Ajv(options).addSchema({ definitions: nullable(definitions) }, 'wire');
  const partOf = (kind: Kind): Record<string, Schema> => {
    const part = definitions['wire']?.properties?.[kind] ?? {};
    return (definitions[refName(part) ?? ''] ?? part).properties ?? {};
  };
  const validators = new Map<string, ValidateFunction>();

  function validatorOf(kind: Kind, name: string): ValidateFunction {
    const known = validators.get(`${kind} ${name}`);
    if (known) return known;
    const schema = partOf(kind)[name];
    if (!schema) throw new Error(`The SDK has no type for: ${kind} ${name}`);
    const isV2 = /\/v2\/|^v2\./.test(name);
    const ajv = kind === 'requests' ? (isV2 ? asIs : asForm) : isV2 ? withNulls : asIs;
    const validator = ajv.compile(mapSchema(schema, fromWire));
    validators.set(`${kind} ${name}`, validator);
    return validator;
  }

  return {
    partOf,
    faultsOf(kind: Kind, name: string, value: unknown): string[] {
      const validator = validatorOf(kind, name);
      if (validator(structuredClone(value))) return [];
      const errors = (validator.errors ?? []).filter(({ keyword, params }) => keyword !== 'anyOf' && params['type'] !== 'null');
      return (errors.length > 0 ? errors : (validator.errors ?? [])).map(
        ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
      );
    },
  };
}

const fromWire = (schema: Schema): Schema => (schema.$ref ? { ...schema, $ref: `wire${schema.$ref}` } : schema);

/** The definitions with null allowed wherever a field may be left out. */
function nullable(definitions: Definitions): Definitions {
  const allowNull = (schema: Schema): Schema => {
    const { properties, required = [] } = schema;
    if (!properties) return schema;
    const fields = Object.entries(properties).map(([name, one]) => [
      name,
      required.includes(name) ? one : { anyOf: [one, { type: 'null' }] },
    ]);
    return { ...schema, properties: Object.fromEntries(fields) };
  };
  return Object.fromEntries(Object.entries(definitions).map(([name, schema]) => [name, mapSchema(schema, allowNull)]));
}
