import { createHash } from 'node:crypto';
import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartError, tryToListen } from './engines/engine.ts';

/**
 * Makes the data directory, for its owner alone, and holds it for this process alone.
 *
 * The lock is an abstract Unix socket, which only Linux has: it disappears with the process, however that ended. A
 * process that is just ending is waited for.
 *
 * @throws StartError when another stack uses the directory, or it cannot be made.
 */
export async function lockDataDirectory(path: string): Promise<{ stop(): Promise<void> }> {
  try {
    makeDirectory(path);
    closeToOthers(path);
  } catch (error) {
    throw new StartError(`DATA_DIR cannot be used: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (process.platform !== 'linux') return { stop: async () => undefined };
  const name = `\0license-service-${createHash('sha256').update(realpathSync(path)).digest('hex')}`;
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const hold = await tryToListen({ path: name });
    if (hold) return hold;
    await sleep(100);
  }
  throw new StartError(`Another stack runs on the data in ${path}; stop it, or choose another DATA_DIR.`);
}

/** What the stack keeps in the directory. See "What survives a restart" in running.md */
const kept =
  /^(table\.db(-wal|-shm|-journal)?|objects|outbox|payment-provider\.db(\.key|\.new)?|secrets\.json(\.new)?|identity\.json(\.new)?|stack\.json)$/;

/** Lets the owner alone read what is kept, whatever made it; the directory too, unless something else is in it. */
function closeToOthers(path: string): void {
  const names = readdirSync(path);
  const ours = names.filter((name) => kept.test(name));
  for (const name of ours) closeEntry(join(path, name));
  if (ours.length === names.length) chmodSync(path, 0o700);
}

function closeEntry(path: string): void {
  const entry = lstatSync(path);
  if (entry.isDirectory()) {
    chmodSync(path, 0o700);
    for (const name of readdirSync(path)) closeEntry(join(path, name));
  } else if (entry.isFile() && (entry.mode & 0o077) !== 0) {
    chmodSync(path, 0o600);
  }
}

/** With its parents. Node's own recursive way never returns where the system makes no directories, as under /proc. */
function makeDirectory(path: string): void {
  if (existsSync(path)) {
    if (!statSync(path).isDirectory()) throw new Error(`${path} is not a directory.`);
    return;
  }
  if (!existsSync(dirname(path))) makeDirectory(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}
