import { type ErrorCode, errorCodes } from '../../../shared/errors.ts';
import { type Endpoint, isPrivate, namesIgnored } from '../../../shared/http/endpoint.ts';
import { errorsOfEndpoint } from '../../../shared/http/error-reply.ts';
import { codeName } from '../../../shared/wire.ts';
import { componentTexts } from './component-texts.ts';
import { describeFields, exampleOf, textOf } from './describe.ts';
import { isRecord, type JsonSchema, refName, refTo, type SchemaWriter } from './json-schema.ts';
import { headerParameters, type headers, providerEvent, replyExamples, requestNames, updateFeeds } from './texts.ts';

type HeaderName = keyof typeof headers;

const headerRefs = (names: readonly HeaderName[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** The OpenAPI operation of an endpoint. Its examples are filled in by `addExamples`, once all components are known. */
export function createOperation(endpoint: Endpoint, writer: SchemaWriter): JsonSchema {
  const { operationId, tag, summary, description } = endpoint;
  const parameters = parametersOf(endpoint, writer);
  return {
    operationId,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    security: securityOf(endpoint),
    ...(parameters.length > 0 && { parameters }),
    ...(endpoint.bodyKind !== 'none' && { requestBody: requestBodyOf(endpoint, writer) }),
    responses: responsesOf(endpoint, writer),
  };
}

function securityOf({ audience, tokenScopes = [], verify }: Endpoint): JsonSchema[] {
  const tokens = tokenScopes.map((scope) => ({ apiToken: [scope] }));
  if (audience !== 'anyone') return [{ bearer: [] }, ...tokens, { localUser: [] }];
  return verify ? [{ paymentSignature: [] }] : [];
}

function parametersOf(endpoint: Endpoint, writer: SchemaWriter): JsonSchema[] {
  const inPath = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
    const { text, example } = textOf(`${endpoint.operationId}.${name}`);
    return { name, in: 'path', required: true, description: text, schema: { type: 'string', examples: [example] } };
  });
  const inHeaders = (headerParameters[endpoint.operationId] ?? []).map((header) => ({ in: 'header', ...header }));
  return [...inPath, ...queryParametersOf(endpoint, writer), ...inHeaders];
}

function queryParametersOf({ operationId, query, isQueryForeign }: Endpoint, writer: SchemaWriter): JsonSchema[] {
  const { properties, required } = query ? writer.write(query, 'input') : {};
  if (!isRecord(properties)) return [];
  const named = Object.entries(properties).map(([name, schema]) => [isQueryForeign ? codeName(name) : name, schema] as const);
  return named.map(([name, schema]) => ({
    name,
    in: 'query',
    required: Array.isArray(required) && required.includes(name),
    description: textOf(`${operationId}.${name}`).text,
    schema: name === 'limit' && isRecord(schema) ? { ...schema, default: 50 } : schema,
  }));
}

function requestBodyOf({ operationId, bodyKind, body }: Endpoint, writer: SchemaWriter): JsonSchema {
  const schema = body ? describeFields(writer.write(body, 'input'), '') : providerEvent;
  const name = requestNames[operationId];
  const shared = writer.components.get(refName(schema) ?? '');
  if (name !== undefined && shared) writer.addComponent(name, shared);
  const contentType = bodyKind === 'multipart' ? 'multipart/form-data' : 'application/json';
  return {
    required: bodyKind === 'json' || bodyKind === 'multipart',
    content: { [contentType]: { schema: name === undefined ? schema : refTo(name) } },
  };
}

function responsesOf(endpoint: Endpoint, writer: SchemaWriter): JsonSchema {
  const codesByStatus = Map.groupBy(errorsOfEndpoint(endpoint), ({ status }) => status);
  const errors = [...codesByStatus].map(([status, found]) => [status, errorResponse(endpoint, status, found)] as const);
  const notModified = endpoint.cacheSeconds === undefined ? [] : [[304, notModifiedResponse] as const];
  const { status, otherStatuses = {} } = endpoint.success;
  const usual = successResponse(endpoint, writer);
  const others = Object.entries(otherStatuses).map(([other, { description, bodiless }]) => {
    const { content } = usual;
    const headers = headersOf(endpoint, Number(other));
    return [Number(other), { description, headers, ...(!bodiless && content !== undefined && { content }) }] as const;
  });
  const all = [[status, usual] as const, ...others, ...notModified, ...errors];
  return Object.fromEntries(all.sort(([a], [b]) => a - b));
}

const notModifiedResponse = { description: 'What you have is still true.', headers: headerRefs(['X-Request-Id', 'ETag', 'Cache-Control']) };

const ignoredIn = (endpoint: Endpoint): HeaderName[] => (namesIgnored(endpoint) ? ['X-Ignored-Fields'] : []);

