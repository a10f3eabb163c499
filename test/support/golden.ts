import { readFileSync, writeFileSync } from 'node:fs';
import { expect } from '@jest/globals';

/** Compares with a file of `test/golden`; run with UPDATE_GOLDEN=1 to write it, then read the difference. */
export function expectGolden(name: string, actual: string): void {
  const path = new URL(`../golden/${name}`, import.meta.url);
  if (process.env['UPDATE_GOLDEN']) writeFileSync(path, actual);
  expect(actual).toBe(readFileSync(path, 'utf8'));
}
