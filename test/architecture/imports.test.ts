import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { readSources } from './source-files.ts';

const root = join(import.meta.dirname, '..', '..');
const sources = readSources('functions', 'shared', 'infra', 'test');
const sourcesByFolder = Map.groupBy(sources, ({ path }) => dirname(path));

/** Folders that tell one story, which their README introduces. */
const rooms = [
  ...['functions', 'functions/admin', 'functions/event-projector', 'functions/console', 'functions/pages'],
  ...['infra', 'infra/documents', 'infra/local'],
  ...['shared', ...foldersIn('shared').map((noun) => `shared/${noun}`)],
  'test',
];

describe('imports', () => {
  test.each(['infra', 'functions/console/browser'])('lead downwards in %s: in no folder do files and folders form a circle', (top) => {
    const files = sources.filter(({ path }) => path.startsWith(`${top}/`));
    const folders = new Set(files.flatMap(({ path }) => foldersAbove(path)));
    expect(folders.size).toBeGreaterThan(15);
    expect([...folders].flatMap((folder) => circlesIn(entriesOf(folder, files)))).toEqual([]);
  });
});

describe('rooms', () => {
  test('hold about 12 source files, and at most 20', () => {
    const fullerThan = (count: number) =>
      [...sourcesByFolder].filter(([, files]) => files.length > count).map(([folder, files]) => `${folder}: ${files.length}`);
    const [full, tooFull] = [fullerThan(12), fullerThan(20)];
    if (full.length > 0) console.warn(`Rooms of more than 12 source files:\n${full.sort().join('\n')}`);
    expect(tooFull).toEqual([]);
  });

  test('each have a README', () => {
    expect(rooms.filter((room) => !existsSync(join(root, room, 'README.md')))).toEqual([]);
  });
});

/** `infra/local`, then `infra`, for a file in the former. */
function foldersAbove(path: string): string[] {
  const folder = dirname(path);
  return folder === '.' ? [] : [folder, ...foldersAbove(folder)];
}

/** What each file and folder that lies in a folder, whole as it is, imports of the others there. */
function entriesOf(folder: string, files: readonly { path: string; imports: string[] }[]): Map<string, string[]> {
  const entryOf = (path: string) =>
    path.startsWith(`${folder}/`) ? [folder, path.slice(folder.length + 1).split('/')[0]].join('/') : undefined;
  const byEntry = Map.groupBy(files, ({ path }) => entryOf(path) ?? 'elsewhere');
  byEntry.delete('elsewhere');
  const importsOf = (entry: string, { imports }: { imports: string[] }) =>
    imports.flatMap((path) => entryOf(path) ?? []).filter((other) => other !== entry);
  return new Map([...byEntry].map(([entry, parts]) => [entry, parts.flatMap((file) => importsOf(entry, file))]));
}

function foldersIn(folder: string): string[] {
  const entries = readdirSync(join(root, folder), { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

/** The files and folders that lead back to themselves. */
function circlesIn(graph: ReadonlyMap<string, readonly string[]>): string[] {
  return [...graph.keys()].filter((start) => {
    const reached = new Set(graph.get(start));
    for (const each of reached) for (const next of graph.get(each) ?? []) reached.add(next);
    return reached.has(start);
  });
}
