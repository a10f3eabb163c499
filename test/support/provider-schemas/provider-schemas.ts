import { Ajv, type ValidateFunction } from 'ajv';
import { type Definitions, generateSchemas, mapSchema, refName, type Schema } from './generate-schemas.ts';
import type { ProviderAnswers, ProviderRequests, ProviderWebhooks } from './wire-types.ts';

export type RequestName = keyof ProviderRequests;
export type AnswerName = keyof ProviderAnswers;
export type WebhookName = keyof ProviderWebhooks;

interface Schemas {
  names: Record<'requests' | 'answers' | 'webhooks', string[]>;
  faultsOf(kind: 'requests' | 'answers' | 'webhooks', name: string, value: unknown): string[];
}
let loaded: Schemas | undefined;
const schemas = () => {
  loaded ??= load(generateSchemas());
  return loaded;
};

/** Every request, answer or webhook that has a schema. */
export const namesOf = (kind: 'requests' | 'answers' | 'webhooks') => schemas().names[kind];

/**
 * Why parameters, an answer or a webhook are not what the SDK's types say: each fault by its place.
 * Objects are closed. In the v2 interface an optional field of an answer may be null.
 * Parameters of the v1 interface are texts, as a form has them; what they stand for is checked.
 */
export const faultsOfRequest = (name: RequestName, params: unknown) => schemas().faultsOf('requests', name, params);
export const faultsOfAnswer = (name: AnswerName, answer: unknown) => schemas().faultsOf('answers', name, answer);
export const faultsOfWebhook = (name: WebhookName, body: unknown) => schemas().faultsOf('webhooks', name, body);

function load(definitions: Definitions): Schemas {
  const options = { strict: false, allErrors: true, validateSchema: false, inlineRefs: false } as const;
  const asIs = new Ajv(options).addSchema({ definitions }, 'wire');
  const asForm = new Ajv({ ...options, coerceTypes: true }).addSchema({ definitions }, 'wire');
  const withNulls = new Ajv(options).addSchema({ definitions: nullable(definitions) }, 'wire');
  const partOf = (kind: string): Record<string, Schema> => {
    const part = definitions['wire']?.properties?.[kind] ?? {};
    return (definitions[refName(part) ?? ''] ?? part).properties ?? {};
  };
  const validators = new Map<string, ValidateFunction>();

  function validatorOf(kind: string, name: string): ValidateFunction {
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
    names: {
      requests: Object.keys(partOf('requests')),
      answers: Object.keys(partOf('answers')),
      webhooks: Object.keys(partOf('webhooks')),
    },
    faultsOf(kind, name, value) {
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
