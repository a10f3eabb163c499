import { execFile, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** A language that has a license client, and a driver that runs it from the command line. */
export interface Language {
  name: string;
  /** What must be there to run it, as Debian names it. */
  needs: string;
  isInstalled(): boolean;
  /** Builds the driver in an empty folder, and returns the command that runs it. */
  prepare(folder: string): Promise<string[]>;
  /** What makes its client go through this proxy, as the system's settings would. */
  proxySettings(proxy: string): Record<string, string>;
}

const root = join(import.meta.dirname, '..', '..', '..');
/** Where the client files are, and the driver of each language. */
export const clients = join(root, 'infra', 'documents', 'clients');
export const drivers = join(root, 'test', 'clients', 'drivers');

export const run = promisify(execFile);
/** Whether the command is there and succeeds. */
export const answers = (command: string, ...args: string[]) => spawnSync(command, args, { stdio: 'ignore' }).status === 0;