function headersOf(endpoint: Endpoint, status: number): JsonSchema {
  const { operationId, cacheSeconds } = endpoint;
  const kept: HeaderName[] = cacheSeconds === undefined ? [] : ['ETag'];
  const cached: HeaderName[] = isPrivate(endpoint) || cacheSeconds !== undefined ? ['Cache-Control'] : [];
  const coded: HeaderName[] = updateFeeds.has(operationId) ? ['X-Update-Code'] : [];
  return headerRefs([
    'X-Request-Id',
    ...ignoredIn(endpoint),
    ...kept,
    ...cached,
    ...(status === 302 || status === 303 ? (['Location'] as const) : coded),
  ]);
}

function successResponse(endpoint: Endpoint, writer: SchemaWriter) {
  const { success } = endpoint;
  const { body, contentType, otherContentTypes = [] } = success;
  const schema = body ? describeFields(writer.write(body, 'output'), '') : contentType === undefined ? undefined : plain(contentType);
  const others = Object.fromEntries(otherContentTypes.map((type) => [type, { schema: plain(type) }]));
  return {
    description: success.description ?? titleOf(schema),
    headers: headersOf(endpoint, success.status),
    ...(schema && { content: { [contentType ?? 'application/json']: { schema }, ...others } }),
  };
}

/** What has no schema of its own. */
const plain = (contentType: string): JsonSchema => ({ type: contentType === 'application/json' ? 'object' : 'string' });

function titleOf(schema: JsonSchema | undefined): string {
  const properties = schema?.['properties'];
  const name =
    refName(schema) ?? (isRecord(properties) && isRecord(properties['items']) ? refName(properties['items']['items']) : undefined);
  const title = name === undefined ? undefined : componentTexts[name]?.title;
  if (title === undefined) return 'Done.';
  return refName(schema) === undefined ? `A page of: ${title}.` : `${title}.`;
}

function errorResponse(endpoint: Endpoint, status: number, errors: readonly { code: ErrorCode }[]): JsonSchema {
  const codes = errors.map(({ code }) => code);
  const also: HeaderName[] = status === 429 || status === 503 ? ['Retry-After'] : status === 401 ? ['WWW-Authenticate'] : [];
  return {
    description: codes.map((code) => `\`${code}\`: ${errorCodes[code].when}`).join('\n\n'),
    headers: headerRefs(['X-Request-Id', ...also, ...(status === 400 ? ignoredIn(endpoint) : [])]),
    content: {
      'application/json': {
        schema: { allOf: [refTo('Error'), { type: 'object', properties: { code: { type: 'string', enum: codes } } }] },
      },
    },
  };
}

/**
 * Gives the request an example, or one for each of its alternatives, and the reply one where it differs from what the examples of
 * its fields make: every tool makes that by itself.
 */
export function addExamples(operation: JsonSchema, components: ReadonlyMap<string, JsonSchema>): JsonSchema {
  const { requestBody, responses, operationId } = operation;
  const own = replyExamples[String(operationId)];
  addExample(requestBody, components);
  if (own) for (const response of Object.values(isRecord(responses) ? responses : {})) addExample(response, components, own);
  return operation;
}

function addExample(body: unknown, components: ReadonlyMap<string, JsonSchema>, own?: JsonSchema): void {
  const media = isRecord(body) && isRecord(body['content']) ? body['content']['application/json'] : undefined;
  if (!isRecord(media) || !hasFields(media['schema']) || 'example' in media) return;
  Object.assign(media, examplesOf(media['schema'], components));
  if (own && isRecord(media['example'])) media['example'] = withOwn(media['example'], own);
}

function withOwn(example: JsonSchema, own: JsonSchema): JsonSchema {
  const merged = Object.entries(own).map(([name, value]) => {
    const inner = example[name];
    return [name, isRecord(inner) && isRecord(value) ? withOwn(inner, value) : value];
  });
  return { ...example, ...Object.fromEntries(merged) };
}

const hasFields = (schema: unknown) =>
  isRecord(schema) && ('properties' in schema || '$ref' in schema || 'oneOf' in schema || 'examples' in schema);

function examplesOf(schema: unknown, components: ReadonlyMap<string, JsonSchema>): JsonSchema {
  const known = components.get(refName(schema) ?? '') ?? schema;
  const alternatives = isRecord(known) && Array.isArray(known['oneOf']) ? known['oneOf'] : [];
  if (alternatives.length === 0) return { example: exampleOf(schema, components) };
  const examples = alternatives.map((alternative, index) => [`form_${index + 1}`, { value: exampleOf(alternative, components) }] as const);
  return { examples: Object.fromEntries(examples) };
}
