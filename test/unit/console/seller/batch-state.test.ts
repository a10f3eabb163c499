import { describe, expect, test } from '@jest/globals';
import { isRunning, pollEvery, progressOf } from '../../../../functions/console/browser/seller/codes/batch-state.ts';

describe('an import of codes', () => {
  test('is looked at again and again while it runs', () => {
    const statuses = ['accepted', 'processing', 'completed', 'failed'] as const;
    expect(statuses.filter((status) => isRunning({ status }))).toEqual(['accepted', 'processing']);
    expect(pollEvery([{ status: 'completed' }, { status: 'processing' }])).toBe(2000);
    expect(pollEvery([{ status: 'completed' }, { status: 'failed' }])).toBe(false);
    expect(pollEvery([])).toBe(false);
  });

  test('is done when each row with a code was imported or known', () => {
    const batch = { status: 'processing', total_rows: 10, imported_count: 4, duplicate_count: 1, rejected_count: 3 } as const;
    expect(progressOf(batch)).toEqual({ done: 5, all: 7 });
    expect(progressOf({ ...batch, imported_count: 6 })).toEqual({ done: 7, all: 7 });
  });
});
