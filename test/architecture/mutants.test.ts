import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { transform } from '@swc/core';
import { plant } from '../mutation/mutant.ts';
import { mutants } from '../mutation/mutants.ts';

describe.each(Object.entries(mutants))('The mutants of %s', (_, list) => {
  test('can be planted, and are code that runs, as far as the language can be told here', async () => {
    for (const mutant of list) {
      const planted = plant(mutant, readFileSync(mutant.file, 'utf8'));
      const runs = !/\.[jt]s$/.test(mutant.file) || (await parses(planted));
      expect({ fault: mutant.fault, runs }).toEqual({ fault: mutant.fault, runs: true });
    }
  });

  test('name tests that exist', () => {
    const missing = list.flatMap(({ tests }) => tests).filter((file) => !existsSync(file));
    expect(missing).toEqual([]);
    expect(list.filter(({ tests }) => tests.length === 0)).toEqual([]);
  });
});

test('No two mutants are about the same fault', () => {
  const faults = Object.values(mutants).flatMap((list) => list.map(({ fault }) => fault));
  expect(faults.filter((fault, index) => faults.indexOf(fault) !== index)).toEqual([]);
});

const parses = (source: string) =>
  transform(source, { jsc: { parser: { syntax: 'typescript' } } }).then(
    () => true,
    () => false,
  );
