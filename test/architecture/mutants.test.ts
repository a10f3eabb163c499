import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { transform } from '@swc/core';
import { plant } from '../mutation/mutant.ts';
import { pureFiles } from '../mutation/pure-files.ts';
import { readLists, readMutants } from '../mutation/read-mutants.ts';

const lists = readLists();

describe.each(Object.entries(lists))('The mutants of %s', (_, list) => {
  test('can be planted, and are code that runs, as far as the language can be told here', async () => {
    const broken = [];
    for (const mutant of list) {
      const failure = await failureOf(mutant);
      if (failure !== undefined) broken.push(`${mutant.fault}: ${failure}`);
    }
    expect(broken).toEqual([]);
  });

  test('name tests that exist', () => {
    const missing = list.flatMap(({ tests }) => tests).filter((file) => !existsSync(file));
    expect([...new Set(missing)]).toEqual([]);
    expect(list.filter(({ tests }) => tests.length === 0)).toEqual([]);
  });
});

test('No two mutants are about the same fault', () => {
  const faults = Object.values(lists).flatMap((list) => list.map(({ fault }) => fault));
  expect(faults.filter((fault, index) => faults.indexOf(fault) !== index)).toEqual([]);
});

test('Every excuse is about code that is there, in a file that is mutated', async () => {
  for (const excuse of readMutants(readFileSync('test/mutation/excused.txt', 'utf8'))) {
    expect(pureFiles()).toContain(excuse.place);
    expect(await failureOf(excuse)).toBeUndefined();
  }
});

async function failureOf(mutant: Parameters<typeof plant>[0]): Promise<string | undefined> {
  try {
    const { file, planted } = plant(mutant);
    if (/\.[jt]s$/.test(file)) await transform(planted, { jsc: { parser: { syntax: 'typescript' } } });
    return undefined;
  } catch (error) {
    return String(error);
  }
}
