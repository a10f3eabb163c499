import { execFile, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { runDriver } from '../conformance/driver.ts';

/** Runs a client by its driver. */
export interface Driver {
  /** What it prints for these arguments and settings; nothing of an earlier run is left but what that one stored. */
  run(args: readonly string[], env?: Record<string, string>): Promise<any>;
  /** The same in a process of its own, where `run` has one for several calls. */
  runAlone?: Driver['run'];
  stop?: (() => Promise<void>) | undefined;
}

/** A driver that is started for each run. */
export const startedEachTime = (...command: string[]): Driver => ({ run: (args, env) => runDriver(command, args, env) });

/** A language that has a license client, and a driver that runs it from the command line. */
export interface Language {
  name: string;
  /** The Debian packages that must be there to run it. */
  needs: readonly string[];
  isInstalled(): boolean;
  /** Builds the driver in an empty folder. */
  prepare(folder: string): Promise<Driver>;
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
