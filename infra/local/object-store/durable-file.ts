import { open, rename } from 'node:fs/promises';
import { join } from 'node:path';

/** Replaces a file of this folder as a whole: after a crash it holds the old text or the new one, and what was acknowledged is there. */
export async function replaceFile(folder: string, name: string, text: string): Promise<void> {
  const fresh = join(folder, `${name}.new`);
  const file = await open(fresh, 'w', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(fresh, join(folder, name));
  await syncFolder(folder);
}

export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Handles the failure of a read: what is not there reads as `value`. */
export const unlessMissing =
  <T>(value: T) =>
  (error: unknown): T => {
    if (isMissing(error)) return value;
    throw error;
  };

const isMissing = (error: unknown) => typeof error === 'object' && error !== null && 'code' in error && error.code === 'ENOENT';
