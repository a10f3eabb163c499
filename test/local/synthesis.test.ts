import { describe, expect, test } from '@jest/globals';
import { appInputs } from '../../infra/local/cached-outputs.ts';
import { readSources } from '../architecture/source-files.ts';

const inputs = new Set(appInputs());

/** The files that these lead to by their imports, and these. */
function closureOf(entries: readonly string[]): string[] {
  const sources = new Map(readSources('functions', 'shared', 'infra').map((source) => [source.path, source]));
  const found = new Set<string>();
  const visit = (path: string): void => {
    const source = sources.get(path);
    if (!source || found.has(path)) return;
    found.add(path);
    source.imports.forEach(visit);
  };
  entries.forEach(visit);
  return [...found];
}

describe('the app is synthesized again after a change', () => {
  test('of any file that its stacks and functions import', () => {
    const handlers = [...inputs].filter((path) => /^functions\/[^/]+\/(handler|declaration|routes)\.ts$/.test(path));
    const made = closureOf(['infra/app.ts', ...handlers]);
    expect(made.length).toBeGreaterThan(200);
    expect(made.filter((path) => !inputs.has(path))).toEqual([]);
  });

  test.each([
    'cdk.json',
    'package-lock.json',
    'infra/documents/docs/en/guide/offline.md',
    'infra/documents/site/browser/docs.css',
    'functions/pages/browser/buyer.css',
  ])('of %s', (path) => {
    expect(inputs).toContain(path);
  });

  test('and not of the local stack, a command or a README', () => {
    expect([...inputs].filter((path) => /^infra\/(local|commands)\/|README/.test(path))).toEqual([]);
  });
});
