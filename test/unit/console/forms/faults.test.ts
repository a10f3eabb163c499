import { describe, expect, test } from '@jest/globals';
import { atLineOf, faultsIn, faultsInMessage } from '../../../../functions/console/browser/forms/faults.ts';
import { bodySchemaOf } from '../../../../infra/bundles/body-schema.ts';
import { ProductUpsertRequest } from '../../../../shared/products/product.ts';

const create = bodySchemaOf(ProductUpsertRequest);

describe('what the schema has against a body', () => {
  test('is told once a field, by the names of the API', () => {
    const faults = faultsIn(create, { name: 'а'.repeat(3), price_amount: 1.5, features: ['ok', 'x'.repeat(65), ''], currency: 'XXX' });
    expect(faults).toContainEqual({ field: 'description', text: 'is missing' });
    expect(faults).toContainEqual({ field: 'price_amount', text: 'must be a whole number' });
    expect(faults).toContainEqual({ field: 'features', at: '2', text: 'must be at most 64 characters long' });
    expect(new Set(faults.map(({ field }) => field)).size).toBe(faults.length);
  });

  test('is that a field is missing which holds nothing', () => {
    expect(faultsIn(create, { name: ' ', activation_limit: Number.NaN }, { name: ' ', activation_limit: '' })).toEqual(
      expect.arrayContaining([
        { field: 'name', text: 'is missing' },
        { field: 'activation_limit', text: 'is missing' },
      ]),
    );
  });
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
