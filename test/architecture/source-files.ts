import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { parseSync } from '@swc/core';

const root = join(import.meta.dirname, '..', '..');

/** A node of a syntax tree, as far as these tests look at it. */
export interface Node {
  type: string;
  [field: string]: unknown;
}

export interface SourceFile {
  /** From the project's folder, e.g. `shared/db/keys.ts`. */
  path: string;
  text: string;
  nodes: Node[];
  /** What it imports: paths from the project's folder, and package names. */
  imports: string[];
}

/** Every TypeScript file below these folders, but what is generated. */
export function readSources(...folders: string[]): SourceFile[] {
  const files = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.name.startsWith('generated-'))
      .map((entry) => relative(root, join(entry.parentPath, entry.name))),
  );
  return files.map(readSource);
}

/** Parsing takes long, and many ask for the text alone. Who asks for imports alone keeps no syntax trees: of all sources together they are large. */
function readSource(path: string): SourceFile {
  const text = readFileSync(join(root, path), 'utf8');
  let nodes: Node[] | undefined;
  let imports: string[] | undefined;
  const parse = () => parseSync(text, { syntax: 'typescript', tsx: path.endsWith('.tsx'), target: 'es2024' });
  return {
    path,
    text,
    get nodes() {
      nodes ??= nodesBelow(parse());
      return nodes;
    },
    get imports() {
      imports ??= parse()
        .body.flatMap((node) => importedBy(node as object as Node))
        .map((name) => (name.startsWith('.') ? join(dirname(path), name) : packageOf(name)));
      return imports;
    },
  };
}

function importedBy(node: Node): string[] {
  const isImport = ['ImportDeclaration', 'ExportNamedDeclaration', 'ExportAllDeclaration'].includes(node.type);
  const source = node['source'] as { value?: string } | null | undefined;
  return isImport && source?.value !== undefined ? [source.value] : [];
}

/** `@scope/name` or `name` of a package path; the entry of zod matters, so it stays. */
function packageOf(name: string): string {
  if (name.startsWith('zod')) return name;
  return name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/');
}

function nodesBelow(value: unknown): Node[] {
  if (Array.isArray(value)) return value.flatMap(nodesBelow);
  if (value === null || typeof value !== 'object') return [];
  const below = Object.values(value).flatMap(nodesBelow);
  return 'type' in value && typeof value.type === 'string' ? [value as Node, ...below] : below;
}
