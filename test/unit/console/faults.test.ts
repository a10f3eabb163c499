import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import * as z from 'zod/mini';
import { type BodySchema, bodySchemaFaults } from '../../../functions/console/browser/api/body-check.ts';
import { atLineOf, faultsIn, faultsInMessage } from '../../../functions/console/browser/forms/faults.ts';
import { readPrice } from '../../../functions/console/browser/forms/price.ts';
import { bodySchemaOf } from '../../../infra/bundles/body-schema.ts';
import { findEndpoints } from '../../../infra/documents/openapi/find-endpoints.ts';
import { inJapanese } from '../../../shared/faults/japanese.ts';
import { readFault } from '../../../shared/faults/read-fault.ts';
import { isJsonBodyKind, type ZodSchema } from '../../../shared/http/endpoint.ts';
import { productRequests } from '../../../shared/products/product.ts';
import { fromWire, wirePath } from '../../../shared/wire.ts';
import { tries } from '../../support/depth.ts';

const endpoints = (await findEndpoints()).map(({ endpoint }) => endpoint);
const checked = endpoints.flatMap(({ operationId, audience, body, bodyKind }) =>
  audience !== 'anyone' && body && isJsonBodyKind(bodyKind) ? [{ operationId, body, schema: bodySchemaOf(body) }] : [],
);

/** Values that fit a schema, and at any place in them some that do not. */
function valuesNear(schema: BodySchema): fc.Arbitrary<unknown> {
  const fitting = fittingValues(schema);
  const strange = fc.oneof(
    fc.constantFrom(undefined, '', ' ', '\t\n', 0, -1, 1.5, 1e15, Number.NaN, true, 'x'.repeat(21_000), '😀'.repeat(300), [], {}, [
      '',
      'x'.repeat(65),
    ]),
    fc.constantFrom('a@b', 'ａ＠ｂ.jp', ' a@b.jp ', 'http://x', 'https://a.b/', 'ftp://a', 'JPY', 'stable', '2026-01-31T09:00:00.000Z'),
    fc.string(),
  );
  return fc.oneof({ weight: 5, arbitrary: fitting }, { weight: 1, arbitrary: strange });
}

function fittingValues(schema: BodySchema): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const { minimum = -5, maximum = 1_000_000, minLength = 0, maxLength = 40, minItems = 0, items = {} } = schema;
  switch (schema.type) {
    case 'string':
      return fc.oneof(
        fc.string({ minLength, maxLength: Math.min(maxLength, 40) }),
        fc.constantFrom('x'.repeat(maxLength), 'x'.repeat(maxLength + 1), '😀'.repeat(maxLength), 'a@b.jp', 'https://a.example/x', '1.2.3'),
      );
    case 'integer':
    case 'number':
      return fc.oneof(fc.integer({ min: minimum, max: maximum }), fc.constantFrom(minimum - 1, minimum, maximum, maximum + 1));
    case 'boolean':
      return fc.boolean();
    case 'array':
      return fc.array(valuesNear(items), { minLength: minItems, maxLength: 3 });
    case 'object':
      return fc.record(Object.fromEntries(Object.entries(schema.properties ?? {}).map(([name, member]) => [name, valuesNear(member)])), {
        requiredKeys: [...(schema.required ?? [])],
      });
    default:
      return fc.anything();
  }
}

describe.each(checked)('what a browser has against the body of $operationId', ({ body, schema }) => {
  test('the service has against it too', () => {
    fc.assert(
      fc.property(valuesNear(schema), (value) => {
        const faults = bodySchemaFaults(schema, value);
        const issues = z.safeParse(body, fromWire(JSON.parse(JSON.stringify(value) ?? 'null'))).error?.issues ?? [];
        const places = new Set(issues.map(({ path }) => wirePath(path)));
        const alone = faults.filter(({ path }) => !places.has(wirePath(path)));
        expect({ alone, issues: alone.length > 0 ? issues : [] }).toEqual({ alone: [], issues: [] });
      }),
      { numRuns: tries(60) },
    );
  });
});

test('says what is wrong as the service says it', () => {
  const create = checked.find(({ operationId }) => operationId === 'createProduct');
  const wrong = {
    name: '  ',
    description: 'x'.repeat(20_001),
    price_amount: -1,
    currency: 'JPY',
    features: ['ok', ''],
    support_email: 'a@b',
  };
  expect(create && bodySchemaFaults(create.schema, wrong)).toEqual([
    { path: ['name'], text: 'must not be blank' },
    { path: ['description'], text: 'must be at most 20000 characters long' },
    { path: ['price_amount'], text: 'must be at least 0' },
    { path: ['support_email'], text: 'must be an e-mail address' },
    { path: ['refund_policy'], text: 'is missing' },
    { path: ['software_operating_environment'], text: 'is missing' },
    { path: ['features', 1], text: 'must not be blank' },
  ]);
});

