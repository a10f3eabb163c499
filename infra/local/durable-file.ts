import { open, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as z from 'zod/mini';

/** Replaces a file as a whole: after a crash it holds the old text or the new one, and what was acknowledged is there. */
export async function replaceFile(path: string, text: string): Promise<void> {
  await writeFile(`${path}.new`, text, { mode: 0o600, flush: true });
  await rename(`${path}.new`, path);
  await syncFolder(dirname(path));
}

export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** The JSON that a file holds; undefined where there is none. */
export async function readStored<Schema extends z.ZodMiniType>(path: string, schema: Schema): Promise<z.output<Schema> | undefined> {
  const text = await readFile(path, 'utf8').catch(unlessMissing(undefined));
  return text === undefined ? undefined : z.parse(schema, JSON.parse(text));
}

/** Handles the failure of a read: what is not there reads as `value`. */
export const unlessMissing =
  <T>(value: T) =>
  (error: unknown): T => {
    if (isMissing(error)) return value;
    throw error;
  };

const isMissing = (error: unknown) => typeof error === 'object' && error !== null && 'code' in error && error.code === 'ENOENT';
