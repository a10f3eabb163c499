import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';

const root = join(import.meta.dirname, '..', '..');
const outputs = join(root, 'cdk.out', 'kept');
const kept = 3;

/**
 * The folder that `make` filled with something made of the app. It is filled anew only when a file that goes into the
 * app has changed, whatever process asks; of the changes the last three are kept.
 */
export async function cacheOutput(name: string, make: (folder: string) => Promise<void>): Promise<string> {
  const folder = join(outputs, hashOfInputs(), name);
  if (existsSync(folder)) return folder;
  mkdirSync(dirname(folder), { recursive: true });
  const unfinished = `${folder}.${randomUUID()}`;
  await make(unfinished);
  await rename(unfinished, folder).catch(() => rm(unfinished, { recursive: true, force: true }));
  await removeOld();
  return folder;
}

function hashOfInputs(): string {
  const hash = createHash('sha256').update(process.version);
  for (const file of appInputs())
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(root, file)))
      .update('\0');
  return hash.digest('hex').slice(0, 20);
}

/** What runs the app or works on it, and is no part of it. */
const notOfApp = /^infra\/(local|commands)\/|^(?!infra\/documents\/docs\/).*\.md$/;

/** The files that the app is made from, as paths in the project. */
export function appInputs(): string[] {
  const files = ['functions', 'shared', 'infra'].flatMap(filesBelow).filter((file) => !notOfApp.test(file));
  return [...files, 'cdk.json', 'package-lock.json'].sort();
}

function filesBelow(folder: string): string[] {
  const entries = readdirSync(join(root, folder), { withFileTypes: true, recursive: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => relative(root, join(entry.parentPath, entry.name)));
}

async function removeOld(): Promise<void> {
  const folders = readdirSync(outputs).map((name) => join(outputs, name));
  const byAge = folders.sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
  await Promise.all(byAge.slice(kept).map((folder) => rm(folder, { recursive: true, force: true })));
}