const long = 'x'.repeat(30_000);
const versions = ['1.2.3', '1.2.3-beta.1', 'stable', '2026-99-99'];
const addresses = ['https://a b', 'http://127.0.0.1/', 'a@b', '@'.repeat(300)];
const texts = ['', ' ', 'x', '‮', '\0', 'Pаy', '!', long, ...addresses, ...versions];
const simple: readonly unknown[] = [undefined, null, ...texts, -1, 0, 1.5, 2, 1e12, Number.NaN, true, [], {}];
const wrong: readonly unknown[] = [
  ...simple,
  Array.from({ length: 500 }, () => 'x'),
  ...simple.flatMap((value) => (value === long ? [[value]] : [[value], { x: value }, { x: { ja: value } }, [value, value]])),
];

/** Everything that is said of any field of the body, when each in turn is wrong in all of these ways. */
function messagesOf(schema: ZodSchema): Set<string> {
  const fields = 'shape' in schema && typeof schema.shape === 'object' ? Object.keys(schema.shape as object) : [];
  const wire = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const bodies = [{}, ...wrong.map((value) => Object.fromEntries(fields.map((field) => [wire(field), value])))];
  const told = bodies.flatMap((body) => issuesOf(schema, body).map(({ message }) => message));
  const described = bodySchemaOf(schema);
  return new Set([...told, ...bodies.flatMap((body) => faultsIn(described, body).map(({ text }) => text))]);
}

const issuesOf = (schema: ZodSchema, body: object) => z.safeParse(schema, fromWire(body)).error?.issues ?? [];

/** Whatever is no fault of the catalogue, or has no words in one of its languages. */
const unread = (messages: Iterable<string>) =>
  [...new Set(messages)].filter((message) => readFault(message) === undefined || !/[\u3041-\u30ff]/.test(inJapanese(message) ?? ''));

const { create, update } = productRequests(['JPY', 'ISK']);
const bodies = [...endpoints.flatMap(({ body }) => body ?? []), create, update];
const queries = endpoints.flatMap(({ query, isQueryForeign }) => (query && !isQueryForeign ? [query] : []));

describe('whatever the service has against a field', () => {
  test('when it is wrong, is read back in both languages', () => {
    expect(bodies.length).toBeGreaterThan(40);
    expect(queries.length).toBeGreaterThan(10);
    const messages = new Set([...bodies, ...queries].flatMap((schema) => [...messagesOf(schema)]));
    expect(messages.size).toBeGreaterThan(40);
    expect(unread(messages)).toEqual([]);
  });

  test('by any check of its schema, whatever it takes to break it, is so too', () => {
    const messages = [...bodies, ...queries].flatMap((schema) => [...checkMessagesOf(schema)]);
    expect(new Set(messages).size).toBeGreaterThan(20);
    expect(unread(messages)).toEqual([]);
  });
});

test('whatever is wrong with a price is read back in both languages', () => {
  const faults = ['', 'x', '1.5', '1.555', '1e9', '9'.repeat(20)].flatMap((text) =>
    ['JPY', 'USD', 'ISK', 'KWD'].flatMap((currency) => {
      const price = readPrice(text, currency);
      return 'fault' in price ? [price.fault] : [];
    }),
  );
  expect(new Set(faults).size).toBeGreaterThan(5);
  expect(unread(faults)).toEqual([]);
});

test('the message of the API is read as its writer meant it', () => {
  expect(faultsInMessage('price_amount is missing; features.1 must be at most 64 characters long; The builds must rise.')).toEqual([
    { field: 'price_amount', text: 'is missing' },
    { field: 'features', at: '2', text: 'must be at most 64 characters long' },
    { field: '', text: 'The builds must rise.' },
  ]);
  expect(faultsInMessage('feature_labels.Pro mode.ja must not be blank; notes must be as blue as the sky')).toEqual([
    { field: 'feature_labels', at: 'Pro mode ja', text: 'must not be blank' },
    { field: 'notes', text: 'must be as blue as the sky' },
  ]);
});

test('the number of a line counts those that are blank', () => {
  expect(atLineOf('\na\n\nb', { field: 'features', at: '2', text: 'x' }).at).toBe('4');
});

/** What any check within a schema says when it is broken, in words of its own; what zod says by its codes is not among them. */
function checkMessagesOf(schema: ZodSchema): Set<string> {
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
