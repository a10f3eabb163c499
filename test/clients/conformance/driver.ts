import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Settings of this machine, such as its proxy, are kept from a driver. */
export function driverEnvironment(settings: Record<string, string> = {}): Record<string, string> {
  const { PATH = '', HOME = '' } = process.env;
  return { PATH, HOME, ...settings };
}

/** What a driver prints. */
export async function runDriver(command: readonly string[], args: readonly string[], env: Record<string, string> = {}): Promise<any> {
  const [file = '', ...first] = command;
  const { stdout } = await run(file, [...first, ...args], { env: driverEnvironment(env), timeout: 60_000 });
  return JSON.parse(stdout);
}
