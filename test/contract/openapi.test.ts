import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { componentTexts } from '../../infra/documents/openapi/component-texts.ts';
import { allFieldTexts } from '../../infra/documents/openapi/describe.ts';
import { headerParameters, replyExamples, requestNames, tags } from '../../infra/documents/openapi/texts.ts';
import { interfaceAccess } from '../endpoints/authorization/access.ts';
import { specification, specifiedEnums, specifiedKinds, specifiedSchemas } from '../support/interface/specification.ts';

const file = process.env['OPENAPI_DOCUMENT'] ?? '';
const document = JSON.parse(readFileSync(file, 'utf8'));
type Operation = { method: string; path: string; operation: any };
const operations: Operation[] = Object.entries<any>(document.paths).flatMap(([path, methods]) =>
  Object.entries<any>(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
);
const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;
const specified = new Map(specification.map((row) => [nameOf(row), row]));

/** Statuses that the rows of the agreed interface leave out, and where they come from. */
function additionsTo({ method, path, operation }: Operation): number[] {
  const needsSeller = specified.get(nameOf({ method, path }))?.auth === 'seller';
  return [
    400, // every endpoint limits the size of its request
    500, // any endpoint may fail
    503, // any endpoint may find the table unavailable
    ...(needsSeller ? [401, 403] : []), // no valid token, or an API token that does not open it, also where the row does not say so
    ...(operation.operationId === 'getPublicProduct' ? [304] : []), // for If-None-Match
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
    const config = join(mkdtempSync(join(tmpdir(), 'lint-')), 'redocly.yaml');
    writeFileSync(config, JSON.stringify({ extends: ['recommended-strict'], rules: Object.fromEntries(rules) }));
    const lint = () => execFileSync(process.execPath, [cli, 'lint', '--config', config, file], { stdio: 'pipe' });
    expect(lint).not.toThrow();
  });

  test('has the endpoints of the interface and no others, those that were agreed among them', () => {
    expect(operations.map(nameOf).sort()).toEqual(Object.keys(interfaceAccess).sort());
    expect(Object.keys(interfaceAccess)).toEqual(expect.arrayContaining([...specified.keys()]));
  });

  test.each(operations.filter((operation) => specified.has(nameOf(operation))).map((operation) => [nameOf(operation), operation] as const))(
    '%s has the statuses of the agreed interface and the written additions',
    (name, operation) => {
      const row = specified.get(name);
      const known = new Set([row?.success, ...(row?.errors ?? []), ...additionsTo(operation)]);
      const described = Object.keys(operation.operation.responses).map(Number);
      expect(described).toEqual([...known].sort((a, b) => Number(a) - Number(b)));
    },
  );

  test('has a summary and a description of each endpoint', () => {
    expect(operations.filter(({ operation }) => !operation.summary || !operation.description).map(nameOf)).toEqual([]);
  });

  test('states who may call each endpoint', () => {
    for (const found of operations) {
      const name = nameOf(found);
      const schemes = found.operation.security.flatMap((scheme: object) => Object.keys(scheme));
      const open = name.includes('webhook') ? ['paymentSignature'] : [];
      const auth = specified.get(name)?.auth;
      const users = auth === 'seller' && name.includes('/files/') ? ['bearer', 'apiToken', 'localUser'] : ['bearer', 'localUser'];
      if (auth) expect([name, schemes]).toEqual([name, auth === 'none' ? open : users]);
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
    operations.flatMap(({ method, path, operation }) => {
      const row = specified.get(nameOf({ method, path }));
      return row ? [[nameOf(row), row, operation] as const] : [];
    }),
  )('%s takes and answers what was agreed', (name, { method, request, reply, success }, operation) => {
    const contentOf = (body: any) => Object.values<any>(body?.content ?? {}).map(({ schema }) => schema)[0];
    expect(contentOf(operation.responses[success])).toMatchObject(shapeOf(reply));
    if (method !== 'GET') expect(contentOf(operation.requestBody) ?? {}).toMatchObject(shapeOf(widened[name]?.request ?? request));
    const query = (operation.parameters ?? []).filter((one: any) => one.in === 'query').map((one: any) => [one.name, one.schema]);
    if (method === 'GET') expect(Object.fromEntries(query)).toMatchObject(fieldsOf(request));
  });

  test('takes what was agreed where it takes more', () => {
    for (const [name, { request, besides }] of Object.entries(widened)) {
      const { required, properties } = document.components.schemas[request];
      const agreed = document.components.schemas[specified.get(name)?.request ?? ''];
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

  test('every field has a type, a description and, where it holds a value, an example', () => {
    const faults: string[] = [];
    const visit = (schema: any, path: string): void => {
      for (const [name, field] of Object.entries<any>(schema?.properties ?? {})) {
        if (path.endsWith('/allOf')) continue;
        if (!field.$ref && !field.type && !field.oneOf && !field.enum) faults.push(`${path}.${name} has no type`);
        if (!field.description) faults.push(`${path}.${name} has no description`);
        const holdsValue = ['string', 'integer', 'number', 'boolean'].includes(field.type) && field.format !== 'binary';
        if (holdsValue && !field.examples) faults.push(`${path}.${name} has no example`);
        visit(field, `${path}.${name}`);
        visit(field.items, `${path}.${name}`);
      }
      for (const one of schema?.oneOf ?? []) visit(one, path);
    };
    for (const [name, schema] of Object.entries(document.components.schemas)) visit(schema, name);
    expect(faults).toEqual([]);
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
    const visit = (schema: any, path: string): void => {
      for (const [name, field] of Object.entries<any>(schema?.properties ?? {})) {
        paths.add(name).add(`${path}.${name}`);
        visit(field, `${path}.${name}`);
        visit(field.items, `${path}.${name}`);
      }
      for (const one of schema?.oneOf ?? []) visit(one, path);
    };
    for (const [name, schema] of Object.entries(document.components.schemas)) visit(schema, name);
    for (const { operation } of operations) {
      for (const { name } of operation.parameters ?? []) paths.add(name).add(`${operation.operationId}.${name}`);
      for (const { content } of [operation.requestBody, ...Object.values<any>(operation.responses)].filter(Boolean)) {
        visit(content?.['application/json']?.schema, '');
      }
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
