import { expect, test } from '@jest/globals';
import * as z from 'zod/mini';
import { faultsIn } from '../../../../functions/console/browser/forms/faults.ts';
import { readPrice } from '../../../../functions/console/browser/forms/price.ts';
import { knownInJapanese } from '../../../../functions/console/browser/words/faults-ja.ts';
import { bodySchemaOf } from '../../../../infra/bundles/body-schema.ts';
import { findEndpoints } from '../../../../infra/documents/openapi/find-endpoints.ts';
import type { ZodSchema } from '../../../../shared/http/endpoint.ts';
import { productRequests } from '../../../../shared/products/product.ts';
import { fromWire } from '../../../../shared/wire.ts';

const long = 'x'.repeat(30_000);
const texts = [
  '',
  ' ',
  'x',
  '‮',
  '\0',
  'Pаy',
  '!',
  long,
  'https://a b',
  'http://127.0.0.1/',
  'a@b',
  '1.2.3',
  '1.2.3-beta.1',
  'stable',
  '2026-99-99',
  '@'.repeat(300),
];
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
  // The first of each field alone is told.
  const told = bodies.flatMap((body) =>
    [...Map.groupBy(issuesOf(schema, body), ({ path }) => path[0]).values()].flatMap(([first]) => first?.message ?? []),
  );
  return new Set([...told, ...bodies.flatMap((body) => faultsIn(bodySchemaOf(schema), body).map(({ text }) => text))]);
}

const issuesOf = (schema: ZodSchema, body: object) => z.safeParse(schema, fromWire(body)).error?.issues ?? [];

test('whatever the service has against a field of a form has Japanese words', async () => {
  const endpoints = (await findEndpoints()).filter(({ endpoint: { audience } }) => audience === 'seller' || audience === 'admin');
  const schemas = endpoints.flatMap(({ endpoint }) => ('body' in endpoint && endpoint.body ? [endpoint.body as ZodSchema] : []));
  expect(schemas.length).toBeGreaterThan(15);
  const { create, update } = productRequests(['JPY', 'ISK']);
  const messages = [...new Set([...schemas, create, update].flatMap((schema) => [...messagesOf(schema)]))];
  expect(messages.length).toBeGreaterThan(30);
  expect(messages.filter((message) => knownInJapanese(message) === undefined)).toEqual([]);
});

test('whatever is wrong with a price has Japanese words', () => {
  const faults = ['', 'x', '1.5', '1.555', '1e9', '9'.repeat(20)].flatMap((text) =>
    ['JPY', 'USD', 'ISK', 'KWD'].flatMap((currency) => {
      const price = readPrice(text, currency);
      return 'fault' in price ? [price.fault] : [];
    }),
  );
  expect(faults.filter((fault) => knownInJapanese(fault) === undefined)).toEqual([]);
});
