import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** What a driver prints. Settings of this machine, such as its proxy, are kept from it. */
export async function runDriver(command: readonly string[], args: readonly string[], env: Record<string, string> = {}): Promise<any> {
  const [file = '', ...first] = command;
  const { PATH = '', HOME = '' } = process.env;
  const { stdout } = await run(file, [...first, ...args], { env: { PATH, HOME, ...env }, timeout: 60_000 });
  return JSON.parse(stdout);
}
