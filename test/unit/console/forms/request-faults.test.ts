import { describe, expect, test } from '@jest/globals';
import * as z from 'zod/mini';
import { atLineOf, faultsIn, faultsInMessage } from '../../../../functions/console/browser/forms/faults.ts';
import { readPrice } from '../../../../functions/console/browser/forms/price.ts';
import { bodySchemaOf } from '../../../../infra/bundles/body-schema.ts';
import { findEndpoints } from '../../../../infra/documents/openapi/find-endpoints.ts';
import { inJapanese } from '../../../../shared/faults/japanese.ts';
import { readFault } from '../../../../shared/faults/read-fault.ts';
import type { ZodSchema } from '../../../../shared/http/endpoint.ts';
import { productRequests } from '../../../../shared/products/product.ts';
import { fromWire } from '../../../../shared/wire.ts';
import { checkMessagesOf } from '../../../support/interface/check-messages.ts';

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
const endpoints = (await findEndpoints()).map(({ endpoint }) => endpoint);
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

test('a schema with words of its own is found out', () => {
  const never = z.object({ name: z.string().check(z.refine((name) => name !== 'no sample', 'had better be blue')) });
  expect([...messagesOf(never)]).not.toContain('had better be blue');
  expect(unread(checkMessagesOf(never))).toEqual(['had better be blue']);
  const seen = z.object({ name: z.string().check(z.refine((name) => name !== 'x', 'had better be blue')) });
  expect(unread(messagesOf(seen))).toEqual(['had better be blue']);
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
