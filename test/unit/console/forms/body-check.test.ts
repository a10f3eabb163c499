import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import * as z from 'zod/mini';
import { type BodySchema, bodySchemaFaults } from '../../../../functions/console/browser/api/body-check.ts';
import { bodySchemaOf } from '../../../../infra/bundles/body-schema.ts';
import { findEndpoints } from '../../../../infra/documents/openapi/find-endpoints.ts';
import { isJsonBodyKind } from '../../../../shared/http/endpoint.ts';
import { fromWire, wirePath } from '../../../../shared/wire.ts';
import { tries } from '../../../support/depth.ts';

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
