import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { componentTexts } from '../../infra/documents/openapi/component-texts.ts';
import { allFieldTexts } from '../../infra/documents/openapi/describe.ts';
import { headerParameters, replyExamples, requestNames, tags } from '../../infra/documents/openapi/texts.ts';
import { accessTo, interfaceAccess } from '../endpoints/authorization/access.ts';
import { readDocument } from '../support/interface/read-document.ts';
import { specification, specifiedEnums, specifiedKinds, specifiedSchemas } from '../support/interface/specification.ts';

const file = process.env['OPENAPI_DOCUMENT'] ?? '';
const document = readDocument();
type Operation = { method: string; path: string; operation: any };
const operations: Operation[] = Object.entries<any>(document.paths).flatMap(([path, methods]) =>
  Object.entries<any>(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
);
const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;

/** Statuses that the rows of the agreed interface leave out, and where they come from. */
function additionsTo({ method, path, operation }: Operation): number[] {
  const needsSeller = accessTo(nameOf({ method, path })).audience === 'seller';
  return [
    400, // every endpoint limits the size of its request
    500, // any endpoint may fail
    503, // any endpoint may find the table unavailable
    ...(needsSeller ? [401, 403] : []), // no valid token, or an API token that does not open it, also where the row does not say so
    ...(operation.operationId === 'getPublicProduct' ? [304] : []), // for If-None-Match
    ...(needsSeller && method !== 'GET' ? [429] : []), // for writes beyond a user's limit
    ...(path.startsWith('/v1/licenses/') ? [429] : []), // for keys that are not found, beyond the product's budget
  ];
}

/** What an endpoint takes in the place of what was agreed, as it takes something besides. */
const widened: Record<string, { request: string; besides: string[] }> = {
  'PATCH /v1/products/{product_id}': { request: 'UpdateProductRequest', besides: ['expected_revision'] },
};

/** The JSON schema of a kind of `specifiedKinds` and of its default, a schema by its name or a list of values. */
function kindOf(kind: string, usual?: string): object {
  if (kind.endsWith('[]')) return { type: 'array', items: kindOf(kind.slice(0, -2)) };
  const values = specifiedEnums[kind]?.split(' ');
  const schema = /^[A-Z]\w*[a-z]/.test(kind) ? { $ref: `#/components/schemas/${kind}` } : values ? { enum: values } : specifiedKinds[kind];
  return { ...schema, ...(usual !== undefined && { default: JSON.parse(usual) }) };
}

const fieldsOf = (list: string) =>
  Object.fromEntries(
    [...list.matchAll(/(\w+)\??(?::([\w-]+(?:\[\])?))?(?:=(\S+))?/g)].map(([, name = '', kind = 'text', usual]) => [
      name,
      kindOf(kind, usual),
    ]),
  );

/** Of a body: a schema by its name, one of several, or an object with these fields, all required. */
function shapeOf(body: string): object {
  const [one = '', ...others] = body.split('|');
  if (others.length > 0) return { oneOf: [one, ...others].map((name) => kindOf(name)) };
  if (/^\w*$/.test(body)) return body === '' ? {} : kindOf(body);
  return { type: 'object', properties: fieldsOf(body), required: expect.arrayContaining(Object.keys(fieldsOf(body))) };
}

/** Every field within a schema, by its path. */
function* fieldsWithin(schema: any, path: string): Generator<[path: string, field: any]> {
  for (const [name, field] of Object.entries<any>(schema?.properties ?? {})) {
    yield [`${path}.${name}`, field];
    yield* fieldsWithin(field, `${path}.${name}`);
    yield* fieldsWithin(field.items, `${path}.${name}`);
  }
  for (const one of schema?.oneOf ?? []) yield* fieldsWithin(one, path);
}

function replyExampleOf(name: string): unknown {
  const found = operations.find((operation) => nameOf(operation) === name);
  const [[, reply] = []] = Object.entries<any>(found?.operation.responses).filter(([status]) => status.startsWith('2'));
  return reply.content?.['application/json']?.example;
}

describe('the description of the interface', () => {
  test('is OpenAPI 3.1.0, version 0.2.0, and passes a linter, with every example as its schema allows', () => {
    expect(document).toMatchObject({ openapi: '3.1.0', info: { version: '0.2.0' } });
    const cli = createRequire(import.meta.url).resolve('@redocly/cli/bin/cli.js');
    const rules = ['media-type', 'parameter', 'schema'].map((place) => [`no-invalid-${place}-examples`, 'error']);
    // Whoever serves it puts its own address there.
    const example = ['no-server-example.com', 'off'];
    const config = join(mkdtempSync(join(tmpdir(), 'lint-')), 'redocly.yaml');
    writeFileSync(config, JSON.stringify({ extends: ['recommended-strict'], rules: Object.fromEntries([...rules, example]) }));
    const lint = () => execFileSync(process.execPath, [cli, 'lint', '--config', config, file], { stdio: 'pipe' });
    expect(lint).not.toThrow();
  });

  test('has the endpoints of the interface and no others, those that were agreed among them', () => {
    expect(operations.map(nameOf).sort()).toEqual(Object.keys(interfaceAccess).sort());
    expect(Object.keys(interfaceAccess)).toEqual(expect.arrayContaining(Object.keys(specification)));
  });

  test('is small, as errors and parameters that several endpoints have alike are there once', () => {
    expect(statSync(file).size).toBeLessThan(3700 * operations.length);
    const { paths, components } = JSON.parse(readFileSync(file, 'utf8'));
    const errors = Object.values<any>(paths).flatMap((methods) =>
      Object.values<any>(methods).flatMap(({ responses }) => Object.entries<any>(responses).filter(([status]) => Number(status) >= 400)),
    );
    const written = errors.flatMap(([, reply]) => (reply.$ref ? [] : [JSON.stringify(reply)]));
    expect(new Set(written).size).toBe(written.length);
    expect(Object.keys(components.responses)).toEqual(expect.arrayContaining(['Unauthenticated', 'InternalError', 'RateLimited']));
    expect(Object.keys(components.parameters)).toEqual(expect.arrayContaining(['ProductId', 'Limit', 'Cursor']));
  });

  test('has a summary and a description of each endpoint', () => {
    expect(operations.filter(({ operation }) => !operation.summary || !operation.description).map(nameOf)).toEqual([]);
  });

  test('states who may call each endpoint', () => {
    for (const found of operations) {
      const { audience, scopes } = accessTo(nameOf(found));
      const users = [{ bearer: [] }, ...scopes.map((scope) => ({ apiToken: [scope] })), { localUser: [] }];
      const anyone = found.path.includes('webhook') ? [{ paymentSignature: [] }] : [];
      expect([nameOf(found), found.operation.security]).toEqual([nameOf(found), audience === 'anyone' ? anyone : users]);
    }
  });

  test.each(Object.entries(specifiedSchemas))('%s is the schema of the agreed interface', (name, [required, optional]) => {
    const schema = document.components.schemas[name];
    const alternatives = [schema, ...(schema.oneOf ?? [])].map(({ properties }) => properties);
    expect(Object.assign({}, ...alternatives)).toMatchObject(fieldsOf(`${required} ${optional}`));
    expect(schema.required ?? []).toEqual(expect.arrayContaining(Object.keys(fieldsOf(required))));
    expect((schema.required ?? []).filter((field: string) => field in fieldsOf(optional))).toEqual([]);
  });

  test.each(
    operations.flatMap((found) => {
      const row = specification[nameOf(found)];
      return row ? [[nameOf(found), found, row] as const] : [];
    }),
  )('%s has the agreed statuses and the written additions, and takes and answers what was agreed', (name, found, row) => {
    const { method, operation } = found;
    const [statuses, request, reply] = row;
    const known = new Set([...statuses, ...additionsTo(found)]);
    expect(Object.keys(operation.responses).map(Number)).toEqual([...known].sort((a, b) => a - b));
    const contentOf = (body: any) => Object.values<any>(body?.content ?? {}).map(({ schema }) => schema)[0];
    expect(contentOf(operation.responses[statuses[0]!])).toMatchObject(shapeOf(reply));
    if (method !== 'GET') expect(contentOf(operation.requestBody) ?? {}).toMatchObject(shapeOf(widened[name]?.request ?? request));
    const query = (operation.parameters ?? []).filter((one: any) => one.in === 'query').map((one: any) => [one.name, one.schema]);
    if (method === 'GET') expect(Object.fromEntries(query)).toMatchObject(fieldsOf(request));
  });

  test('takes what was agreed where it takes more', () => {
    for (const [name, { request, besides }] of Object.entries(widened)) {
      const { required, properties } = document.components.schemas[request];
      const agreed = document.components.schemas[specification[name]?.[1] ?? ''];
      const names = Object.keys(properties).filter((field) => !besides.includes(field));
      expect([required, Object.fromEntries(names.map((field) => [field, properties[field]]))]).toEqual([
        agreed.required,
        agreed.properties,
      ]);
    }
    const [status] = operations
      .find((found) => nameOf(found) === 'GET /v1/admin/product-files')!
      .operation.parameters.filter((parameter: any) => parameter.name === 'status');
    expect(status.schema.enum).toEqual([...document.components.schemas.ProductFileStatus.enum, 'any']);
  });

  test.each(Object.entries(specifiedEnums).filter(([name]) => /^[A-Z]/.test(name)))(
    '%s has the values of the agreed interface',
    (name, values) => {
      expect(document.components.schemas[name].enum).toEqual(values.split(' '));
    },
  );

  test('every schema and field has a type, every field a description and, where it holds a value, an example', () => {
    const schemas = Object.entries<any>(document.components.schemas);
    const fields = schemas.flatMap(([name, schema]) => [...fieldsWithin(schema, name)]);
    const untyped = [...schemas, ...fields].filter(([, { $ref, type, oneOf, enum: values }]) => !($ref || type || oneOf || values));
    const holdsValue = ({ type, format }: any) => ['string', 'integer', 'number', 'boolean'].includes(type) && format !== 'binary';
    const unexplained = fields.filter(([, field]) => !field.description || (holdsValue(field) && !field.examples));
    expect([...untyped, ...unexplained].map(([path]) => path)).toEqual([]);
  });

  test('every text that is sent has a longest length', () => {
    const faults: string[] = [];
    const visit = (schema: any, path: string): void => {
      const whole = schema?.$ref ? document.components.schemas[schema.$ref.split('/').at(-1)] : schema;
      if (whole?.type === 'string' && !whole.enum && !whole.maxLength && !whole.pattern && whole.format !== 'binary') faults.push(path);
      for (const [name, field] of Object.entries(whole?.properties ?? {})) visit(field, `${path} ${name}`);
      for (const one of whole?.oneOf ?? []) visit(one, path);
      if (whole?.items) visit(whole.items, `${path}[]`);
    };
    for (const { path, method, operation } of operations) {
      for (const { in: place, name, schema } of operation.parameters ?? [])
        if (place === 'query') visit(schema, `${method} ${path} ${name}`);
      for (const { schema } of Object.values<any>(operation.requestBody?.content ?? {})) visit(schema, `${method} ${path}`);
    }
    expect(faults).toEqual([]);
  });

  test('no text is about something that is not there', () => {
    const paths = new Set<string>();
    const visit = (schema: any, name = '') => {
      for (const [path] of fieldsWithin(schema, name)) paths.add(path).add(path.split('.').at(-1) ?? '');
    };
    for (const [name, schema] of Object.entries(document.components.schemas)) visit(schema, name);
    for (const { operation } of operations) {
      for (const { name } of operation.parameters ?? []) paths.add(name).add(`${operation.operationId}.${name}`);
      for (const { content } of [operation.requestBody, ...Object.values<any>(operation.responses)].filter(Boolean))
        visit(content?.['application/json']?.schema);
    }
    const ids = new Set(operations.map(({ operation }) => operation.operationId));
    expect(Object.keys(allFieldTexts).filter((path) => !paths.has(path))).toEqual([]);
    expect(Object.keys(componentTexts).filter((name) => !(name in document.components.schemas))).toEqual([]);
    expect(Object.keys({ ...headerParameters, ...requestNames, ...replyExamples }).filter((id) => !ids.has(id))).toEqual([]);
    expect(tags.map(({ name }) => name)).toEqual(document.tags.map(({ name }: { name: string }) => name));
  });

  test.each([
    ['POST /v1/sellers', { internal_review_status: 'pending_review', payment_onboarding_status: 'not_started' }],
    ['POST /v1/products', { status: 'draft' }],
    ['POST /v1/products/{product_id}/files/{file_id}/finalize', { status: 'pending_review', hash_status: 'unverified' }],
    ['POST /v1/admin/licenses/{license_id}/revoke', { license: { status: 'revoked', revoked_at: expect.any(String) } }],
  ])('the example of what %s answers shows what it did', (name, fields) => {
    expect(replyExampleOf(name)).toMatchObject(fields);
  });

  test.each(operations.filter(({ method }) => method === 'GET').map(nameOf))(
    'the example of what %s answers is of one with which all is well',
    (name) => {
      expect(JSON.stringify(replyExampleOf(name) ?? {})).not.toMatch(
        /"(revoked|rejected|deactivated|failed)_at"|_error"|rejection_reason|review_note/,
      );
    },
  );
});
