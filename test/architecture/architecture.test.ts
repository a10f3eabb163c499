import { existsSync, globSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, matchesGlob } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import * as rules from '../../shared/faults/rules.ts';
import { alarmedMessages } from '../../shared/logging/log-messages.ts';
import { readSources, type SourceFile } from './source-files.ts';

const root = join(import.meta.dirname, '..', '..');
const everything = readSources('functions', 'shared', 'infra', 'test');
const sources = everything.filter(({ path }) => !path.startsWith('test/'));
const service = sources.filter(({ path }) => !path.startsWith('infra/'));

/** Folders of shared/ but those that carry requests, messages and items, and know no noun's rules. */
const noun = /^shared\/(?!(?:db|http|page-delivery|queue)\/)[a-z-]+\//;
const folderOf = (path: string) => path.split('/').slice(0, 2).join('/');

/** Without comments. */
const code = (text: string) => text.replace(/^\s*(\/\*\*| \*|\/\/).*$/gm, '');

/** `path: what` for every file of which `find` finds something. */
const findings = (files: readonly SourceFile[], find: (file: SourceFile) => readonly string[]) =>
  files.flatMap((file) => [...new Set(find(file))].map((what) => `${file.path}: ${what}`));

describe('who may import whom', () => {
  test.each([
    ['functions know nothing of the infrastructure', /^functions\//, /^infra\//],
    ['shared code knows nothing of functions and the infrastructure', /^shared\//, /^(functions|infra|test)\//],
    ['nouns know nothing of requests and queues', noun, /^shared\/(http|page-delivery|queue)\/|^@middy\/|^aws-lambda$/],
    ['payments do not depend on orders', /^shared\/payments\//, /^shared\/orders\//],
    ['schemas come from the small build of zod', /./, /^zod(\/v4)?$/],
  ])('%s', (_, whose, what) => {
    const own = service.filter(({ path }) => whose.test(path));
    expect(own.length).toBeGreaterThan(5);
    expect(findings(own, ({ imports }) => imports.filter((name) => what.test(name)))).toEqual([]);
  });

  test('a function imports nothing of another', () => {
    const foreign = findings(
      service.filter(({ path }) => path.startsWith('functions/')),
      ({ path, imports }) => imports.filter((name) => name.startsWith('functions/') && folderOf(name) !== folderOf(path)),
    );
    expect(foreign).toEqual([]);
  });

  test.each([
    ['@aws-sdk/client-dynamodb', /^shared\/(db\/|[a-z-]+\/[a-z-]+-repository\.ts)/],
    ['@aws-sdk/lib-dynamodb', /^shared\/(db\/|[a-z-]+\/[a-z-]+-repository\.ts)/],
    ['@aws-sdk/util-dynamodb', /^shared\/(db\/|[a-z-]+\/[a-z-]+-repository\.ts)/],
    ['@aws-sdk/client-s3', /^shared\/product-files\//],
    ['@aws-sdk/s3-request-presigner', /^shared\/product-files\//],
    ['@aws-sdk/client-sqs', /^shared\/queue\//],
    ['@aws-sdk/client-sesv2', /^shared\/mail\//],
    ['@smithy/signature-v4', /^shared\/aws\//],
    ['@smithy/node-http-handler', /^shared\/aws\//],
    ['@aws-sdk/client-guardduty', /^functions\/file-scanner\//],
    ['stripe', /^shared\/payments\//],
  ])('%s is used in its place alone', (name, place) => {
    const users = service.filter(({ imports }) => imports.includes(name)).map(({ path }) => path);
    expect(users.length).toBeGreaterThan(0);
    expect(users.filter((path) => !place.test(path))).toEqual([]);
  });

  test.each(['infra', 'functions/console/browser'])(
    'imports lead downwards in %s: in no folder do files and folders form a circle',
    (top) => {
      const files = everything.filter(({ path }) => path.startsWith(`${top}/`));
      const folders = new Set(files.flatMap(({ path }) => foldersAbove(path)));
      expect(folders.size).toBeGreaterThan(15);
      expect([...folders].flatMap((folder) => circlesIn(entriesOf(folder, files)))).toEqual([]);
    },
  );

  test('what is imported for what it does alone is said to do something, or bundles would be without it', () => {
    const { sideEffects } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { sideEffects: string[] };
    const files = globSync('{functions,infra,shared}/**/*.{ts,tsx,js}', { cwd: root });
    const imported = files.flatMap((file) =>
      [...readFileSync(join(root, file), 'utf8').matchAll(/^import '(\..*)';$/gm)].map(([, name = '']) => join(dirname(file), name)),
    );
    expect(imported.length).toBeGreaterThan(0);
    expect(imported.filter((file) => !sideEffects.some((pattern) => matchesGlob(file, pattern)))).toEqual([]);
  });
});

describe('how code is written', () => {
  test('keys of the table are made in one file', () => {
    const elsewhere = service.filter(({ path }) => path !== 'shared/db/keys.ts');
    expect(findings(elsewhere, ({ text }) => code(text).match(/['"`}][A-Z][A-Z_]{2,}#/g) ?? [])).toEqual([]);
  });

  test('the table is read by key or by index alone, and nothing scans it but the check of operators', () => {
    const asking = service.filter(({ imports }) => imports.some((name) => name.startsWith('@aws-sdk/') && name.includes('dynamodb')));
    const commands = asking.flatMap(({ text }) => text.match(/\b[A-Z]\w*Command\b|\bpaginate\w+/g) ?? []);
    const allowed = ['BatchGet', 'Delete', 'Get', 'Put', 'Query', 'TransactWrite', 'Update'];
    expect([...new Set(commands)].sort()).toEqual(allowed.map((name) => `${name}Command`));
    const scanning = findings(sources, ({ text }) => text.match(/\b(paginate)?Scan(Command)?\(|dynamodb:Scan\b|dynamodb:\*/g) ?? []);
    expect(scanning).toEqual(['infra/commands/ops/check/table-reader.ts: ScanCommand(']);
  });

  test('the environment is read where a function starts, and nowhere else', () => {
    const readers = service.filter(({ text }) => text.includes('process.env')).map(({ path }) => path);
    expect(readers.sort()).toEqual([
      'shared/aws/secrets.ts',
      'shared/aws/signed-client.ts',
      'shared/config.ts',
      'shared/start-function.ts',
    ]);
  });

  test('what is wrong with a field is said by the catalogue alone, of which nothing is idle', () => {
    const others = service.filter(({ path }) => !path.startsWith('shared/faults/'));
    const said = /['"`}] ?(is missing|must (be|not|have|hold|name) )/g;
    expect(findings(others, ({ text }) => code(text).match(said) ?? [])).toEqual([]);
    expect(findings(others, ({ text }) => text.match(/AppError\(\s*'invalid_request'|\bmessage: ['"`]\w+/g) ?? [])).toEqual([]);
    const broken = new Set(others.flatMap(({ text }) => [...text.matchAll(/\brules\.(\w+)/g)].map(([, id]) => id)));
    expect(Object.keys(rules).filter((id) => !broken.has(id))).toEqual([]);
  });

  test('files are named for what is in them', () => {
    const vague = sources.filter(({ path }) => /(^|[/-])(index|utils?|helpers?|common|misc)\.tsx?$/.test(path));
    expect(vague.map(({ path }) => path)).toEqual([]);
  });

  test('files stay readable in one go', () => {
    const large = everything.filter(({ text }) => Buffer.byteLength(text) > 24 * 1024);
    const clients = 'infra/documents/clients/';
    expect(large.map(({ path }) => path).filter((path) => !path.startsWith(clients))).toEqual([]);
    // A client is one file, whatever its language lacks.
    const files = readdirSync(join(root, clients)).filter((file) => !file.endsWith('.json'));
    expect(files.length).toBeGreaterThanOrEqual(5);
    expect(files.filter((file) => statSync(join(root, clients, file)).size > 44 * 1024)).toEqual([]);
  });

  test('no file has an open note, or a trace of the machine it was written on', () => {
    const pattern =
      /\b(TODO|FIXME|HACK|XXX)\b|@ts-ignore|@ts-expect-error|biome-ignore|registry\.[a-z]+\.[a-z]|(?<![\w.])\/(home|root|Users)\//g;
    expect(findings(sources, ({ text }) => text.match(pattern) ?? [])).toEqual([]);
    expect(readFileSync(join(root, 'package-lock.json'), 'utf8')).not.toContain('"resolved": "http');
  });
});

/** Folders that tell one story, which their README introduces. */
const rooms = [
  ...['functions', 'functions/admin', 'functions/event-projector', 'functions/console', 'functions/pages'],
  ...['infra', 'infra/documents', 'infra/local'],
  ...['shared', ...foldersIn('shared').map((noun) => `shared/${noun}`)],
  'test',
];

describe('rooms', () => {
  test('hold at most 20 source files', () => {
    const sizes = Object.entries(Object.groupBy(everything, ({ path }) => dirname(path)));
    expect(sizes.filter(([, files = []]) => files.length > 20).map(([folder]) => folder)).toEqual([]);
  });

  test('each have a README', () => {
    expect(rooms.filter((room) => !existsSync(join(root, room, 'README.md')))).toEqual([]);
  });
});

describe('use cases and repositories', () => {
  const nouns = service.filter(({ path }) => noun.test(path));

  test('are functions, which no factory makes', () => {
    const made = findings(service, (file) =>
      exportedFunctions(file).flatMap(({ name }) => (/^create\w*(Repository|Service)$/.test(name) ? [name] : [])),
    );
    expect(made).toEqual([]);
  });

  test('are given what they work with first: the table or a context', () => {
    const worksWith = /^(table|c)$/;
    const late = findings(nouns, (file) =>
      exportedFunctions(file).flatMap(({ name, parameters }) => (parameters.slice(1).some((one) => worksWith.test(one)) ? [name] : [])),
    );
    expect(late).toEqual([]);
    const calling = nouns
      .filter(({ path }) => /-(service|reviews|repository)\.ts$/.test(path))
      .flatMap((file) => exportedFunctions(file).filter(({ isAsync }) => isAsync));
    expect(calling.length).toBeGreaterThan(100);
    expect(calling.filter(({ parameters: [first = ''] }) => !worksWith.test(first)).map(({ name }) => name)).toEqual([]);
  });
});

const testsOfLines = globSync('test/{endpoints,integration}/**/*.test.ts', { cwd: root }).map((path) =>
  readFileSync(join(root, path), 'utf8'),
);

test.each(Object.values(alarmedMessages).flat())('%s, which an alarm counts, is expected by a test of what it is about', (message) => {
  expect(testsOfLines.some((text) => text.includes(`'${message}'`))).toBe(true);
});

/** The functions that a file exports by name, with the names of their parameters; one that is taken apart has none. */
function exportedFunctions({ text }: SourceFile): { name: string; parameters: string[]; isAsync: boolean }[] {
  const heads = text.matchAll(/^export (?:(async )?function\*? (\w+)|const (\w+) = (async )?(?=\())(?:<[^(]*>)?\(([^)]*)/gm);
  return [...heads].map(([, async, declared, constant, asyncArrow, list = '']) => ({
    name: declared ?? constant ?? '',
    parameters: list.split(/,\s*(?=[\w{[]+[?:])/).map((parameter) => /^\s*(\w+)\??(?=[:,\s]|$)/.exec(parameter)?.[1] ?? ''),
    isAsync: (async ?? asyncArrow) !== undefined,
  }));
}

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
