import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const root = join(import.meta.dirname, '..', '..');

export interface SourceFile {
  /** From the project's folder, e.g. `shared/db/keys.ts`. */
  path: string;
  text: string;
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
  return files.map((path) => {
    const text = readFileSync(join(root, path), 'utf8');
    return { path, text, imports: importsIn(text).map((name) => (name.startsWith('.') ? join(dirname(path), name) : packageOf(name))) };
  });
}

/** As the formatter writes them, so that nothing has to be parsed. */
const importsIn = (text: string) =>
  [...text.matchAll(/^(?:import|export)\b[^;'"`]*?\bfrom '([^']+)'|^import '([^']+)'/gm)].map(([, name, effect]) => name ?? effect ?? '');

/** `@scope/name` or `name` of a package path; the entry of zod matters, so it stays. */
function packageOf(name: string): string {
  if (name.startsWith('zod')) return name;
  return name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/');
}
