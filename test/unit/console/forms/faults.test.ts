import { expect, test } from '@jest/globals';
import { atLineOf, faultsInMessage } from '../../../../functions/console/browser/forms/faults.ts';

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
